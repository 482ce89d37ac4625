// From the disk a page may not read another: there the search lists its pages without their texts.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// The scoreboard: one filter over all chapters, an address for each state and each claim, commands
// that can be copied. Without this script the page is the same list, to be opened by hand.
function unfold() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = place?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}
document.addEventListener("DOMContentLoaded", unfold);
addEventListener("hashchange", unfold);

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".board-filter");
  if (!form) return;
  const claims = [...document.querySelectorAll(".chapter .claim")].filter(claim => !claim.parentElement.closest(".claim"));
  const folds = document.querySelectorAll(".chapter .others");
  const verdicts = claim => [...[claim.dataset.published].map(word => `published ${word}`),
    ...claim.dataset.ours.split("|").map(word => `ours ${word}`)];

  function filter() {
    const words = form.words.value.toLowerCase().split(/\s+/).filter(Boolean), verdict = form.verdict.value;
    const active = words.length > 0 || verdict !== "";
    let shown = 0;
    for (const claim of claims) {
      const text = claim.textContent.toLowerCase();
      claim.hidden = !words.every(word => text.includes(word)) || (verdict !== "" && !verdicts(claim).includes(verdict));
      shown += !claim.hidden;
    }
    for (const fold of folds) {
      fold.open = active;
      fold.hidden = !fold.querySelector(":scope > .claim:not([hidden])");
    }
    form.querySelector("output").textContent = active ? `${shown} of ${claims.length} claims` : "";
    return active;
  }

  function remember() {
    const state = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    history.replaceState(null, "", `#${state}`);
  }

  // An address is a claim's id, or the state of the filter: "#words=isotropy&verdict=ours+fails".
  function follow() {
    const hash = decodeURIComponent(location.hash.slice(1)), claim = document.getElementById(hash);
    if (claim?.closest(".chapter")) {
      unfold();
      claim.scrollIntoView();
    } else if (location.hash.includes("=")) {
      const state = new URLSearchParams(location.hash.slice(1));
      for (const name of ["words", "verdict"]) form[name].value = state.get(name) ?? "";
      filter();
    }
  }

  function addCopyButton(command) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "copy" });
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(command.textContent);
      button.textContent = "copied";
    });
    command.after(button);
  }

  form.hidden = false;
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("input", () => { filter(); remember(); });
  document.querySelectorAll(".chapter .command").forEach(addCopyButton);
  addEventListener("hashchange", follow);
  follow();
});
