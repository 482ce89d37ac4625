"""Renders verdicts in the same words everywhere: as text, in Markdown tables, in HTML, as JSON."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape

from cwr.papers.claims import Claim
from cwr.report import kept, markup
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
    Parts,
    Verdict,
)

DECIDED = (HOLDS, FAILS, UNDECIDED)  # of a claim that could be asked, in the order of every list
AGREES, DIFFERS, REMARK = "agrees", "differs", "remark"  # of a check of printed numbers
SIGNS = {HOLDS: "●", FAILS: "✕", UNDECIDED: "◐", NOT_RUN: "–", NOT_DECIDABLE: "–"}
UNTRAINED = {
    ANOTHER: "≠ untrained",
    MORE: "more so than untrained",
    LESS: "less so than untrained",
    SAME: "= untrained",
    UNDECIDED: "≈ untrained",
}
BESIDE = {  # the same in a sentence
    ANOTHER: "Every untrained copy gets the opposite verdict",
    MORE: "No untrained copy supports this verdict as strongly as the trained model does",
    LESS: "Every untrained copy supports this verdict more strongly than the trained model does",
    SAME: "All untrained copies of at least one kind get the same verdict",
    UNDECIDED: "The untrained copies get different or undecided verdicts",
}
CANNOT_FAIL = "No model can fail this claim."
PLURAL = {HOLDS: "hold", FAILS: "fail", AGREES: "agree", DIFFERS: "differ", REMARK: "remarks"}


@dataclass(frozen=True)
class Judged:
    """One claim with its verdicts.

    paper: the text's key. published: the verdict on the published numbers. ours: {model or group:
        verdict}, in the order of the families.
    general: the claim's form for any depth or model, if some models lack nothing but the claim's
        number of layers or its named models or tasks; else None.
    rerun: the command that runs its notebook again.
    differs: how the runs of two profiles with different verdicts differ, if that is known.
    """

    paper: str
    claim: Claim
    published: Verdict
    ours: dict[str, Verdict]
    rerun: str
    general: "Judged | None" = None
    differs: str = ""

    @property
    def with_general(self) -> list["Judged"]:
        """The claim and, if there is one, its general form."""
        return [self, self.general] if self.general else [self]

    @property
    def deciding(self) -> "Judged":
        """The claim, or its general form where only the general form could be asked of models.

        If the richer of two profiles asked the claim and not the general form, the claim decides.
        """
        if self.general is None or (_is_at_base(self) and not _is_at_base(self.general)):
            return self
        return self.general


def _is_at_base(judged: Judged) -> bool:
    """Tells whether any verdict is decided on the richer of two profiles."""
    richer = kept.PROFILES[-1]
    return any(each.at == richer and each.verdict != NOT_RUN for each in judged.ours.values())


def words(verdict: Verdict | None, here: bool = True) -> str:
    """Returns a verdict in words: "holds here (0.98)", "beyond the paper: fails here (< 0.01)", ...

    here: the model is not the paper's own, or the verdict is not on the published numbers. The
        verdict None gives a dash.
    """
    if verdict is None:
        return "–"
    word = verdict.verdict
    if here and word in (HOLDS, FAILS):
        word += " here"
    at = verdict.at if verdict.verdict != NOT_RUN else ""
    brackets = [verdict.ground or share(verdict.support), at, UNTRAINED.get(verdict.untrained)]
    if any(brackets):
        word += f" ({'; '.join(filter(None, brackets))})"
    return f"beyond the paper: {word}" if verdict.beyond and verdict.verdict != NOT_RUN else word


def contrasted(verdict: Verdict | None) -> str:
    """Returns the words of a verdict, and of the poorer profile's verdict where the two differ."""
    if verdict is None or not verdict.contradicted:
        return words(verdict)
    return f"{words(verdict)}, but {words(verdict.beside)}"


def reasons(verdict: Verdict) -> list[str]:
    """Returns a verdict's reasons as sentences: reason, parts, chance, untrained copies."""
    texts = [verdict.reason, _parts(verdict), verdict.chance, beside_untrained(verdict)]
    return [sentence(begun(text)) for text in texts if text]


def _parts(verdict: Verdict) -> str:
    """Counts the parts that hold, names the one of least support; "" for one part or no draws."""
    parts = verdict.parts
    if parts is None or verdict.support is None:
        return ""
    if parts.support == 1:
        return f"{_every(parts)} of the claim hold in every bootstrap sample"
    return (
        f"{_holding(parts)}. The part with the least support, “{parts.least}”, holds in "
        f"{percent(parts.support)} of the bootstrap samples"
    )


def _holding(parts: Parts) -> str:
    """Counts the parts that hold: "Neither part of the claim clearly holds", "Of the 3 parts …"."""
    if parts.holding == parts.number:
        return f"{_every(parts)} of the claim clearly hold"
    if not parts.holding:
        none = "Neither part" if parts.number == 2 else f"None of the {parts.number} parts"
        return f"{none} of the claim clearly holds"
    verb = "holds" if parts.holding == 1 else "hold"
    return f"Of the {parts.number} parts of the claim, {parts.holding} clearly {verb}"


def _every(parts: Parts) -> str:
    return "Both parts" if parts.number == 2 else f"All {parts.number} parts"


def beside_untrained(verdict: Verdict) -> str:
    """Tells how a verdict compares with untrained copies, in sentences; "" without copies.

    "Every untrained copy gets the opposite verdict. After training, the number that decides …".
    """
    if not verdict.untrained:
        return ""
    return f"{BESIDE[verdict.untrained]}. {verdict.untrained_because}"


def share(support: float | None) -> str:
    """Formats a share with two decimals; "1.00" and "0.00" only where exact.

    Within 0.006 of a deciding threshold (0.025, 0.975) it has three decimals. Returns "" for None.
    """
    if support is None:
        return ""
    if 0 < support < 0.005:
        return "< 0.01"
    if 0.995 <= support < 1:
        return "> 0.99"
    is_near = min(abs(support - SURE), abs(support - (1 - SURE))) < 0.006
    return f"{support:.{3 if is_near else 2}f}"


def percent(support: float) -> str:
    """Formats a share as per cent, as exactly as `share`: "98 %", "less than 1 %", "97.4 %"."""
    text = share(support)
    if text[0] in "<>":
        return f"{'less' if text[0] == '<' else 'more'} than {100 * float(text[1:]):g} %"
    return f"{100 * float(text):g} %"


def counted(verdicts: Iterable[str], always: Iterable[str] = (HOLDS, FAILS, NOT_DECIDABLE)) -> str:
    """Counts verdicts by their words, for a sentence: "32 hold, 1 fails, 5 not decidable".

    always: the words that come first, even with a count of 0. Other words come only if they occur.
    """
    counts = Counter(verdicts)
    words = {word: counts[word] for word in [*always, *counts]}
    return ", ".join(
        f"{n} {word if n == 1 else PLURAL.get(word, word)}" for word, n in words.items()
    )


# ---- Markdown


def statement(claim: Claim, says: str = "", also: str = "") -> str:
    """Returns a claim for a Markdown cell: its words, id, reading and, folded, the reasons.

    says: other words for the same claim; also: a further sentence for the fold.
    """
    sentence_and_id = f"{escape(says or claim.says)} <small>`{claim.id}`</small>"
    return sentence_and_id + explained(claim, also)


def explained(claim: Claim, also: str = "") -> str:
    """Returns a claim's reading in small print, and its reasons in a fold, as HTML."""
    read_as = f"<br>{small(condition(claim))}" if claim.tolerance else ""
    reasons = " ".join(filter(None, [why(claim), sentence(also)]))
    return read_as + (fold("Reason", reasons) if reasons else "")


def condition(claim: Claim) -> str:
    """Returns when a claim counts as true, as a sentence; "" if the claim's own words say so."""
    return f"{reading(claim)}: {sentence(claim.read_as)}" if claim.tolerance else ""


def reading(claim: Claim) -> str:
    """Returns the heading of a claim's tolerance, which is a condition if a predicate tests it."""
    return "Counts as true if" if claim.holds else "Read as"


def why(claim: Claim) -> str:
    """Returns a claim's reason, and a note if no model can fail it, as sentences; or ""."""
    return " ".join(filter(None, [sentence(claim.because), CANNOT_FAIL * claim.cannot_fail]))


def generality(claim: Claim, in_full: bool = False) -> str:
    """Returns a phrase on how a claim's general form differs from the claim.

    in_full: names the families of models that the form is asked of.
    """
    if claim.needs.models or claim.needs.compares:
        return "tested on any model"
    models = f"{' and '.join(claim.needs.families)} models"
    if claim.needs.n_layers is None:
        return f"over the tasks that are here, for {models}" if in_full else "over the tasks here"
    return f"for {models} of any depth" if in_full else "at any depth"


def fold(title: str, text: str) -> str:
    """Returns HTML that unfolds when its title is clicked. title, text: plain."""
    return f"<details><summary>{small(title)}</summary>{small(text)}</details>"


def group_name(name: str) -> str:
    """Returns the words beside the sign of a model or group; many a group has a profile's name."""
    return {"cwr": "cwr models"}.get(name, "models together" if name in kept.PROFILES else name)


def sentence(text: str) -> str:
    """Returns text with a full stop at its end, unless it is empty or ends in ".", "?" or "!"."""
    return text if not text or text[-1] in ".?!" else text + "."


def begun(text: str) -> str:
    """Returns text with a capital at its beginning, unless its first word is a name ("cwr-bert")."""
    first = text.partition(" ")[0].rstrip(",:;.")
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text


def small(text: str) -> str:
    """Returns plain text in small print, as HTML."""
    return f"<small>{escape(text)}</small>"


class Notes:
    """The numbered plain-text notes below a table; equal notes share a number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def refer(self, text: str) -> str:
        """Returns the reference to a note, such as " [3]"; empty for an empty text."""
        return f" [{self._numbers.setdefault(text, len(self._numbers) + 1)}]" if text else ""

    def markdown(self) -> str:
        """Returns the notes as a numbered list."""
        return "\n".join(
            f"{number}. {markup.plain(text)}" for text, number in self._numbers.items()
        )


def noted(verdict: Verdict | None, notes: Notes, here: bool = True) -> str:
    """Returns a verdict in words with references to its reasons; adds the reasons to the notes."""
    return words(verdict, here) + "".join(map(notes.refer, reasons(verdict) if verdict else []))


def with_reason(verdict: Verdict, here: bool = True) -> str:
    """Returns a verdict as HTML: its words, with a badge for the verdict, and its reasons."""
    word = verdict.verdict
    below = "".join(f"<br>{small(reason)}" for reason in reasons(verdict))
    return escape(words(verdict, here), quote=False).replace(word, badge(word), 1) + below


def badge(verdict: str) -> str:
    """Returns a verdict's word as HTML; the style sheet puts the sign before the word."""
    return f'<span class="verdict {verdict.replace(" ", "-")}">{escape(verdict)}</span>'


def sign(verdict: Verdict | None, label: str, here: bool = True) -> str:
    """Returns a verdict as one sign in HTML; `label` and words are its tooltip and ARIA label.

    Untrained copies' numbers follow the words. A differing verdict of the poorer profile follows as
    a smaller sign.
    """
    if verdict is None:
        return "<span></span>"
    if verdict.contradicted:
        alone = sign(replace(verdict, beside=None), label, here)
        name, comma, form = label.partition(",")
        other = (verdict.beside.group or name) + comma + form
        return f'<span class="pair">{alone}{sign(verdict.beside, other, here)}</span>'
    text = f"{label}: {words(verdict, here)}"
    if verdict.untrained:
        text += f". {verdict.untrained_because}"
    text = escape(text)
    kind = verdict.verdict.replace(" ", "-")
    beyond = " beyond" if verdict.beyond else ""
    mark = f" untrained-{verdict.untrained.replace(' ', '-')}" if verdict.untrained else ""
    return (
        f'<span class="sign {kind}{beyond}{mark}" role="img" aria-label="{text}" title="{text}">'
        f"{SIGNS[verdict.verdict]}</span>"
    )


# ---- JSON


def row(judged: Judged) -> dict:
    """Returns a row of `cwr check --json`, of plain types only.

    `reason` is the published verdict's: why it is not decidable, or what contradicts the claim.
    """
    form = judged.general
    return {
        "paper": judged.paper,
        "claim": judged.claim.id,
        "place": judged.claim.place,
        "says": judged.claim.says,
        "read_as": judged.claim.read_as,
        "because": judged.claim.because,
        "of_the_paper": not judged.claim.ours,
        "cannot_fail": judged.claim.cannot_fail,
        "published": judged.published.verdict,
        "ground": judged.published.ground,
        "reason": judged.published.reason,
        "ours": {name: _plain(verdict) for name, verdict in judged.ours.items()},
        "differs": judged.differs,
        "rerun": judged.rerun,
        "general": row(form) if form else None,
    }


def _plain(verdict: Verdict) -> dict:
    return {
        "verdict": verdict.verdict,
        "support": verdict.support,
        "ground": verdict.ground,
        "reason": verdict.reason,
        "beyond_the_paper": verdict.beyond,
        "by_chance": verdict.chance,
        "untrained": verdict.untrained or None,
        "untrained_because": verdict.untrained_because,
        "profile": verdict.at or None,
        "beside": _plain(verdict.beside) if verdict.beside else None,
        "group": verdict.group or None,
    }
