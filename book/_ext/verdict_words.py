"""The words of verdicts on pages: each with its mark, and explained from the glossary."""

import functools
import re
from html import escape

from docutils import nodes

VERDICT = re.compile(
    r"(?P<before>(.*: )?)"  # "minilm: ", "beyond the paper: "
    r"(?P<word>holds|fails|undecided|not run|not decidable)"
    r"(?P<after>( here)?"
    # " (0.98; = untrained)", " (no meaning in 4% of draws)"
    r"( \(((by [a-z ]+|no meaning in \d+% of draws|[<>] 0\.\d\d|\d\.\d{2,3})(; )?)?"
    r"(([≠=≈]|(more|less) so than) untrained)?\))?"
    r"( \[\d+\])*)"  # the numbers of notes
)
# A marked word in a page, with the text of its cell on either side.
MARKED = re.compile(
    r"(?:(?<=>)(?P<before>[^<>]*))?"
    r'(?P<span><span class="verdict [\w-]+">(?P<word>[^<>]+)</span>)(?P<here>(?: here)?)'
    r"(?P<after>[^<>]*)"
)
SUPPORT = r"(?:&[lg]t; )?\b\d\.\d{2,3}\b"
# What stands in the brackets behind a verdict, and nothing else: neither a value nor "BERT-base".
BESIDE = re.compile(
    r"(?:(?<=\()|(?<=; ))(?:by proof|by a bound|base|small"
    rf"|(?:[≠=≈]|(?:more|less) so than) untrained|{SUPPORT})(?=; |\))"
)
BEYOND = re.compile(r"beyond the paper(?=: $)")  # before a verdict


def mark_verdicts(app, doctree, docname) -> None:
    """Give the verdict word in a line of a cell its class: custom.css sets a sign before it."""
    for entry in list(doctree.findall(nodes.entry)):
        for text in list(entry.findall(nodes.Text)):
            line = VERDICT.fullmatch(text.strip())
            if line and not isinstance(text.parent, nodes.literal):
                text.parent.replace(text, marked(line))


def marked(line: re.Match) -> list[nodes.Node]:
    """A line of VERDICT with its word as an inline of the classes "verdict" and the word."""
    word = line["word"]
    inline = nodes.inline("", word, classes=["verdict", word.replace(" ", "-")])
    return [nodes.Text(line["before"]), inline, nodes.Text(line["after"])]


def explain(app, pagename, templatename, context, doctree) -> None:
    """Explain the words of the verdicts in the body of a page."""
    address = app.builder.get_relative_uri(pagename, "glossary")
    again = pagename != "scoreboard"  # there it would be four thousand times
    context["body"] = explained(context.get("body", ""), glossary(app.env), address, again)


@functools.cache
def glossary(env) -> dict[str, tuple[str, str]]:
    """{term: (its anchor in the glossary, the first sentence of its definition)}; empty in a book
    without a glossary.
    """
    if "glossary" not in env.found_docs:
        return {}
    terms = {}
    for item in env.get_doctree("glossary").findall(nodes.definition_list_item):
        *names, definition = item.children
        sentence = re.match(r".*?\.(?= |$)", " ".join(definition.astext().split()))[0]
        terms |= {name.astext(): (name["ids"][0], sentence) for name in names}
    return terms


def explained(body: str, terms: dict[str, tuple[str, str]], address: str, again: bool) -> str:
    """A page's HTML with the words of marked verdicts explained: each is a link to the glossary
    where it comes first, and tells a pointer its meaning.

    terms: as from `glossary`. address: of the glossary. again: tell it where a word comes again.
    """
    seen = set()

    def word(term: str, shown: str) -> str:
        if term not in terms or (term in seen and not again):
            return shown
        anchor, sentence = terms[term]
        if term in seen:
            return f'<abbr title="{escape(sentence)}">{shown}</abbr>'
        seen.add(term)
        return f'<a href="{address}#{anchor}" title="{escape(sentence)}">{shown}</a>'

    def beside(found: re.Match) -> str:
        return word("support" if found[0][-1].isdigit() else found[0], found[0])

    def cell(found: re.Match) -> str:
        verdict = word(found["word"] + found["here"], found["span"] + found["here"])
        before = BEYOND.sub(beside, found["before"] or "")
        return before + verdict + BESIDE.sub(beside, found["after"])

    return MARKED.sub(cell, body)


def setup(app) -> dict:
    """Sphinx calls this once: connect the functions above."""
    app.connect("doctree-resolved", mark_verdicts)
    app.connect("html-page-context", explain)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
