"""Links marked before the parser come out where they stood, and change no letter of the prose."""

import bz2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cwr.corpora import texts, wikitext
from cwr.errors import UserError

pytest.importorskip(
    "gensim", reason="needs gensim, which reads a dump: pip install gensim"
)

EXPORT = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/">{}</mediawiki>'
PAGE = "<page><title>{}</title><ns>0</ns><id>{}</id><revision><text>{}</text></revision></page>"


def links_of(text, redirects=None):
    """[(line, [(anchor, target)])] of a wikitext."""
    marked, targets = wikitext.marked(text, redirects or {})
    lines = [wikitext.unmarked(line, targets) for line in wikitext.prose(marked)]
    return [
        (line, [(line[link.start : link.end], link.target) for link in links])
        for line, links in lines
    ]


@pytest.mark.parametrize(
    ("link", "anchor", "target"),
    [
        ("[[Lithium]]", "Lithium", "Lithium"),
        ("[[lithium]]s", "lithiums", "Lithium"),
        ("[[Lithium#Use|its use]]", "its use", "Lithium"),
        ("[[Lithium|The ''metal'']]s", "The metals", "Lithium"),
        ("[[Lithium| metal ]]", "metal", "Lithium"),
        ("''[[Iliad]]''", "Iliad", "Iliad"),
        ("'[[Iliad|''Iliad'']]'", "Iliad", "Iliad"),
        ("[[AT&amp;T]]", "AT&T", "AT&T"),
        ("[[new_York  City|it]]", "it", "New York City"),
        ("[[:Lithium|it]]", "it", "Lithium"),
        ("[[Star Trek: Voyager]]", "Star Trek: Voyager", "Star Trek: Voyager"),
        ("[[Old name]]", "Old name", "New name"),
        ("[[Lithium|Li<sub>2</sub>]]", "Li2", "Lithium"),
    ],
)
def test_a_link_has_the_text_that_a_reader_sees_and_its_page(link, anchor, target):
    text = f"So it is with {link} in this sentence."
    ((line, links),) = links_of(text, {"Old name": "New name"})
    assert links == [(anchor, target)] and [line] == list(wikitext.prose(text))


@pytest.mark.parametrize(
    "link",
    [
        "[[Category:Metals]]",
        "[[:Category:Metals]]",
        "[[wikt:metal|metal]]",
        "[[de:Lithium]]",
        "[[#Use|its use]]",
        "[[Lithium|]]",
        "[[Lithium| ]]",
        "[http://example.org lithium]",
        "{{lang|la|[[Lithium]]}}",
        "<ref>[[Lithium]]</ref>",
        "<!-- [[Lithium]] -->",
        "<math>[[Lithium]]</math>",
        "<nowiki>[[Lithium]]</nowiki>",
    ],
)
def test_what_leads_to_no_article_or_is_not_read_is_no_link(link):
    ((_, links),) = links_of(f"So it is with {link} in this sentence.")
    assert links == []


def test_a_link_at_either_end_of_a_line_does_not_decide_whether_it_is_prose():
    ((line, links),) = links_of(
        "[[Troy]] is not where they work for [[Yahoo!]]\n[[Troy]] is it."
    )
    assert line == "Troy is not where they work for Yahoo!"
    assert links == [("Troy", "Troy"), ("Yahoo!", "Yahoo!")]
    assert links_of("[[* Troy]] would begin a list, and a list is no prose.") == []


WORDS = st.sampled_from(
    ["word", "It", "of ''two''", "'''bold'''", "'", "''", "(see)", "é", "a, b"]
)
LINKS = st.sampled_from(
    ["[[Paris]]", "[[Paris|the city]]s", "[[Rome|''Roma'']]", "[[Rome| it ]]"]
)
BLANK = st.sampled_from(["[[Rome|&nbsp;it]]", "[[Rome|it &nbsp;]]", " ", "&nbsp;"])
DROPPED = st.sampled_from(
    ["<ref>[[A]].</ref>", "{{lang|x|[[A]]}}", "<!-- [[A]] -->", "[[de:B]]"]
)
SHOWN = {
    "[[Paris]]": "Paris",
    "[[Paris|the city]]s": "the citys",
    "[[Rome|''Roma'']]": "Roma",
}


@settings(max_examples=60)
@given(st.lists(WORDS | LINKS | DROPPED | BLANK, max_size=8))
def test_marks_change_no_letter_and_each_span_is_its_anchor(pieces):
    text = f"{' '.join(pieces)} so it begins and so it ends {' '.join(pieces)}."
    ((line, links),) = links_of(text)
    assert [line] == list(wikitext.prose(text))
    shown = [
        SHOWN.get(piece, "it") for piece in pieces if piece.startswith(("[[P", "[[R"))
    ]
    assert [anchor for anchor, _ in links] == shown * 2


def test_marks_change_no_letter_of_the_sample():
    pages = [page for page in texts.wiki_pages() if page.redirect is None]
    for page in pages[::9]:
        lines = [line for line, _ in links_of(page.text)]
        assert lines == list(wikitext.prose(page.text)), page.title


@pytest.mark.parametrize(
    "text",
    [
        "So [[Paris and more of it.",
        "A [[File:a.jpg|with [[Paris]] in its\ncaption.",
    ],
)
def test_a_link_that_is_never_closed_is_refused(text):
    with pytest.raises(ValueError, match="a link is never closed"):
        wikitext.marked(text, {})


def test_brackets_that_are_no_links_need_not_close():
    text = "<math>[[x</math> <nowiki>[[</nowiki> <!-- [[ --> [[File:a.jpg|of [[Paris]]\n here]]"
    assert wikitext.marked(text, {})[1] == ["Paris"]


def test_a_redirect_is_known_by_its_first_line():
    page = wikitext.Page(1, "Ilium", " #redirect: [[troy#Name|x]] ")
    assert page.redirect == "Troy"
    assert wikitext.Page(1, "Ilium", "It is a #redirect [[Troy]].").redirect is None


@pytest.fixture
def dump(tmp_path):
    """dump(content) is a file with it, compressed."""

    def write(content):
        file = tmp_path / "dump.xml.bz2"
        file.write_bytes(bz2.compress(content.encode()))
        return file

    return write


def test_a_dump_is_read_page_by_page(dump):
    pages = [
        PAGE.format("Troy", 7, "A city."),
        PAGE.format("Ilium", 8, "#REDIRECT [[Troy]]"),
    ]
    troy, ilium = wikitext.pages(dump(EXPORT.format("".join(pages))))
    assert troy == wikitext.Page(7, "Troy", "A city.") and ilium.redirect == "Troy"


@pytest.mark.parametrize(
    "content", [EXPORT.format(PAGE)[:-40], "", "<a><b/></a>", "no XML"]
)
def test_xml_that_is_cut_in_the_middle_or_no_dump_is_one_sentence(dump, content):
    with pytest.raises(
        UserError, match="is cut short or no dump of a wiki .*: get the file again"
    ):
        list(wikitext.pages(dump(content)))


def test_a_compressed_file_that_is_cut_short_is_one_sentence(dump):
    file = dump(EXPORT.format(PAGE))
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(UserError, match="is cut short"):
        list(wikitext.pages(file))
