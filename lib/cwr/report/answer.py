"""Answers the question of a notebook's page: a card of its main claim, one table of verdicts."""

from dataclasses import replace
from html import escape

from cwr.papers import registry
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
SMALL = {HOLDS: "True in", FAILS: "Not true in", UNDECIDED: "Not decided in"}
COPIES = {
    ANOTHER: "Opposite",
    MORE: "Different, less so",
    LESS: "Different, more so",
    SAME: "Same",
    UNDECIDED: "Some the same",
}
PUBLISHED = {
    HOLDS: "They support it",
    FAILS: "They contradict it",
    NOT_DECIDABLE: "They cannot decide it",
}
SO = {
    HOLDS: "Our small models show what the paper says",
    FAILS: "Our small models do not show what the paper says",
    UNDECIDED: "Our small models leave the question open",
    NOT_RUN: "No small model could be asked",
}
SO_LENGTH = "The answer depends on the run: a longer one decides otherwise than this copy's own"
SO_MIXED = "The answer depends on the model"
SO_NONE = "No small model shows what the paper says, and some leave the question open"
BY_TRAINING = "; untrained models do not, so it comes with training"
MORE_BY_TRAINING = "; untrained models show it less or not at all, so training adds to it"
WITHOUT_TRAINING = "; untrained models do too, so training is not the reason"
PARTLY = "; some untrained models do too"
SO_ALWAYS = "The claim follows from mathematics, so no model can fail it"


def in_sight(paper: str, judged: list[Judged], main: str = "") -> list[Judged]:
    """Returns the claims that a page shows open: its text's headline claims, the main claim first.

    judged: the claims of the page, at least one. main: the id of a claim that is always among them.
        A page without a headline claim shows the first AT_MOST claims that take the paper at its
        word; without these, the first AT_MOST of all. Claims that no model was asked are shown only
        where there are no others.
    """
    headlines = registry.paper(paper).headlines
    decided = [each for each in judged if _spoken_of(each)]
    known = [each for each in decided if each.claim.id in headlines]
    known += [each for each in judged if each.claim.id == main and each not in known]
    literal = [each for each in decided if each.claim.is_at_its_word]
    literal.sort(key=lambda each: each.claim.cannot_fail)
    shown = known or (literal or decided or judged)[:AT_MOST]
    return sorted(shown, key=lambda each: each.claim.id != main)


def _spoken_of(judged: Judged) -> dict[str, Verdict]:
    """Returns {model or group: verdict} for those in the claim's scope that could be asked."""
    return {
        name: verdict
        for name, verdict in judged.deciding.ours.items()
        if verdict.verdict != NOT_RUN and not verdict.beyond
    }


# ---- the card


def card(judged: Judged) -> str:
    """Returns the card of a page's main claim as HTML: evidence of each kind, and a conclusion."""
    claim, ours = judged.claim, _spoken_of(judged)
    rows = {
        "The paper says": f"{findings.link(claim, UP)} ({escape(claim.place)}).",
        "Published data": _published(judged),
        "Small models": _small(judged, ours),
        "Untrained control": _untrained(ours),
        "So": f"<strong>{SO_ALWAYS if claim.cannot_fail else _so(ours)}.</strong>",
    }
    lines = "\n".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows.items())
    return f'<dl class="answer">\n{lines}\n</dl>'


def _published(judged: Judged) -> str:
    verdict = judged.published
    basis = strip.rounded_numbers(verdict.distances) or verdict.reason
    return escape(render.sentence(": ".join(filter(None, [PUBLISHED[verdict.verdict], basis]))))


def _small(judged: Judged, ours: dict[str, Verdict]) -> str:
    """Returns the verdicts on models in words, with values and intervals, as HTML."""
    by_word: dict[str, list[str]] = {}
    for name, verdict in ours.items():
        by_word.setdefault(verdict.verdict, []).append(f"{escape(_name(name))}{_value(verdict)}")
    texts = [f"{SMALL[word]} {', '.join(names)}." for word, names in by_word.items()]
    if judged.deciding is not judged:
        texts.insert(0, f"Asked as: {escape(render.sentence(judged.deciding.claim.says))}")
    other = [escape(_name(name)) for name, verdict in ours.items() if verdict.contradicted]
    if other:
        texts.append(f"The shorter run of this copy says otherwise of {', '.join(other)}.")
    return " ".join(texts) or escape(_not_asked(judged))


def _not_asked(judged: Judged) -> str:
    """Returns why no model that the claim speaks of could be asked, as a sentence."""
    ours = judged.deciding.ours.values()
    reasons = dict.fromkeys(each.reason for each in ours if each.reason and not each.beyond)
    return render.sentence(": ".join(filter(None, ["None could be asked", "; ".join(reasons)])))


def _name(group: str) -> str:
    """Returns the name of a model; words for the group of models that a claim compares."""
    return "our models together" if group in ("cwr", *kept.PROFILES) else group


def _value(verdict: Verdict) -> str:
    """Returns " (0.13, interval 0.12 to 0.14)"; without a deciding number, the share of draws."""
    for far in verdict.distances[:1]:
        value, *ends = strip.rounded(far)
        interval = f", interval {ends[0]} to {ends[1]}" if ends else ""
        return f" ({value}{f', {strip.STEADY}' if strip.is_steady(far) else interval})"
    if verdict.verdict == UNDECIDED and 1 - SURE < (verdict.support or 0) < SURE:
        return f" (true in {100 * verdict.support:.0f} % of the replicates)"
    return ""


def _untrained(ours: dict[str, Verdict]) -> str:
    by_word: dict[str, list[str]] = {}
    for name, verdict in ours.items():
        if verdict.untrained:
            by_word.setdefault(verdict.untrained, []).append(escape(_name(name)))
    texts = [f"{COPIES[word]} in copies of {', '.join(names)}." for word, names in by_word.items()]
    return " ".join(texts) or "Not asked."


def _so(ours: dict[str, Verdict]) -> str:
    words = {verdict.verdict for verdict in ours.values()} or {NOT_RUN}
    copies = {verdict.untrained for verdict in ours.values()}
    if len(words) > 1:
        return SO_NONE if words == {FAILS, UNDECIDED} else SO_MIXED
    if any(verdict.contradicted for verdict in ours.values()):
        return SO_LENGTH
    (word,) = words
    if word != HOLDS:
        return SO[word]
    if copies == {ANOTHER}:
        return SO[word] + BY_TRAINING
    if copies <= {ANOTHER, MORE}:
        return SO[word] + MORE_BY_TRAINING
    if copies <= {SAME, LESS}:
        return SO[word] + WITHOUT_TRAINING
    return SO[word] + PARTLY * bool(copies & {SAME, LESS})


# ---- the table


def table(judged: list[Judged]) -> str:
    """Returns a Markdown table of claims: a row for the published numbers and one for each model.

    judged: claims of one page. A longer run on which they were judged has its own column.
    """
    runs = [profile for profile in kept.PROFILES if _at(judged, profile)] or [""]
    heads = {"": "here", kept.PROFILES[0]: "here", kept.PROFILES[-1]: f"at `{kept.PROFILES[-1]}`"}
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
    return (
        f"- {link} {check.stated}: {markup.plain(render.sentence(row.found.printed))} "
        f"Recomputed: {markup.plain(render.sentence(row.found.should_be))} "
        f"*{markup.plain(check.charitable)}*"
    )
