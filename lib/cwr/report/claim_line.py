"""Renders one claim as a line of the scoreboard: its sentence and signs, opening to the details."""

from html import escape
from pathlib import Path
from string import Template

from cwr.papers.claims import Claim
from cwr.report import kept, render
from cwr.report import strip as strips
from cwr.report.distance import Distance
from cwr.report.judgement import NOT_RUN, Verdict
from cwr.report.render import Judged
from cwr.report.strip import Axis

TEMPLATE = Template(
    (Path(__file__).parent / "templates" / "claim.html").read_text(encoding="utf-8")
)
LEGEND = {  # classes of a sign: the sign, and what it says
    "holds": ("●", "The claim holds."),
    "fails": ("✕", "The claim fails."),
    "undecided": ("◐", "The claim is undecided."),
    "not-decidable": ("–", "The published numbers do not decide the claim."),
    "beyond": (
        "&ensp;",
        "Dashed box: beyond the paper, which does not speak of this kind of model.",
    ),
    "untrained-another-verdict": (
        "●",
        "Solid underline: every untrained copy of the model gets the opposite verdict.",
    ),
    "untrained-more-so": (
        "●",
        "Double underline: the model's number supports the verdict more than the number of any copy does. This alone "
        "is no finding about learning.",
    ),
    "untrained-undecided": (
        "●",
        "Dashed underline: the copies disagree or are undecided. They tell nothing.",
    ),
    "untrained-same-verdict untrained-less-so": (
        "●",
        "Dotted underline: the copies get the same verdict. This is no evidence of learning.",
    ),
}
GROUP = (
    "<li>No underline: the verdict is undecided, or no copy was tested.</li>"
    "<li>Empty place: the model was not tested.</li>"
    "<li>Words beside a sign name models that were judged together.</li>"
)
PROFILES = (
    '<li><span class="pair"><span class="sign holds">●</span><span class="sign fails">✕</span></span> '
    "Two signs: the smaller one is the verdict of this book's own run, if the longer run differs.</li>"
)


def legend(judged: list[Judged]) -> str:
    """Returns the legend of the signs of the scoreboard and of the map, as HTML: a list."""
    items = "".join(
        f'<li><span class="sign {classes}">{sign}</span> {says}</li>'
        for classes, (sign, says) in LEGEND.items()
    )
    profiles = PROFILES if is_of_profiles(judged) else ""
    return f'<ul class="legend">{items}{GROUP}{profiles}</ul>'


def is_of_profiles(judged: list[Judged]) -> bool:
    """Tells whether any verdict names its profile, as it does if several profiles are shown."""
    return any(verdict.at for each in judged for verdict in each.ours.values())


def models(judged: list[Judged]) -> list[str]:
    """Returns the models that have a column of signs, in the order of their families.

    A model has a column if a claim on single models was asked of it. If two profiles are shown, the
    poorer profile (the reader's own run) must have asked it, unless that profile asked no model. A
    model without a column still has rows in the table below a claim.
    """
    single = [each.ours for each in judged if not each.claim.needs.compares]
    richest = kept.PROFILES[-1]
    names = dict.fromkeys(
        name
        for ours in single
        for name, verdict in ours.items()
        if verdict.beside or verdict.at != richest
    )
    return list(names or dict.fromkeys(name for ours in single for name in ours))


def line(
    judged: Judged, columns: list[str], own: dict[str, Verdict], run: Path, survives: str = ""
) -> str:
    """Renders a claim as HTML, addressed by the claim's id.

    columns: the models of the page. own: verdicts on the paper's own models. run: the folder of
        results; a notebook without results there gets no link. survives: the verdicts under other
        treatments, as HTML (`under_treatments.html`).
    """
    claim = judged.claim
    notebook = judged.rerun.removeprefix("cwr run ")
    has_page = (run / notebook / "results.json").exists()
    return TEMPLATE.substitute(
        id=escape(claim.id),
        mark="",
        says=escape(claim.says),
        published=judged.published.verdict,
        ours="|".join(dict.fromkeys(each.verdict for _, each in _of_profiles(judged))),
        signs=signs(judged, columns),
        explained=_explained(claim),
        far=_far(_distances(judged, own)),
        rows=_rows(judged, own),
        differs=f"<p>Parameters change {escape(judged.differs)}.</p>" if judged.differs else "",
        survives=survives,
        place=escape(claim.place[:1].upper() + claim.place[1:]),
        notebook=f'<a href="{notebook}.html">Notebook</a>' if has_page else "",
        rerun=escape(judged.rerun),
        form=_form(judged, columns, run),
    )


def signs(judged: Judged, columns: list[str]) -> str:
    """Returns the signs of a claim as HTML: the published verdict, then one for each column.

    A claim on groups, or only on models without a column, has a named sign for each instead. A
    model that the claim excludes only by layer numbers or names shows its verdict on the claim's
    general form.
    """
    published = render.sign(judged.published, "published", here=False)
    decided = _decided(judged)
    general = _decided(judged.general) if judged.general else {}
    form = render.generality(judged.claim)
    labels = {name: f"{name}, {form}" for name in general if name not in decided}
    if judged.deciding is judged.general and judged.general.claim.needs.compares:
        decided, general = general, {}
        labels = {name: f"{name}, {form}" for name in decided}
    has_column = any(name in columns for name in (*decided, *general))
    if decided and (judged.deciding.claim.needs.compares or not has_column):
        signs = {name: render.sign(decided[name], labels.get(name, name)) for name in decided}
        return published + "".join(
            f'<span class="group">{sign} {escape(render.group_name(name))}</span>'
            for name, sign in signs.items()
        )
    return published + "".join(
        render.sign(decided.get(name) or general.get(name), labels.get(name, name))
        for name in columns
    )


def _decided(judged: Judged) -> dict[str, Verdict]:
    """Returns the verdicts other than "not run"."""
    return {name: each for name, each in judged.ours.items() if each.verdict != NOT_RUN}


def _explained(claim: Claim) -> str:
    """Returns how a claim is read, and why, as paragraphs of HTML."""
    texts = {render.reading(claim): claim.read_as, "Reason": render.why(claim)}
    return "".join(
        f"<p><b>{title}:</b> {escape(render.sentence(text))}</p>"
        for title, text in texts.items()
        if text
    )


def _distances(judged: Judged, own: dict[str, Verdict]) -> list[Distance]:
    """Returns the distances from the threshold of all verdicts on a claim."""
    verdicts = [judged.published, *own.values(), *(each for _, each in _of_profiles(judged))]
    return [far for verdict in verdicts for far in verdict.distances]


def _far(distances: list[Distance]) -> str:
    """Returns the head of the column of strips; empty where no verdict has a distance.

    It states the bounds, unless they depend on the model (a share of its layers, say).
    """
    bounds = {strips.bounds(far) for far in distances}
    if not bounds:
        return ""
    return (
        f"<th>how far: holds {escape(bounds.pop())}</th>"
        if len(bounds) == 1
        else "<th>how far</th>"
    )


def _rows(judged: Judged, own: dict[str, Verdict]) -> str:
    """Returns a claim's rows: published, the paper's own models, ours. Equal rows are merged."""
    distances = _distances(judged, own)
    axis = strips.Axis.over(distances) if distances else None
    cells = {"published": _cells(judged.published, axis, "published", here=False)}
    cells |= {f"own {name}": _cells(verdict, axis, here=False) for name, verdict in own.items()}
    rows = [*cells.items()]
    rows += [(name, _cells(verdict, axis)) for name, verdict in _of_profiles(judged)]
    alike: dict[str, list[str]] = {}
    for name, text in rows:
        alike.setdefault(text, []).append(name)
    return "".join(
        f"<tr><th>{escape(', '.join(names))}</th>{text}</tr>" for text, names in alike.items()
    )


def _of_profiles(judged: Judged) -> list[tuple[str, Verdict]]:
    """Returns (model or group, verdict); the deciding verdict precedes the poorer profile's."""
    return [
        (verdict.group or name, verdict)
        for name, each in judged.ours.items()
        for verdict in (each, each.beside)
        if verdict
    ]


def _cells(verdict: Verdict, axis: Axis | None, kind: str = "ours", here: bool = True) -> str:
    """Returns the cells of one verdict: its words, its reasons and, on an axis, its strip."""
    words = f"<td>{render.with_reason(verdict, here)}</td>"
    if axis is None:
        return words
    if not verdict.distances:
        return f"{words}<td></td>"
    drawing = strips.strip(verdict.distances, axis, kind)
    return f"{words}<td>{drawing}<small>{escape(strips.numbers(verdict.distances))}</small></td>"


def _form(judged: Judged, columns: list[str], run: Path) -> str:
    """Renders a claim's general form, or the reason why there is none, as HTML.

    A form that models were asked is a whole line; any other form is a sentence with an address.
    """
    if judged.general:
        title = render.generality(judged.claim).capitalize()
        return f"<p>{title}:</p>{line(judged.general, columns, {}, run)}"
    form = judged.claim.general_form
    if isinstance(form, Claim):
        says = f"{escape(form.says)} <code>{escape(form.id)}</code>"
        return f'<p id="{escape(form.id)}">Tested on any model: {says}</p>'
    return f"<p>{escape(render.sentence(form))}</p>" if form else ""
