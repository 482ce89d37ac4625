"""The five texts told: a card each on the front page, and the first screen of each chapter's page.

`stories` has the sentences, by hand, with the numbers of a run. A picture shows a figure of the book
with few numbers, those of the longer run where there is one, and links to that figure.
"""

from collections import Counter
from collections.abc import Iterable
from html import escape
from pathlib import Path

import pandas as pd

import stories
from cwr import paths
from cwr.errors import listed
from cwr.figures import COLOURS
from cwr.papers import registry
from cwr.papers.registry import Paper
from cwr.report import findings, what_holds_up
from cwr.report.findings import at_their_word, spoken_of
from cwr.report.judgement import FAILS, HOLDS, NOT_DECIDABLE, UNDECIDED
from cwr.report.render import Judged
from stories import Book, Picture, Story

OPEN = "open"
WORDS = (HOLDS, FAILS, OPEN)  # of a bar, from the left
SAID = {HOLDS: "hold", FAILS: "fail", OPEN: "open"}
CONTRADICTED = "Published numbers contradict"  # before a list of statements
LISTED = {  # what became of statements on our models, before a list of them
    HOLDS: "Our small models support",
    FAILS: "Our small models do not support",
    OPEN: "Our small models leave open, or differ on",
    "": "No small model could test",
}
CARD, POINT = 190, 330  # widths of small pictures, in pixels
HEIGHT, LINE = 150, 11  # of a small picture, and of a line of its text
LEFT, RIGHT, TOP, BOTTOM = 38, 70, 6, 16  # its margins
LONGEST = 10  # letters of a name beside a line
KEY = (
    '<p class="key">Bars count statements. Open: numbers do not decide, or models differ. '
    "Dotted lines and hollow dots are published numbers, unless a picture says otherwise. All others are "
    "ours, from the longer run where there is one.</p>"
)
MIXED_COPIES = (
    "A statement that holds on untrained copies, too, is no evidence of learning. Copies are mixed if they "
    "disagree with each other, or show the result more or less clearly than the trained model."
)
NO_PAPERS_MODEL = (
    '<p class="key">No small model is a paper\'s model, so a claim that fails on them is not refuted. '
    "“2 of 4” counts only the tested models that a claim is about; the table below shows which.</p>"
)
DASHES = ("", "5 2", "9 3", "6 2 2 2")  # of the lines of one family, in their order


# ---- pages


def front(judged: list[Judged], book: Book, run_folder: Path) -> str:
    """Returns the five cards of the front page, as HTML in MyST.

    judged: the claims with the verdicts of all profiles. run_folder: has the figures' numbers.
    """
    cards = "".join(_card(paper, judged, book, run_folder) for paper in registry.PAPERS)
    everywhere = _everywhere(judged)
    learned = [each for each in everywhere if _on_copies(each) == HOLDS]
    named = listed([f"“{findings.link(each.claim, '', each.deciding.claim)}”" for each in learned])
    named = f"What fails on copies of some model: {named}. " * bool(learned)
    apart = f"{named}{MIXED_COPIES} {what_holds_up.without_copies(everywhere)}"
    apart = f'<p class="key">{apart}</p>'
    return _html(f'<div class="cards">{cards}</div>{apart}{NO_PAPERS_MODEL}{KEY}')


def outcome(judged: list[Judged]) -> str:
    """Returns the sentences of the front page on what came out: of print, our models, controls."""
    claims = at_their_word(judged)
    printed, ours = (Counter(words) for words in zip(*map(_words, claims), strict=True))
    everywhere = _everywhere(judged)
    copies = Counter(map(_on_copies, everywhere))
    compared = len(everywhere) - copies[what_holds_up.NONE]
    return (
        f"Of {len(claims)} statements, published numbers support **{printed[HOLDS]}**, "
        f"contradict {printed[FAILS]} and leave {printed[OPEN]} open. Of {ours.total() - ours['']} that small "
        f"models could test, **{ours[HOLDS]}** hold on every model, {ours[FAILS]} fail on every one and "
        f"{ours[OPEN]} stay open. We repeated {compared} of the {ours[HOLDS]} on untrained copies (random "
        f"weights): {copies[FAILS]} hold there, {copies[what_holds_up.MIXED]} are mixed, and "
        f"{copies[HOLDS]} fail, which is a sign of learning.\n"
    )


def _everywhere(judged: list[Judged]) -> list[Judged]:
    """Returns the claims, taken at their word, that hold on every model tested."""
    return [each for each in at_their_word(judged) if _words(each)[1] == HOLDS]


def _on_copies(judged: Judged) -> str:
    """Returns what became of a claim on untrained copies, in a word of `what_holds_up.COPIES`."""
    found = zip(what_holds_up.COLUMNS, what_holds_up.cells(judged, {}), strict=True)
    return dict(found)["untrained"]


def chapter(paper: Paper, judged: list[Judged], book: Book, run_folder: Path) -> str:
    """Returns a text's bars and what came out, each sentence beside its picture; as `front`."""
    story = stories.STORIES.get(paper.key)
    points = [] if story is None else [_point(each, book, run_folder) for each in story.points]
    said = f'<div class="points">{"".join(points)}</div>{KEY}'
    html = _html(f"{_bars(paper, judged)}{_which(paper, judged)}{said}")
    return f"{html}\n{findings.copies(paper, judged)}"


def _which(paper: Paper, judged: list[Judged]) -> str:
    """Returns a fold that lists the statements which the bars count, as HTML."""
    own = at_their_word([each for each in judged if each.paper == paper.key])
    lists = _section(CONTRADICTED, [each for each in own if _words(each)[0] == FAILS])
    for word, title in LISTED.items():
        lists += _section(title, [each for each in own if _words(each)[1] == word])
    board = f'<a href="../scoreboard.html#{paper.headlines[0]}">The scoreboard</a>'
    lists += f"<p>{board} has all verdicts, also those on published numbers.</p>"
    return f'<details class="which"><summary>Which statements these are</summary>{lists}</details>'


def _section(title: str, claims: list[Judged]) -> str:
    """Returns a title and a list of links to claims, as HTML; "" without claims."""
    links = (findings.link(each.claim, "../", each.deciding.claim) for each in claims)
    items = "".join(f"<li>{each}</li>" for each in links)
    return items and f"<section><strong>{title}:</strong><ul>{items}</ul></section>"


def _html(text: str) -> str:
    return f"````{{raw}} html\n{text}\n````\n"


def _card(paper: Paper, judged: list[Judged], book: Book, run_folder: Path) -> str:
    story: Story | None = stories.STORIES.get(paper.key)
    question = paper.title if story is None else story.question
    answer = "" if story is None else f"<p>{book.said(story.answer)}</p>"
    drawn = "" if story is None else _drawn(story.picture, book, run_folder, "", CARD)
    return (
        f'<section class="told"><small>{escape(paper.short)}</small>'
        f'<strong><a href="{paper.key}/index.html">{escape(question)}</a></strong>'
        f"{drawn}{answer}{_bars(paper, judged)}</section>"
    )


def _point(point: stories.Point, book: Book, run_folder: Path) -> str:
    said = book.said(point.says)
    if not said:
        return ""
    drawn = _drawn(point.picture, book, run_folder, "../", POINT)
    return f'<section class="point">{drawn}<p>{said}</p></section>'


def _drawn(picture: Picture, book: Book, run_folder: Path, up: str, width: int) -> str:
    """Returns a figure, drawn small, as a link to itself; "" if it is not in this copy."""
    file = run_folder / picture.notebook / paths.FIGURES / f"{picture.figure}.csv"
    if not file.exists():
        return ""
    numbers = pd.read_csv(file)
    numbers.attrs["notebook"] = picture.notebook
    drawing = book.said(lambda book: thumbnail(picture.rows(book, numbers), width))
    return drawing and (
        f'<a class="thumb" href="{up}{picture.notebook}.html#{picture.figure}">'
        f"<span>{escape(picture.label)}</span>{drawing}</a>"
    )


# ---- bars


def tally(judged: list[Judged]) -> dict[str, Counter]:
    """Counts the claims of a text, taken at their word: {whose numbers: {word of WORDS, or ""}}.

    judged: of one text, with the verdicts of all profiles. "" counts claims that nothing was asked.
    """
    words = [_words(each) for each in at_their_word(judged)]
    return {
        "print": Counter(printed for printed, _ in words),
        "ours": Counter(ours for _, ours in words),
    }


def _words(judged: Judged) -> tuple[str, str]:
    """Returns what became of a claim: on the published numbers, and on our models together."""
    printed = {NOT_DECIDABLE: OPEN, UNDECIDED: OPEN}.get(
        judged.published.verdict, judged.published.verdict
    )
    words = {each.verdict for each in spoken_of(judged.deciding).values()}
    return printed, words.pop() if len(words) == 1 and words <= {HOLDS, FAILS} else OPEN * any(
        words
    )


def _bars(paper: Paper, judged: list[Judged]) -> str:
    counts = tally([each for each in judged if each.paper == paper.key])
    names = {"print": "sources"} if paper.kind == "post" else {}
    rows = "".join(
        f"<div>{_bar(names.get(name, name), count)}</div>" for name, count in counts.items()
    )
    return f'<div class="bars">{rows}</div>'


def _bar(name: str, count: Counter) -> str:
    parts = "".join(
        f'<i class="{word or "nothing"}" style="flex: {count[word]}"></i>' for word in (*WORDS, "")
    )
    said = " · ".join(f"{count[word]} {SAID[word]}" for word in WORDS)
    return f"<small>{name}: {said}</small><span>{parts}</span>"


# ---- a small picture


def thumbnail(rows: pd.DataFrame, width: int) -> str:
    """Draws numbers as a small SVG: lines over x, or, without x, a dot a row.

    rows: name, y, family, and where they are: x, low and high, is_printed (a dashed or hollow mark).
        Lines and rows stand in the order of the frame.
    """
    shapes = _lines(rows, width) if "x" in rows else _dots(rows, width)
    return (
        f'<svg viewBox="0 0 {width} {HEIGHT}" width="{width}" height="{HEIGHT}" '
        f'aria-hidden="true">{"".join(shapes)}</svg>'
    )


def _lines(rows: pd.DataFrame, width: int) -> Iterable[str]:
    low, high = min(rows["y"].min(), 0), rows["y"].max()
    left, right = rows["x"].min(), rows["x"].max()
    ends = []

    def place(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (x - left) / (right - left) * (width - LEFT - RIGHT)
        return round(across, 1), round(_down(y, low, high), 1)

    yield from _axis(low, high, width, rows.attrs["ends"])
    seen = Counter()
    for (name, family), line in rows.groupby(["name", "family"], sort=False):
        points = [place(*each) for each in zip(line["x"], line["y"], strict=True)]
        printed = "is_printed" in line and line["is_printed"].any()
        dash = DASHES[seen[family] % len(DASHES)]
        seen[family] += not printed
        kind = "printed" if printed else "ours"
        path = " ".join(f"{x},{y}" for x, y in points)
        yield (
            f'<polyline class="{kind}" style="--family: {COLOURS.get(family, "#7A7A7A")}" '
            f'stroke-dasharray="{"" if printed else dash}" points="{path}"/>'
        )
        ends.append((points[-1][1], name, family, kind))
    ends.sort()
    places = _apart([end[0] for end in ends])
    for y, (_, name, family, kind) in zip(places, ends, strict=True):
        yield (
            f'<text class="{kind}" style="--family: {COLOURS.get(family, "#7A7A7A")}" '
            f'x="{width - RIGHT + 4}" y="{y + 3.5:.1f}">{_short(name, LONGEST)}</text>'
        )


def _dots(rows: pd.DataFrame, width: int) -> Iterable[str]:
    ends = [rows[name] for name in ("y", "low", "high") if name in rows]
    low, high = (pd.concat(ends).agg(end) for end in ("min", "max"))
    low, high = low if low > high / 2 else min(low, 0), max(high, 0)
    longest = max(map(len, map(_short, rows["name"])))
    left = min(longest * 7 + 8, 100)
    step = (HEIGHT - TOP - BOTTOM) / len(rows)

    def across(value: float) -> float:
        return round(left + (value - low) / ((high - low) or 1) * (width - left - 8), 1)

    yield f'<path class="axis" d="M{across(max(low, 0))} {TOP}V{HEIGHT - BOTTOM}"/>'
    for value in sorted({low, max(low, 0), high}):
        anchor = "end" if value == high else "middle"
        place = f'x="{across(value)}" y="{HEIGHT - 4}" text-anchor="{anchor}"'
        yield f"<text {place}>{_number(value)}</text>"
    for number, row in enumerate(rows.itertuples()):
        y = round(TOP + (number + 0.5) * step, 1)
        kind = "printed" if getattr(row, "is_printed", False) else "ours"
        style = f'style="--family: {COLOURS.get(row.family, "#7A7A7A")}"'
        yield f'<text x="{left - 6}" y="{y + 3.5}" text-anchor="end">{_short(row.name)}</text>'
        if "low" in rows and row.low == row.low:
            yield f'<path class="{kind}" {style} d="M{across(row.low)} {y}H{across(row.high)}"/>'
        yield f'<circle class="{kind}" {style} cx="{across(row.y)}" cy="{y}" r="3.5"/>'


def _axis(low: float, high: float, width: int, ends: tuple[str, str]) -> Iterable[str]:
    """Yields the ground line and the two numbers at the left."""
    for value in sorted({low, 0, high}):
        y = _down(value, low, high)
        yield f'<path class="axis" d="M{LEFT} {y:.1f}H{width - RIGHT}"/>'
        yield f'<text x="{LEFT - 4}" y="{y + 3.5:.1f}" text-anchor="end">{_number(value)}</text>'
    for x, words, anchor in zip((LEFT, width - RIGHT), ends, ("start", "middle"), strict=True):
        yield f'<text x="{x}" y="{HEIGHT - 4}" text-anchor="{anchor}">{words}</text>'


def _down(y: float, low: float, high: float) -> float:
    return TOP + (high - y) / (high - low) * (HEIGHT - TOP - BOTTOM)


def _apart(places: list[float]) -> list[float]:
    """Moves ascending places apart, so that a line of text fits between two of them."""
    for _ in range(50):
        for number, (one, other) in enumerate(zip(places, places[1:], strict=False)):
            if (lacking := LINE - (other - one)) > 0:
                places[number] -= lacking / 2
                places[number + 1] += lacking / 2
        places = [min(max(place, TOP), HEIGHT - BOTTOM) for place in places]
    return places


def _short(name: str, longest: int = 14) -> str:
    return escape(name if len(name) <= longest else f"{name[: longest - 1]}…")


def _number(value: float) -> str:
    return f"{value:.2g}" if value else "0"
