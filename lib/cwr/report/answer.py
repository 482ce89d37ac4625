"""Answers the question of a notebook's page: a card of its main claim, one table of verdicts."""

from dataclasses import replace
from html import escape

from cwr.errors import listed
from cwr.papers import registry
from cwr.papers.claims import Claim
from cwr.report import checked, findings, kept, markup, render, strip
from cwr.report.judgement import (
    ANOTHER,
    FAILS,
    HOLDS,
    LESS,
    MORE,
    NOT_DECIDABLE,
    NOT_RUN,
    SAME,
    SURE,
    UNDECIDED,
    Verdict,
)
from cwr.report.render import Judged

AT_MOST = 3  # claims in sight on a page that asks none of those its text is known for
UP = "../"  # from the page of a notebook to the scoreboard
SMALL = {
    HOLDS: "The claim is true in",
    FAILS: "The claim is not true in",
    UNDECIDED: "The claim is not decided in",
}
COPIES = {
    ANOTHER: "Opposite",
    MORE: "Less so",
    LESS: "More so",
    SAME: "Same",
    UNDECIDED: "Some the same",
}
COPIED = {  # behind "untrained copies of a"
    ANOTHER: "all get the opposite verdict",
    MORE: "show this result less clearly, or not at all",
    LESS: "show this result more clearly",
    SAME: "get the same verdict, or all copies of one kind do",
    UNDECIDED: "get different or undecided verdicts",
}
NUMBERS = {"paper": "Published data", "post": "Its sources' numbers"}
PUBLISHED = {
    HOLDS: "They support the claim",
    FAILS: "They contradict the claim",
    NOT_DECIDABLE: "They cannot decide the claim",
}
SO = {  # of one model, of several
    HOLDS: ("{} shows what the {} says", "{} show what the {} says"),
    FAILS: ("{} does not show what the {} says", "{} do not show what the {} says"),
    UNDECIDED: ("{} leaves the question open", "{} leave the question open"),
}
SO_PARTS = {HOLDS: "true in {}", FAILS: "not true in {}", UNDECIDED: "open in {}"}
SO_NOT_RUN = "No small model could test the claim"
SO_LENGTH = "In the longer run {}. The shorter run says otherwise"
SO_OPEN = "In the longer run {}. The shorter run leaves the question open"
BY_TRAINING = "untrained copies do not show it"
MORE_BY_TRAINING = "untrained copies show it less clearly, or not at all"
WITHOUT_TRAINING = "untrained copies show it, too, so it is no evidence of learning"
PARTLY = "some untrained copies show it, too"
UNLEARNED = "untrained copies do show it"
NO_COPIES = "The claim was not tested on untrained copies."
SURE_COPIES = "No model can fail the claim, so untrained copies were not tested."
UNDECIDED_ALL = "All verdicts are undecided, so we do not compare untrained copies."
BEYOND = "Beyond the paper, untrained"
SO_ALWAYS = "The claim follows from mathematics, so no model can fail it"
LONGER = kept.PROFILES[-1]
TOGETHER = "our models together"


def in_sight(paper: str, judged: list[Judged], main: str = "") -> list[Judged]:
    """Returns the claims that a page shows open: its text's headline claims, the main claim first.

    judged: the claims of the page, at least one. main: the id of a claim that is always among them.
        A page without a headline claim shows the first AT_MOST claims that take the paper at its
        word; without these, the first AT_MOST of all. Claims that no model was asked are shown only
        where there are no others.
    """
    headlines = registry.paper(paper).headlines
    decided = [each for each in judged if findings.spoken_of(each.deciding)]
    known = [each for each in decided if each.claim.id in headlines]
    known += [each for each in judged if each.claim.id == main and each not in known]
    literal = [each for each in decided if each.claim.is_at_its_word]
    literal.sort(key=lambda each: each.claim.cannot_fail)
    shown = known or (literal or decided or judged)[:AT_MOST]
    return sorted(shown, key=lambda each: each.claim.id != main)


# ---- the card


def card(judged: Judged) -> str:
    """Returns the card of a page's main claim as HTML: evidence of each kind, and a conclusion."""
    claim, ours = judged.claim, findings.spoken_of(judged.deciding)
    kind = registry.paper(judged.paper).kind
    so = SO_ALWAYS if claim.cannot_fail else _so(ours, kind)
    rows = {
        f"The {kind} says": f"{findings.link(claim, UP)} ({escape(claim.place)}).{_bound(claim)}",
        NUMBERS[kind]: _published(judged, ours),
        "Small models": _small(judged, ours),
        "Untrained control": _untrained(judged, ours),
        "So": f"<strong>{so}.</strong>",
    }
    lines = "\n".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows.items())
    return f'<dl class="answer">\n{lines}\n</dl>'


def _bound(claim: Claim) -> str:
    """Returns a claim's condition after a blank, as HTML; "" without one."""
    condition = escape(render.condition(claim))
    return f'<span class="bound"> {condition}</span>' if condition else ""


def _published(judged: Judged, ours: dict[str, Verdict]) -> str:
    """Returns the verdict on published numbers; a number's name is left to `_small` if they share it."""
    verdict = judged.published
    names = _first_names(ours)
    if len(names) == 1 and {far.name for far in verdict.distances} == names:
        verdict = _unnamed(verdict)
    numbers = strip.rounded_numbers(verdict.distances)
    said = f"{PUBLISHED[verdict.verdict]}: {numbers}" if numbers else PUBLISHED[verdict.verdict]
    reason = "" if numbers else render.begun(verdict.reason)
    return escape(" ".join(filter(None, map(render.sentence, [said, reason]))))


def _small(judged: Judged, ours: dict[str, Verdict]) -> str:
    """Returns the verdicts on models in words, with values and intervals, as HTML."""
    texts = [
        f"{SMALL[word]} {listed([f'{name}{_value(verdict)}' for name, verdict in each.items()])}."
        for word, each in _by_word(ours).items()
    ]
    if judged.deciding is not judged:
        form = judged.deciding.claim
        bound = _bound(form) if form.read_as != judged.claim.read_as else ""
        texts.insert(0, f"We tested this form: {escape(render.sentence(form.says))}{bound}")
    names = _first_names(ours)
    if len(names) == 1 and "" not in names:
        texts.append(f"The brackets give the deciding number, “{escape(names.pop())}”.")
    if longer := [escape(_name(name)) for name, verdict in ours.items() if verdict.at == LONGER]:
        of = "These results" if len(longer) == len(ours) else f"The results of {listed(longer)}"
        texts.append(f"{of} come from the longer run.")
    if other := [escape(_name(name)) for name, verdict in ours.items() if verdict.contradicted]:
        texts.append(f"The shorter run gives another verdict on {listed(other)}.")
    return " ".join(texts) or escape(_not_asked(judged))


def _first_names(ours: dict[str, Verdict]) -> set[str]:
    """Returns the names of the first deciding number of each verdict."""
    return {verdict.distances[0].name for verdict in ours.values() if verdict.distances}


def _by_word(ours: dict[str, Verdict]) -> dict[str, dict[str, Verdict]]:
    """Returns {verdict: {what readers see of the name of a model or group: its verdict}}."""
    by_word: dict[str, dict[str, Verdict]] = {}
    for name, verdict in ours.items():
        by_word.setdefault(verdict.verdict, {})[escape(_name(name))] = verdict
    return by_word


def _not_asked(judged: Judged) -> str:
    """Returns why no model that the claim speaks of could be asked, as a sentence."""
    ours = judged.deciding.ours.values()
    reasons = dict.fromkeys(each.reason for each in ours if each.reason and not each.beyond)
    return " ".join(render.sentence(render.begun(each)) for each in (SO_NOT_RUN, *reasons))


def _name(group: str) -> str:
    """Returns the name of a model; words for the group of models that a claim compares."""
    return TOGETHER if group in ("cwr", *kept.PROFILES) else group


def _value(verdict: Verdict) -> str:
    """Returns " (0.13, interval 0.12 to 0.14)"; without a deciding number, the share of draws."""
    for far in verdict.distances[:1]:
        value, *ends = strip.rounded(far)
        interval = f", interval {ends[0]} to {ends[1]}" if ends else ""
        return f" ({value}{f' {strip.STEADY}' if strip.is_steady(far) else interval})"
    if verdict.verdict == UNDECIDED and 1 - SURE < (verdict.support or 0) < SURE:
        return f" (true in {100 * verdict.support:.0f} % of the bootstrap samples)"
    return ""


def _untrained(judged: Judged, ours: dict[str, Verdict]) -> str:
    """Returns what untrained copies of the models get, or why none was asked, in sentences."""
    if said := _copied(ours):
        return said
    form = judged.deciding
    if form.claim.needs.copies or "untrained" in form.claim.says.lower():
        return "The claim itself is about untrained models."
    words = {verdict.verdict for verdict in ours.values()}
    because = UNDECIDED_ALL if words == {UNDECIDED} else NO_COPIES
    because = SURE_COPIES if form.claim.cannot_fail else because
    beyond = {name: each for name, each in form.ours.items() if each.beyond}
    return f"{because} {_copied(beyond, BEYOND)}".strip()


def _copied(verdicts: dict[str, Verdict], start: str = "Untrained") -> str:
    """Returns what copies get, in sentences: "Untrained copies of a show this result more clearly."."""
    by_word: dict[str, list[str]] = {}
    for name, verdict in verdicts.items():
        if verdict.untrained:
            by_word.setdefault(verdict.untrained, []).append(escape(_name(name)))
    return " ".join(
        f"{start} copies of {listed(names)} {COPIED[word]}." for word, names in by_word.items()
    )


def _so(ours: dict[str, Verdict], kind: str) -> str:
    """Returns the conclusion, which names models; kind: of the text, "paper" or "post"."""
    by_word = _by_word(ours)
    if not by_word:
        return SO_NOT_RUN
    where_true, where_not = "", ""
    if len(by_word) > 1:
        where_true, where_not = "where the claim is true, ", "where it is not true, "
        parts = [
            each.format(listed([*by_word[word]]))
            for word, each in SO_PARTS.items()
            if word in by_word
        ]
        said = f"The claim is {', '.join(parts)}"
    else:
        ((word, verdicts),) = by_word.items()
        form = SO[word][len(verdicts) > 1 or TOGETHER in verdicts]
        said = form.format(listed([*verdicts]), kind)
        if others := {each.beside.verdict for each in ours.values() if each.contradicted}:
            return (SO_OPEN if others == {UNDECIDED} else SO_LENGTH).format(said)
        said = said[:1].upper() + said[1:] if TOGETHER in verdicts else said
    if control := _control({each.untrained for each in by_word.get(HOLDS, {}).values()}):
        said += f". {render.begun(where_true + control)}"
    if {each.untrained for each in by_word.get(FAILS, {}).values()} == {ANOTHER}:
        said += f". {render.begun(where_not + UNLEARNED)}"
    return said


def _control(copies: set[str]) -> str:
    """Returns what copies of the models show on which a claim holds; "" for no clear word."""
    if not copies:
        return ""
    if copies == {ANOTHER}:
        return BY_TRAINING
    if copies <= {ANOTHER, MORE}:
        return MORE_BY_TRAINING
    if copies <= {SAME, LESS}:
        return WITHOUT_TRAINING
    return PARTLY * bool(copies & {SAME, LESS})


# ---- the table


def table(judged: list[Judged]) -> str:
    """Returns a Markdown table of claims: a row for the published numbers and one for each model.

    judged: claims of one page. A longer run on which they were judged has its own column.
    """
    runs = [profile for profile in kept.PROFILES if _at(judged, profile)] or [""]
    heads = {"": "here", kept.PROFILES[0]: "here", LONGER: "longer run"}
    head = ["claim", "judged on", *(heads[run] for run in runs), "untrained copies"]
    rows = [row for each in judged for row in _rows(each, runs)]
    return markup.table(head, rows)


def _at(judged: list[Judged], profile: str) -> bool:
    verdicts = [verdict for each in judged for verdict in each.deciding.ours.values()]
    return any(profile in (v.at, v.beside and v.beside.at) for v in verdicts)


def _rows(judged: Judged, runs: list[str]) -> list[list[str]]:
    form = judged.deciding
    printed, ours, measure = _named_once(judged.published, form.ours)
    says = f"{findings.link(judged.claim, UP)}{f' ({escape(measure)})' if measure else ''}"
    statement = f"{says} <small>`{form.claim.id}`</small>"
    rows = [[statement, "print", _cell(printed, here=False), *[""] * (len(runs) - 1), ""]]
    for name, verdict in ours.items():
        at = {each.at: each for each in (verdict.beside, verdict) if each}
        cells = [_cell(at.get(run)) for run in runs]
        copies = COPIES.get(verdict.untrained, "").lower()
        rows.append(["", markup.plain(_name(name)), *cells, copies])
    return [row for row in rows if set(row[2:]) != {"–", ""}]


def _named_once(
    published: Verdict, ours: dict[str, Verdict]
) -> tuple[Verdict, dict[str, Verdict], str]:
    """Returns the verdicts of a claim, and the name that all their numbers share, else "".

    A shared name is removed from the numbers: a table says it once, beside the claim.
    """
    every = [published, *ours.values()]
    every += [verdict.beside for verdict in ours.values() if verdict.beside]
    names = [far.name for verdict in every for far in verdict.distances]
    if len(names) < 2 or len(set(names)) > 1:
        return published, ours, ""
    return _unnamed(published), {name: _unnamed(each) for name, each in ours.items()}, names[0]


def _unnamed(verdict: Verdict) -> Verdict:
    beside = verdict.beside and _unnamed(verdict.beside)
    numbers = tuple(replace(far, name="") for far in verdict.distances)
    return replace(verdict, distances=numbers, beside=beside)


def _cell(verdict: Verdict | None, here: bool = True) -> str:
    """Returns a verdict's deciding number and words: "0.13 [0.12, 0.14]: holds here"."""
    if verdict is None or verdict.verdict == NOT_RUN:
        return "–"
    words = render.words(replace(verdict, untrained="", at=""), here)
    numbers = strip.rounded_numbers(verdict.distances)
    return f"{markup.plain(numbers)}: {words}" if numbers else words


# ---- print alone


def differences(paper: str) -> str:
    """Lists the printed numbers of a text that recomputation contradicts, in Markdown."""
    rows = [row for row in checked.rows(paper) if checked.verdict(row) == render.DIFFERS]
    return "\n".join(map(_difference, rows))


def _difference(row: checked.Row) -> str:
    check = row.check
    link = f'<a href="{UP}printed_numbers.html#{check.id}">{markup.plain(check.asks)}</a>'
    fair = f" *A fair reading:* {markup.plain(check.charitable)}" if check.charitable else ""
    return (
        f"- {link} {check.stated}: {markup.plain(render.sentence(row.found.printed))} "
        f"Recomputed: {markup.plain(render.sentence(row.found.should_be))}{fair}"
    )
