// Live figures: an element of the class "live" holds data (JSON) and a table. The data's `kind` names the function that
// draws it; the table folds away. Without this script the table is what one sees. Python's half: cwr/figures/live_figure.py.
document.addEventListener("DOMContentLoaded", () => {
  const kinds = { cosine, sphere, coordinates, neighbours, aggregation, reversals };
  for (const figure of document.querySelectorAll(".live")) {
    const data = JSON.parse(figure.querySelector("script").textContent);
    const drawing = document.createElement("div");
    const numbers = document.createElement("details");
    numbers.innerHTML = "<summary>The rule and the numbers</summary>";
    numbers.append(figure.querySelector(".live-table"));
    figure.append(drawing, numbers);
    kinds[data.kind](drawing, data);
  }

  // A drawing's width, with room for its words even before the page gives it one.
  function room(svg) { return Math.max(svg.clientWidth, 200); }

  // ---- Is a cosine high? The steps and the words are those of cwr/estimates/calibration.py.

  function cosine(drawing, data) {
    drawing.innerHTML = `<div class="live-controls">
      <label>cosine <input type="number" min="-1" max="1" step="0.01" value="0.93"></label>
      <input type="range" max="1" step="0.001" aria-label="cosine">
      <label>model <select></select></label> <label>layer <select></select></label></div>
      <p class="live-answer" aria-live="polite"></p><svg aria-hidden="true"></svg>`;
    const [number, slider] = drawing.querySelectorAll("input");
    const [model, layer] = drawing.querySelectorAll("select");
    const answer = drawing.querySelector("p"), svg = drawing.querySelector("svg");
    const layers = data.layers.map(entry => ({ ...entry,
      random: summed(entry.random), same_word: summed(entry.same_word) }));
    const lowest = Math.min(...layers.map(entry => Math.min(entry.random[0], entry.same_word[0]))) / data.unit;
    slider.min = Math.floor(lowest * 10) / 10;

    const names = [...new Set(layers.map(entry => entry.model))];
    model.append(...names.map(name => new Option(name)));
    const ofModel = () => layers.filter(entry => entry.model === model.value);
    const offerLayers = () => {
      layer.replaceChildren(...ofModel().map(entry => new Option(`${entry.layer}: ${entry.name}`, entry.layer)));
      layer.selectedIndex = Math.max(0, layer.length - 2);          // the last but one: the last is often special
    };
    const show = () => {
      const value = number.valueAsNumber;
      const isCosine = value >= -1 && value <= 1;                    // an empty box is NaN
      const entry = ofModel()[layer.selectedIndex];
      const text = isCosine ? sentence(data, entry, value) : "Give a number between -1 and 1.";
      if (answer.textContent !== text) answer.textContent = text;    // else it would be read aloud again
      if (isCosine) draw(svg, data, entry, value, Math.min(slider.min, Math.floor(value * 10) / 10));
    };
    number.addEventListener("input", () => { if (number.value) slider.value = number.value; show(); });
    slider.addEventListener("input", () => { number.value = slider.value; show(); });
    model.addEventListener("change", () => { offerLayers(); show(); });
    layer.addEventListener("change", show);
    new ResizeObserver(show).observe(drawing);
    offerLayers();
    slider.value = number.value;
    show();
  }

  function sentence(data, entry, value) {
    const at = Math.floor(value * data.unit + 0.5);
    const words = { ...entry, cosine: String(at / data.unit) };
    for (const kind of ["random", "same_word"]) {
      words[kind] = judgement(data, entry[kind], at);
      words[`${kind}_share`] = shareInWords(data, entry[kind], at);
    }
    return data.sentence.replace(/\{(\w+)\}/g, (_, key) => words[key]);
  }

  function judgement(data, quantiles, at) {
    if (thousandths(share(data, quantiles, at)) >= data.high) return "high";
    if (thousandths(share(data, quantiles, at, true)) <= data.low) return "low";
    return "ordinary";
  }

  function shareInWords(data, quantiles, at) {
    const count = thousandths(share(data, quantiles, at));
    if (count === 0) return "less than 0.1 %";
    if (count === 1000) return "more than 99.9 %";
    return `${(count / 10).toFixed(1)} %`;
  }

  function share(data, quantiles, at, atMost = false) {
    const above = quantiles.filter(quantile => quantile < at || (atMost && quantile === at)).length;
    if (above === 0) return 0;
    if (above === quantiles.length) return 1;
    const [low, high] = quantiles.slice(above - 1), [level, next] = data.levels.slice(above - 1);
    return level + (next - level) * ((at - low) / (high - low));
  }

  function thousandths(part) { return Math.floor(1000 * part + 0.5); }

  function summed(steps) {
    let sum = 0;
    return steps.map(step => sum += step);
  }

  // Two histograms above one axis, read off the quantiles; what lies below the cosine is filled.
  function draw(svg, data, entry, value, low) {
    const width = room(svg), inset = 8;                         // half a slider's thumb: the line stands below it
    const x = cosine => inset + (cosine - low) / (1 - low) * (width - 2 * inset);
    const marks = [];
    [["two random words", entry.random], ["two occurrences of one word", entry.same_word]].forEach(([name, quantiles], row) => {
      const base = 62 * row + 60, at = Math.floor(value * data.unit + 0.5);
      const outline = histogram(data, quantiles, low, x, base, 40);
      marks.push(`<svg width="${x(value)}" height="${base}"><path class="live-below" d="${outline}"/></svg>`,
        `<path class="live-outline" d="${outline}"/>`,
        `<text x="${inset}" y="${base - 46}">${name}: ${judgement(data, quantiles, at)}</text>`);
    });
    for (let tick = Math.ceil(low * 5); tick <= 5; tick++) {
      marks.push(`<text class="live-tick" x="${x(tick / 5)}" y="140">${(tick / 5).toFixed(1)}</text>`);
    }
    marks.push(`<line class="live-cosine" x1="${x(value)}" x2="${x(value)}" y1="4" y2="126"/>`);
    svg.style.setProperty("--live-family", data.colours[entry.family]);
    svg.innerHTML = marks.join("");
  }

  function histogram(data, quantiles, low, x, base, height) {
    const bins = 80, edges = Array.from({ length: bins + 1 }, (_, bin) => low + (1 - low) * bin / bins);
    const below = edges.map(edge => share(data, quantiles, edge * data.unit, true));
    const mass = below.slice(1).map((part, bin) => part - below[bin]), most = Math.max(...mass);
    const steps = mass.map((part, bin) => `V${base - height * part / most}H${x(edges[bin + 1])}`);
    return `M${x(low)},${base}${steps.join("")}V${base}Z`;
  }

  // ---- A sphere that moves away from the origin. The numbers and the words are those of cwr/texts/bis2021/spheres.py.

  function sphere(drawing, data) {
    const shifts = data.steps.shift, last = shifts[shifts.length - 1];
    drawing.innerHTML = `<div class="live-controls">
      <label>shift, in radii <input type="number" min="0" max="${last}" step="0.1" value="4.0"></label>
      <input type="range" min="0" max="${last}" step="0.1" value="4" aria-label="shift, in radii"></div>
      <p class="live-answer" aria-live="polite"></p><svg aria-hidden="true"></svg>`;
    const [number, slider] = drawing.querySelectorAll("input");
    const answer = drawing.querySelector("p"), svg = drawing.querySelector("svg");
    const show = () => {
      const step = shifts.indexOf(number.valueAsNumber.toFixed(1));   // an empty box is "NaN"
      const text = step < 0 ? `Give a number between 0 and ${parseFloat(last)}.`
        : data.sentence.replace(/\{(\w+)\}/g, (_, column) => data.steps[column][step]);
      if (answer.textContent !== text) answer.textContent = text;    // else it would be read aloud again
      if (step >= 0) drawSpheres(svg, data, step);
    };
    number.addEventListener("input", () => { if (number.value) slider.value = number.value; show(); });
    slider.addEventListener("input", () => { number.value = (+slider.value).toFixed(1); show(); });
    new ResizeObserver(show).observe(drawing);
    show();
  }

  // Both spheres from the side above one axis, and their singular values as bars.
  function drawSpheres(svg, data, step) {
    const { shift, first } = data.steps, farthest = +shift[shift.length - 1];
    const unit = Math.min(room(svg) / (farthest + 2.2), 50), middle = 1.1 * unit;
    const marks = [];
    for (const [at, kind] of [[0, "live-origin"], [step, "live-below"]]) {
      for (const [along, across, depth] of data.points) {
        const x = (along + 1.1 + +shift[at]) * unit, y = middle - across * unit;
        marks.push(`<circle class="${kind}" cx="${x}" cy="${y}" r="1.8" opacity="${0.55 + 0.3 * depth}"/>`);
      }
    }
    marks.push(`<path class="live-outline" d="M${1.1 * unit - 6},${middle}h12m-6,-6v12"/>`);
    const longest = room(svg) - 150, scale = longest / +first[first.length - 1];
    ["first", "second", "third"].forEach((rank, row) => {
      const y = 2.4 * unit + 22 * row, values = data.steps[rank];
      marks.push(`<text x="0" y="${y + 12}">${rank}</text>`,
        `<rect class="live-below" x="60" y="${y}" width="${scale * values[step]}" height="14"/>`,
        `<rect class="live-outline" x="60" y="${y}" width="${scale * values[0]}" height="14"/>`,
        `<text x="${66 + scale * Math.max(values[step], values[0])}" y="${y + 12}">${values[step]}</text>`);
    });
    svg.style.height = `${2.4 * unit + 70}px`;
    svg.style.setProperty("--live-family", data.colours.masked);
    svg.innerHTML = marks.join("");
  }

  // ---- Coordinates taken from all vectors. The numbers and the words are those of cwr/texts/ethayarajh2019/removed_coordinates.py.

  function coordinates(drawing, data) {
    const most = data.treatments[0].length - 1;
    drawing.innerHTML = `<div class="live-controls">
      <label>coordinates removed <input type="number" min="0" max="${most}" value="3"></label>
      <label><input type="checkbox"> mean subtracted</label>
      <input type="range" min="0" max="${most}" value="3" aria-label="coordinates removed"></div>
      <p class="live-answer" aria-live="polite"></p><svg aria-hidden="true"></svg>`;
    const [number, mean, slider] = drawing.querySelectorAll("input");
    const answer = drawing.querySelector("p"), svg = drawing.querySelector("svg");
    const show = () => {
      const k = number.valueAsNumber, centred = +mean.checked;
      const isSetting = Number.isInteger(k) && k >= 0 && k <= most;  // an empty box is NaN
      const last = name => data.models.map(each =>
        `${(each[name][centred][k].at(-1) / data.unit).toFixed(2)} in ${each.model}`).join(", ");
      const text = !isSetting ? `Give a whole number from 0 to ${most}.`
        : data.sentence.replace(/\{(\w+)\}/g, (_, key) => key === "treatment" ? data.treatments[centred][k] : last(key));
      if (answer.textContent !== text) answer.textContent = text;    // else it would be read aloud again
      if (isSetting) drawCurves(svg, data, centred, k);
    };
    number.addEventListener("input", () => { if (number.value) slider.value = number.value; show(); });
    slider.addEventListener("input", () => { number.value = slider.value; show(); });
    mean.addEventListener("change", show);
    new ResizeObserver(show).observe(drawing);
    show();
  }

  // Both measures against relative depth, a model a line with its family's colour and mark; dashed, nothing is removed.
  function drawCurves(svg, data, centred, k) {
    const width = room(svg) / 2, base = 230, y = value => base - 2 * value, marks = [];
    const signs = { bilstm: "M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0Z", masked: "M-4,-4H4V4H-4Z", causal: "M0,-5L5,4H-5Z",
      sentence: "M0,-5.5L5.5,0L0,5.5L-5.5,0Z", static: "M0,5L5,-4H-5Z" };             // as in cwr/figures/style.py
    [["b", "two random words"], ["s", "one word, beyond b"]].forEach(([name, title], panel) => {
      const left = panel * width + 30, right = left + width - 40;
      marks.push(`<text x="${left}" y="14">${title}</text>`, `<text x="${left}" y="${base + 22}">input</text>`,
        `<text x="${right}" y="${base + 22}" text-anchor="end">last layer</text>`);
      for (const tick of [0, 50, 100]) {
        marks.push(`<text class="live-tick" x="${left - 15}" y="${y(tick) + 4}">${tick / 100}</text>`,
          `<line class="live-as-is" x1="${left}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}"/>`);
      }
      data.models.forEach((each, row) => {
        const curves = each[name], colour = `style="--live-family: ${data.colours[each.family]}"`;
        const x = layer => left + 6 + layer / (curves[0][0].length - 1) * (right - left - 12);
        const line = curve => curve.map((value, layer) => `${x(layer)},${y(value)}`).join(" ");
        const sign = (x, y) => `<path class="live-sign" ${colour} d="${signs[each.family]}" transform="translate(${x} ${y})"/>`;
        marks.push(`<polyline class="live-line" ${colour} stroke-dasharray="3 4" points="${line(curves[0][0])}"/>`,
          `<polyline class="live-line" ${colour} points="${line(curves[centred][k])}"/>`,
          ...curves[centred][k].map((value, layer) => sign(x(layer), y(value))));
        if (!panel) marks.push(sign(8, base + 44 + 18 * row), `<text x="20" y="${base + 48 + 18 * row}">${each.model}</text>`);
      });
    });
    const height = base + 52 + 18 * data.models.length;
    marks.push(`<text x="0" y="${height}">dashed: nothing removed</text>`);
    svg.style.height = `${height + 6}px`;
    svg.innerHTML = marks.join("");
  }

  // ---- A word's neighbours in several tables. The lists and the words are those of cwr/texts/gupta2021/neighbours.py.

  function neighbours(drawing, data) {
    const list = `live-words-${document.querySelectorAll("datalist").length}`;
    drawing.innerHTML = `<div class="live-controls">
      <label>word <input type="text" list="${list}" autocapitalize="off" spellcheck="false"></label><datalist id="${list}"></datalist></div>
      <p class="live-answer" aria-live="polite"></p><div class="live-columns"></div>`;
    const input = drawing.querySelector("input"), answer = drawing.querySelector("p");
    const columns = drawing.querySelector(".live-columns");
    const tables = data.columns.map(({ name, rows, cosines }) => ({ name,
      rows: new Uint16Array(bytes(rows).buffer), cosines: new Int8Array(bytes(cosines).buffer) }));
    drawing.querySelector("datalist").append(...data.words.map(word => new Option(word)));
    const show = () => {
      const word = input.value.trim().toLowerCase(), at = data.words.indexOf(word) * data.k;
      const lists = at < 0 ? [] : tables.map(table => [...table.rows.slice(at, at + data.k)]);
      const isShared = row => lists.every(rows => rows.includes(row));
      const text = at < 0 ? `Give one of the ${data.words.length.toLocaleString("en")} words; they are offered as you type.`
        : data.sentence.replace(/\{(\w+)\}/g, (_, key) => ({ word, k: data.k, shared: lists[0].filter(isShared).length })[key]);
      if (answer.textContent !== text) answer.textContent = text;    // else it would be read aloud again
      columns.replaceChildren(...lists.map((rows, number) => column(tables[number], rows, at, isShared)));
    };
    const column = (table, rows, at, isShared) => {
      const box = document.createElement("div"), items = document.createElement("ol");
      box.append(Object.assign(document.createElement("b"), { textContent: table.name }), items);
      items.setAttribute("aria-label", table.name);
      rows.forEach((row, rank) => {
        const item = document.createElement("li"), button = document.createElement("button");
        Object.assign(button, { type: "button", textContent: data.words[row] });
        button.classList.toggle("live-shared", isShared(row));
        button.addEventListener("click", () => { input.value = data.words[row]; show(); input.focus(); });
        item.append(button, ` ${(table.cosines[at + rank] / data.unit).toFixed(2)}`);
        items.append(item);
      });
      return box;
    };
    input.addEventListener("input", show);
    input.value = data.start;
    show();
  }

  function bytes(text) { return Uint8Array.from(atob(text), letter => letter.charCodeAt(0)); }

  // ---- Decisions on contexts, aggregated. The numbers and the words are those of cwr/texts/zhao2020/aggregation.py.

  function aggregation(drawing, data) {
    const limits = `min="1" max="100" value="${data.percent}"`;
    drawing.innerHTML = `<div class="live-controls">
      <label>contexts needed, % <input type="number" ${limits}></label>
      <label>reading <select></select></label>
      <input type="range" ${limits} aria-label="contexts needed, %"></div>
      <p class="live-answer" aria-live="polite"></p><svg aria-hidden="true"></svg>`;
    const [number, slider] = drawing.querySelectorAll("input"), reading = drawing.querySelector("select");
    const answer = drawing.querySelector("p"), svg = drawing.querySelector("svg");
    reading.append(...data.readings.map(name => new Option(name)));
    const show = () => {
      const percent = number.valueAsNumber;
      const isShare = Number.isInteger(percent) && percent >= 1 && percent <= 100;  // an empty box is NaN
      const judged = judgedPairs(data, percent, reading.value);
      const text = isShare ? aggregated(data, judged, percent, reading.value) : "Give a whole number from 1 to 100.";
      if (answer.textContent !== text) answer.textContent = text;    // else it would be read aloud again
      if (isShare) drawPairs(svg, data, judged, percent);
    };
    number.addEventListener("input", () => { if (number.value) slider.value = number.value; show(); });
    slider.addEventListener("input", () => { number.value = slider.value; show(); });
    reading.addEventListener("change", show);
    new ResizeObserver(show).observe(drawing);
    show();
  }

  // Each pair with what its own probe makes of it, and the classes whose probes are wrong on it; under "words" the first
  // pair of a word has the alarms of them all.
  function judgedPairs({ pairs, classes }, percent, reading) {
    const isEnough = (right, contexts) => 100 * right >= percent * contexts;
    return pairs.map(pair => {
      const ofWord = pairs.filter(other => other.word === pair.word);
      const group = { full: [pair], words: pair === ofWord[0] ? ofWord : [], pairs: [] }[reading];
      const contexts = total(group, each => each.contexts);
      const isAlarm = (_, number) => group.every(each => each.class !== number)
        && !isEnough(contexts - total(group, each => each.yes[number]), contexts);
      const isRecognised = isEnough(pair.yes[pair.class], pair.contexts);
      return { ...pair, isRecognised, alarms: classes.filter(isAlarm) };
    });
  }

  function aggregated(data, judged, percent, reading) {
    const tp = judged.filter(pair => pair.isRecognised).length, pairs = judged.length;
    const fp = total(judged, pair => pair.alarms.length);
    const score = reading === "pairs" ? tp / pairs : 2 * tp / (tp + pairs + fp);
    const words = { percent, reading, tp, pairs, fp, f1: (thousandths(score) / 1000).toFixed(3) };
    return data.sentence.replace(/\{(\w+)\}/g, (_, key) => words[key]);
  }

  function total(rows, part) { return rows.reduce((sum, row) => sum + part(row), 0); }

  // A row a pair: a bar for the contexts that its own probe recognises, against the share needed; then the false alarms.
  function drawPairs(svg, data, judged, percent) {
    const columns = room(svg) < 640 ? 1 : 2, width = room(svg) / columns;
    const rows = Math.ceil(judged.length / columns), height = 20 * rows, left = 0.4 * width, bar = 0.2 * width;
    const label = (x, y, text, room) => {
      const short = 7.2 * text.length <= room ? text : `${text.slice(0, room / 7.2 - 1)}…`;
      return `<text x="${x}" y="${y + 12}">${new Option(short).innerHTML}</text>`;
    };
    const marks = [];
    judged.forEach((pair, number) => {
      const x = width * Math.floor(number / rows), y = 20 * (number % rows) + 3, yes = pair.yes[pair.class];
      const said = [`${yes} of ${pair.contexts}`, ...pair.alarms.map(name => `+ ${name}`)].join(" ");
      marks.push(label(x, y, `${pair.word}: ${data.classes[pair.class]}`, left - 6),
        `<rect class="live-${pair.isRecognised ? "below" : "origin"}" x="${x + left}" y="${y}" width="${bar * yes / pair.contexts}" height="14"/>`,
        `<rect class="live-outline" x="${x + left}" y="${y}" width="${bar}" height="14"/>`,
        label(x + left + bar + 6, y, said, width - left - bar - 12));
    });
    for (let column = 0; column < columns; column++) {
      const x = width * column + left + bar * percent / 100;
      marks.push(`<line class="live-cosine" x1="${x}" x2="${x}" y1="0" y2="${height}"/>`);
    }
    svg.style.height = `${height + 4}px`;
    svg.style.setProperty("--live-family", data.colours[data.family]);
    svg.innerHTML = marks.join("");
  }

  // ---- Decisions that are reversed along the layers. The numbers and the words are those of cwr/texts/survey/reversal_paths.py.

  function reversals(drawing, data) {
    const limits = `min="0" max="0.99" step="0.01" value="${data.delta / 100}"`;
    drawing.innerHTML = `<div class="live-controls">
      <label>margin <input type="number" ${limits}></label> <label>mention <select></select></label>
      <input type="range" ${limits} aria-label="margin"></div>
      <p class="live-answer" aria-live="polite"></p><svg aria-hidden="true"></svg>`;
    const [number, slider] = drawing.querySelectorAll("input"), mention = drawing.querySelector("select");
    const answer = drawing.querySelector("p"), svg = drawing.querySelector("svg");
    const items = data.items.map(item => readingsOf(data, item));
    const atFirst = items.map(item => kindOf(item, item.path, data.delta));
    const order = items.map((_, at) => at).sort((a, b) => (atFirst[b] > 0) - (atFirst[a] > 0) || a - b);
    mention.append(...order.map(at => new Option(withoutNotes(items[at].text), at)));
    const show = () => {
      const delta = Math.round(100 * number.valueAsNumber);          // an empty box is NaN
      const isMargin = delta >= 0 && delta <= 99;
      const text = isMargin ? reversed(data, items, delta, items[mention.value]) : "Give a margin from 0 to 0.99.";
      if (answer.textContent !== text) answer.textContent = text;    // else it would be read aloud again
      if (isMargin) drawBars(svg, data, items[mention.value], delta);
    };
    number.addEventListener("input", () => { if (number.value) slider.value = number.value; show(); });
    slider.addEventListener("input", () => { number.value = (+slider.value).toFixed(2); show(); });
    mention.addEventListener("change", show);
    new ResizeObserver(show).observe(drawing);
    show();
  }

  // A text of a wiki without the numbers of its notes: "expertise [[17]]."
  function withoutNotes(text) { return text.replace(/\s*\[\[\d+\]\]/g, ""); }

  function readingsOf({ layers, letters }, [text, gold, other, said, margins, right, wrong]) {
    const numbers = digits => digits.match(/../g).map(Number), all = Array.from({ length: layers }, (_, at) => at);
    const placebos = all.map(layer => all.map(training => layer * layers + training));
    return { text, gold, other, labels: [...said].map(letter => letters.indexOf(letter)), margins: numbers(margins),
      shares: [numbers(right), numbers(wrong)], path: all.map(layer => layer * layers + layer), placebos };
  }

  function firmOnes({ labels, margins }, readings, delta) {
    return readings.filter((at, step) => margins[at] >= delta
      && (step + 1 === readings.length || labels[at] === labels[readings[step + 1]]));
  }

  // 0: none; 1 correction, 2 corruption, 3 wrong to wrong, 4 return
  function kindOf(item, readings, delta) {
    const firm = firmOnes(item, readings, delta).map(at => item.labels[at]);
    const first = firm[0], last = firm.at(-1);
    if (firm.every(label => label === first)) return 0;
    return first === last ? 4 : last === item.gold ? 1 : first === item.gold ? 2 : 3;
  }

  function reversed(data, items, delta, item) {
    const isReversed = (each, readings) => +(kindOf(each, readings, delta) > 0), n = items.length, k = data.layers;
    const path = total(items, each => isReversed(each, each.path));
    const placebo = total(items, each => total(each.placebos, readings => isReversed(each, readings)));
    const perCent = (count, of) => (Math.floor(1000 * count / of + 0.5) / 10 + 0).toFixed(1);
    const words = { delta: (delta / 100).toFixed(2), reversed: path, items: n, rate: perCent(path, n),
      placebo: perCent(placebo, k * n), net: perCent(k * path - placebo, k * n), kind: data.kinds[kindOf(item, item.path, delta)] };
    return data.sentence.replace(/\{(\w+)\}/g, (_, key) => words[key]);
  }

  // Two bars a layer: the right label and the strongest wrong one. Below stands what is decided, framed where it is firm.
  function drawBars(svg, data, item, delta) {
    const width = room(svg) / data.layers, wide = Math.min(0.3 * width, 26), base = 110, marks = [];
    const firm = firmOnes(item, item.path, delta), short = name => 7.2 * name.length < width ? name : `${name.slice(0, width / 7.2 - 1)}…`;
    item.path.forEach((at, layer) => {
      const middle = (layer + 0.5) * width;
      item.shares.forEach((shares, which) => {
        const height = shares[layer], x = middle - (which ? 0 : wide);
        marks.push(`<rect class="live-${which ? "origin" : "below"}" x="${x}" y="${base - height}" width="${wide}" height="${height}"/>`);
      });
      if (firm.includes(at)) marks.push(`<rect class="live-outline" x="${middle - 0.48 * width}" y="${base + 4}" width="${0.96 * width}" height="19"/>`);
      marks.push(`<text class="live-tick" x="${middle}" y="${base + 18}">${short(data.labels[item.labels[at]])}</text>`,
        `<text class="live-tick" x="${middle}" y="${base + 38}">${layer}</text>`);
    });
    ["below", "origin"].forEach((kind, which) => marks.push(`<rect class="live-${kind}" x="0" y="${base + 48 + 18 * which}" width="12" height="12"/>`,
      `<text x="18" y="${base + 59 + 18 * which}">${data.labels[which ? item.other : item.gold]} (${which ? "wrong" : "right"})</text>`));
    svg.style.height = `${base + 84}px`;
    svg.style.setProperty("--live-family", data.colours[data.family]);
    svg.innerHTML = marks.join("");
  }
});
