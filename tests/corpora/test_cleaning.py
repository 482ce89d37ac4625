"""The rules that made wiki_text: each on small examples, and all on the text that they gave."""

import itertools

import pytest

from cwr.corpora import wiki_text
from cwr.corpora.wiki_text import cleaning
from cwr.corpora.wiki_text.cleaning import selected

SOURCE = """<doc id="12" url="http://en.wikipedia.org/wiki?curid=12" title="The "A &amp; B" show">
The "A & B" show

First line.
Heading.

</doc>
<doc id="25" url="http://en.wikipedia.org/wiki?curid=25" title="Empty">
Empty

</doc>
"""
PLAIN = "The river rises in the hills and reaches the sea after ten miles."


def paragraph(n_words, start="word"):
    return " ".join([f"{start} w"] + ["w"] * (n_words - 3) + ["end."])


def test_a_document_has_an_id_a_title_and_the_lines_after_it():
    assert list(cleaning.documents(SOURCE)) == [
        (12, 'The "A & B" show', ["", "First line.", "Heading.", ""]),
        (25, "Empty", [""]),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("stray\n" + SOURCE, "'stray' stands outside"),
        (SOURCE.removesuffix("</doc>\n"), "Empty is not closed"),
    ],
)
def test_a_source_file_in_another_format_is_refused(text, says):
    with pytest.raises(ValueError, match=says):
        list(cleaning.documents(text))


@pytest.mark.parametrize(
    "title",
    [
        "List of islands of Michigan",
        "Lists of poets",
        "Index of law articles",
        "Timeline of physics",
        "Outline of logic",
        "Wikipedia:Statistics",
        "Template:Infobox",
        "Austin (disambiguation)",
        "1066",
        "210 BC",
        "AD 5",
        "1990s",
        "May 28",
        "Alien: Resurrection",
    ],
)
def test_pages_that_are_no_prose_are_unwanted(title):
    assert cleaning.unwanted(title)


@pytest.mark.parametrize(
    "title",
    [
        "Timeline",
        "Listeria",
        "Table of nuclides (combined)",
        "9th century",
        "1066 and All That",
        "May",
        "May Day",
        "Apollo 10",
        "2 Pallas",
        "10BASE2",
        "1800s (decade)",
        "Actrius",
    ],
)
def test_articles_with_similar_titles_are_kept(title):
    assert not cleaning.unwanted(title)


@pytest.mark.parametrize(
    ("rule", "given", "expected"),
    [
        ("unescaped", "1914&amp;ndash;18 &lt; e\u0301", "1914–18 < é"),
        (
            "plain",
            "“a” ‘b’ „c‟ it’s 5′ 6″ well‐known a−b … a–b—c",
            """"a" 'b' "c" it's 5' 6" well-known a-b ... a–b—c""",
        ),
        ("plain", "\ufeffa\u00adb\u200bc\u200ed", "abcd"),
        ("without_empty_parentheses", "A ( , ; ) b () c", "A  b  c"),
        (
            "without_empty_parentheses",
            "Algeria (, or x ; ) is (a, b)",
            "Algeria (or x) is (a, b)",
        ),
        ("single_blanks", " a\u00a0b\t c\u2009 d ", "a b c d"),
        (
            "single_quotes",
            """the book "" and ""it"" a ''Union'' it's""",
            """the book " and "it" a "Union" it's""",
        ),
        ("closed_up", "A , b ; c : d . (e ) ( f", "A, b; c: d. (e) (f"),
        ("closed_up", "i := 1 and a .22 rifle ? yes", "i := 1 and a .22 rifle ? yes"),
        (
            "closed_up",
            "in York, , July and hex;:237 a, ; : b",
            "in York, July and hex:237 a: b",
        ),
    ],
)
def test_a_rule_changes_what_it_names_and_nothing_else(rule, given, expected):
    assert getattr(cleaning, rule)(given) == expected
    assert getattr(cleaning, rule)(PLAIN) == PLAIN


def test_the_rules_together_give_a_sentence_back():
    line = (
        "Algeria ( ,  or ;&amp;nbsp;Arabic: “al‐Jazā” ) , officially a state in '' '' , "
        "has ( ; )  2,381,741 km² ."
    )
    assert (
        cleaning.clean(line)
        == 'Algeria (or; Arabic: "al-Jazā"), officially a state in " ", has 2,381,741 km².'
    )


@pytest.mark.parametrize(
    ("fault", "bad", "good"),
    [
        (
            "too_short",
            "One two three four five six seven eight nine.",
            "One two three four five six seven eight nine ten.",
        ),
        ("too_short", "", PLAIN),
        ("unfinished", "It ends in the middle of a,", PLAIN),
        ("unfinished", "It was called:", 'He said "so."'),
        ("in_another_script", "αβγ" + "x" * 56, "αβγ" + "x" * 57),  # 3 of 59, 3 of 60
        ("in_another_script", "\u0301" * 6 + "x" * 94, "–—" * 3 + "é" * 94),
        ("mostly_numbers", "1234" + "x" * 22, "123" + "x" * 17),  # 4 of 26, 3 of 20
        ("has_a_hole", "It rises to a height of .", "It is not what it was thought of: a"),
        ("has_a_hole", "It is about, so to say, it.", "About.com is what it was about?"),
        ("has_a_hole", "as well as, and better than, others", "It was said in."),
    ],
)
def test_a_fault_is_found_and_its_neighbour_is_none(fault, bad, good):
    assert getattr(cleaning, fault)(bad) and not getattr(cleaning, fault)(good)


@pytest.mark.parametrize(
    "word", "of about the between around approximately nearly than".split()
)
@pytest.mark.parametrize("mark", [" .", ".", ",", ";", ")"])
def test_no_word_that_calls_for_another_stands_before_a_mark(word, mark):
    assert cleaning.has_a_hole(f"so much {word}{mark} it")
    assert not cleaning.has_a_hole(f"so much x{word}{mark}")


@pytest.mark.parametrize(
    "mark",
    [
        "{{",
        "}}",
        "[[",
        "]]",
        "|",
        "<",
        ">",
        "\\",
        "==",
        "__",
        "http://x",
        "https://x",
        "ftp://x",
        "www.x",
        "formula_1",
        "codice_12",
    ],
)
def test_leftover_markup_is_found(mark):
    assert cleaning.marked_up(f"where {mark} stands")
    assert not cleaning.marked_up("a formula {1, 2} [3] of HTTP, _ = codices / x")


def test_an_article_ends_with_the_paragraph_that_reaches_the_cut():
    lines = [paragraph(500, "a"), "Heading", paragraph(650, "b"), paragraph(20, "c")]
    assert selected(lines, set()) == (lines[0], lines[2])  # 1,150 words
    lines[2] = paragraph(649, "b")
    assert selected(lines, set()) == (lines[0], lines[2], lines[3])  # 1,149 at the second


def test_an_article_needs_120_words_and_two_paragraphs():
    assert selected([paragraph(100, "a"), paragraph(19, "b")], set()) == ()
    assert len(selected([paragraph(100, "a"), paragraph(20, "b")], set())) == 2
    assert selected([paragraph(1000, "a")], set()) == ()


def test_a_repeated_paragraph_is_dropped_and_one_beyond_a_cut_may_come_again():
    earlier = set()
    one, two = paragraph(100, "a"), paragraph(30, "b")
    long, beyond = paragraph(1150, "c"), paragraph(40, "d")
    assert selected([one, two, one, long, beyond], earlier) == (one, two, long)
    more = paragraph(100, "e")
    assert selected([two, beyond, more, beyond], earlier) == (beyond, more)


def test_nothing_in_the_delivered_text_would_be_dropped_or_changed(shared, monkeypatch):
    monkeypatch.setenv("CWR_DATA", str(shared / "data"))
    articles = list(itertools.islice(wiki_text.load("heldout"), 250))
    paragraphs = [text for article in articles for text in article.paragraphs]
    assert len(paragraphs) > 3000 and len(set(paragraphs)) == len(paragraphs)
    assert [text for text in paragraphs if cleaning.clean(text) != text] == []
    assert [
        text for text in paragraphs if any(fault(text) for fault in cleaning.FAULTS)
    ] == []
    assert [
        article.title for article in articles if cleaning.unwanted(article.title)
    ] == []
