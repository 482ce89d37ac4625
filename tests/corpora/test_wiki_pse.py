"""Mentions of "wiki-anchors": on a frozen page with each construct, and on the whole sample."""

import collections
import itertools
import operator

import pytest

from cwr.corpora import texts, wikitext
from cwr.corpora.wiki_pse import mentions
from cwr.errors import UserError

pytest.importorskip(
    "gensim", reason="needs gensim, which reads wikitext: pip install gensim"
)
pytest.importorskip("spacy", reason="needs spaCy, which finds words: pip install spacy")

# What the notes of another parser counted in the same sample: body and prose, five words or more
ANCHORS, CLASSED, PAIRS, WORDS, AT_LEAST = (
    18_753,
    6_935,
    4_029,
    3_928,
    [1_624, 603, 163, 10],
)

PAGE = """{{Infobox city | name = [[Hidden]] | country = [[Turkey]] }}
<!-- a comment about [[Comment]] that ends like a sentence. -->
'''Troy''' is a city in [[Turkey]] near the [[Dardanelles|great ''straits'']].<ref>See [[Reference]], page 7.</ref> It was {{lang|grc|Ilios}} in the ''[[Iliad]]'', and sung in [[poem#Epic|poem]]s of [[Homer (poet)|Homer]].
[[File:Troy.jpg|thumb|A view of [[Mount Ida]] from the [[Wall]] of Troy.]]
==Name==
The {{nowrap|old [[Wall]]s}} stood {{convert|3|km}} from the sea, <math>[[x]]</math> and so on.
{| class="wikitable"
| [[Cell]] || a cell of a table
|}
* A list item about [[Greece]], which ends like a sentence.
What leads to [[:Category:Cities]], [[wikt:city|a word]], [[de:Troja]] and [[#Name|a section]] is no link.
Titles are [[AT&amp;T]], [[new_York  City|the city]], [[asia Minor]], and [[Ilium]] by its redirect.
It was dug up by [[Heinrich Schliemann|Schliemann]] in 1870. Then Schliemann left, and Homer was read again in Turkey, where the Trojans ate turkey, Turkeys and the Iliad of old.
The [[Minoan civilization|pre]]sent and un[[Greek]] words are by [[World No. 1]]. Troy is read.
Of the [[Iliad|book]] and the [[Band (Troy)|Troy]] a book says that Troys are many.
<gallery>
File:A.jpg|A caption about [[Gallery]] that ends like a sentence.
</gallery>
==See also==
* [[Other]]
[[Category:Cities]]
"""
CLASSES = {
    "Asia Minor": "location",
    "Band (Troy)": "organization",
    "Greece": "location",
    "Heinrich Schliemann": "person",
    "Homer (poet)": "person",
    "Iliad": "art",
    "Troy": "location",
    "Turkey": "location",
}
EXPECTED = [
    (
        "Troy is a city in Turkey near the great straits.",
        [
            ("Troy", "location", "Troy", False),
            ("Turkey", "location", "Turkey", True),
            ("great straits", "", "Dardanelles", True),
        ],
    ),
    (
        "It was in the Iliad, and sung in poems of Homer.",
        [
            ("Iliad", "art", "Iliad", True),
            ("poems", "", "Poem", True),
            ("Homer", "person", "Homer (poet)", True),
        ],
    ),
    (
        "A view of Mount Ida from the Wall of Troy.",
        [
            ("Mount Ida", "", "Mount Ida", True),
            ("Wall", "", "Wall", True),
            ("Troy", "location", "Troy", False),
        ],
    ),
    ("The stood from the sea, and so on.", []),
    ("What leads to :Category:Cities, a word, de:Troja and a section is no link.", []),
    (
        "Titles are AT&T, the city, asia Minor, and Ilium by its redirect.",
        [
            ("AT&T", "", "AT&T", True),
            ("the city", "", "New York City", True),
            ("asia Minor", "location", "Asia Minor", True),
            ("Ilium", "location", "Troy", True),
        ],
    ),
    (
        "It was dug up by Schliemann in 1870.",
        [("Schliemann", "person", "Heinrich Schliemann", True)],
    ),
    (
        "Then Schliemann left, and Homer was read again in Turkey, where the Trojans ate turkey, "
        "Turkeys and the Iliad of old.",
        [
            ("Schliemann", "person", "Heinrich Schliemann", False),
            ("Homer", "person", "Homer (poet)", False),
            ("Turkey", "location", "Turkey", False),
            ("Iliad", "art", "Iliad", False),
        ],
    ),
    (
        "The present and unGreek words are by World No.",  # a link's tail is part of it
        [
            ("present", "", "Minoan civilization", True)
        ],  # not "Greek", nor what is cut in two
    ),
    ("1.", []),
    ("Troy is read.", [("Troy", "location", "Troy", False)]),
    (
        "Of the book and the Troy a book says that Troys are many.",
        [
            ("book", "art", "Iliad", True),  # no form of the title: "a book" is no mention
            ("Troy", "organization", "Band (Troy)", True),
            ("Troys", "location", "Troy", False),
        ],
    ),
]


def annotated(*pages, classes=CLASSES):
    """[(text, [(mention's text, class, target, link)])] of pages (title, wikitext)."""
    numbered = [wikitext.Page(number, *page) for number, page in enumerate(pages)]
    return [
        (sentence.text, [described(sentence, mention) for mention in of(sentence)])
        for sentence in mentions.annotated(mentions.linked(numbered), classes)
    ]


def of(sentence):
    return sentence.annotations[mentions.MENTIONS]


def described(sentence, mention):
    text = mentions.text_of(sentence, mention["first"], mention["last"])
    return text, mention["class"], mention["target"], mention["link"]


def later(*pages, classes=CLASSES):
    """The texts of later mentions."""
    found = itertools.chain.from_iterable(
        rest for _, rest in annotated(*pages, classes=classes)
    )
    return [(text, target) for text, _, target, is_link in found if not is_link]


def test_each_construct_of_a_page_is_read_as_it_should_be():
    assert annotated(("Troy", PAGE), ("Ilium", "#REDIRECT [[Troy]]")) == EXPECTED


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("List of cities", "Here [[Turkey]] is a country. And Turkey is a country again."),
        (
            "Turkey (disambiguation)",
            "Here [[Turkey]] is a country. And Turkey is so again.",
        ),
        ("Turkey", "{{Disambig}}\nHere [[Turkey]] is a country. And Turkey is so again."),
    ],
)
def test_lists_and_disambiguation_pages_have_links_only(title, text):
    assert later((title, text)) == []
    assert later(("Ankara", text.removeprefix("{{Disambig}}\n"))) == [("Turkey", "Turkey")]


def test_the_articles_own_title_beats_a_link_of_its_name():
    band = "Of the [[Band (Troy)|Troy]] it is said that Troy was a band."
    assert later(("Troy", band)) == [("Troy", "Troy")]
    assert later(("Ilion", band)) == []  # the name of the page is "Band"
    assert (
        later(("Ilion", band.replace("Band (Troy)", "Troy (band)"))) == []
    )  # without a class
    classes = CLASSES | {"Troy (band)": "organization"}
    named = band.replace("Band (Troy)", "Troy (band)")
    assert later(("Ilion", named), classes=classes) == [("Troy", "Troy (band)")]
    assert later(("Troy", named), classes=classes) == [("Troy", "Troy")]


def test_the_own_title_counts_from_the_first_word_in_all_four_forms():
    text = "As Schliemann is Heinrich Schliemann, [[Turkey]] is Turkey. Heinrich is not he at all."
    names = [name for name, _ in later(("Heinrich Schliemann", text))]
    assert names == ["Schliemann", "Heinrich Schliemann", "Turkey"]


@pytest.mark.parametrize(
    ("link", "mention"),
    [
        ("[[Lithium]]", "Lithium"),
        ("[[lithium]]", "lithium"),
        ("[[Salt (chemistry)|salt]]", "salt"),
        ("[[salt (chemistry)|salts]]", "salts"),
        ("[[Mobile, Alabama|Mobile]]", "Mobile"),
        ("[[Ayn Rand|Rand]]", "Rand"),
    ],
)
def test_the_four_forms_of_a_title_are_names(link, mention):
    classes = dict.fromkeys(["Lithium", "Salt (chemistry)"], "chemistry")
    classes |= {"Mobile, Alabama": "location", "Ayn Rand": "person"}
    text = f"Here it is {link} in a text. There it is {mention} again."
    assert [name for name, _ in later(("A page", text), classes=classes)] == [mention]


@pytest.mark.parametrize(
    "text",
    [
        "So Turkey comes before [[Turkey]] in this text.",  # before the link
        "Here is [[turkey]] in a text. There it is Turkey again.",  # another case
        "Here is [[Turkey]] in a text. There is Turkeyland and nonTurkey.",  # within a word
        "Here is [[Turkey]] in a text. There is [[Iliad|a Turkey of]] old.",  # within a link
        "Here is [[Turkey|the land]] in a text. There is the land again.",  # no form of the title
    ],
)
def test_what_is_no_later_mention_is_left_alone(text):
    assert later(("A page", text)) == []


def test_of_two_names_the_longer_one_counts():
    classes = dict.fromkeys(["York", "New York", "New York City"], "location")
    text = "From [[York]] to [[New York]] or [[New York City]]. New York City, New York, York."
    names = later(("A page", text), classes=classes)
    assert [name for name, _ in names] == ["New York City", "New York", "York"]
    assert (
        later(("A page", text.replace("[[York]]", "York")), classes=classes) == names[:2]
    )


def test_of_two_sentences_with_the_same_words_the_linked_one_has_the_link():
    text = "It is in Turkey at last. It is in [[Turkey]] at last. It is in Turkey at last."
    mentions_of = [found for _, found in annotated(("A page", text))]
    link, mention = (
        ("Turkey", "location", "Turkey", is_link) for is_link in (True, False)
    )
    assert mentions_of == [[], [link], [mention]]


def test_a_name_that_is_linked_to_two_classes_is_no_name():
    classes = {"Mercury (planet)": "location", "Mercury (god)": "god"}
    planet, god = (f"[[Mercury ({kind})|Mercury]]" for kind in ("planet", "god"))
    text = "Here is {} in a text. There it is Mercury. And here {} is, and Mercury again."
    assert later(("A page", text.format(planet, god)), classes=classes) == []
    assert len(later(("A page", text.format(planet, planet)), classes=classes)) == 2


def test_an_article_with_a_link_that_is_never_closed_is_one_sentence():
    with pytest.raises(
        UserError, match="the article 'Troy' cannot be read: a link is never clos"
    ):
        annotated(("Troy", "So it is [[Turkey and more."))


# ---- the sample


def test_the_corpus_is_wiki_sample_with_mentions(wiki_anchors, wiki_sample):
    assert wiki_anchors.fingerprint == wiki_sample.fingerprint
    for one, other in zip(wiki_anchors.sentences, wiki_sample.sentences, strict=True):
        assert (one.id, one.document, one.paragraph) == (
            other.id,
            other.document,
            other.paragraph,
        )
    assert "CC BY-SA 4.0" in wiki_anchors.licence


def test_mentions_lie_in_their_sentence_in_order_and_do_not_overlap(wiki_anchors):
    for sentence in wiki_anchors.sentences:
        spans = [(mention["first"], mention["last"]) for mention in of(sentence)]
        flat = list(itertools.chain.from_iterable(spans))
        assert flat == sorted(flat) and all(
            last < len(sentence.spans) for _, last in spans
        )
        assert len({first for first, _ in spans}) == len(spans)


def test_the_counts_are_those_of_an_independent_parser_up_to_three_percent(wiki_anchors):
    pairs, anchors = collections.Counter(), 0
    for sentence in wiki_anchors.sentences:
        if len(sentence.text.split()) < 5:
            continue
        links = [mention for mention in of(sentence) if mention["link"]]
        anchors += len(links)
        for text, semantic_class, _, _ in (described(sentence, link) for link in links):
            if semantic_class:
                pairs[text.lower(), semantic_class] += 1
    words = {word for word, _ in pairs}
    at_least = [sum(n >= k for n in pairs.values()) for k in (2, 3, 5, 10)]
    assert (anchors, pairs.total(), len(pairs), len(words)) == (
        18_719,
        6_855,
        3_974,
        3_876,
    )
    assert at_least == [1_586, 614, 168, 10]
    ours = [anchors, pairs.total(), len(pairs), len(words), *at_least]
    assert ours == pytest.approx([ANCHORS, CLASSED, PAIRS, WORDS, *AT_LEAST], rel=0.032)


def test_later_mentions_are_those_that_a_loop_over_words_finds(wiki_anchors):
    by_document = operator.attrgetter("document")
    titles = {page.id: page for page in texts.wiki_pages() if page.redirect is None}
    groups = itertools.groupby(wiki_anchors.sentences, by_document)
    compared = 0
    for (_, group), page in zip(
        itertools.islice(groups, 8), titles.values(), strict=False
    ):
        sentences = list(group)
        expected = by_words(page.title, sentences, mentions.classes())
        found = []
        for number, sentence in enumerate(sentences):
            for mention in of(sentence):
                if not mention["link"]:
                    found.append(
                        (number, mention["first"], mention["last"], mention["target"])
                    )
        assert found == expected, page.title
        compared += len(found)
    assert compared > 300


def by_words(title, sentences, classes):
    """The later mentions of an article, [(sentence, first, last, target)]: each run of words."""
    linked, names, two_classes = [], {}, set()
    for number, sentence in enumerate(sentences):
        links = [mention for mention in of(sentence) if mention["link"]]
        linked.append(
            {word for link in links for word in range(link["first"], link["last"] + 1)}
        )
        for link in links:
            text, semantic_class, target, _ = described(sentence, link)
            forms = mentions.forms(target, semantic_class)
            if semantic_class and (text in forms or text[:1].upper() + text[1:] in forms):
                other, _ = names.setdefault(text, (target, (number, link["first"])))
                if classes[other] != semantic_class:
                    two_classes.add(text)
    names = {text: name for text, name in names.items() if text not in two_classes}
    if title in classes:
        for form in mentions.forms(title, classes[title]):
            names[form] = (title, (-1, -1))
    found = []
    for number, sentence in enumerate(sentences):
        first, n_words = 0, len(sentence.spans)
        while first < n_words:
            runs = [
                last
                for last in range(first, n_words)
                if mentions.text_of(sentence, first, last) in names
                and not linked[number] & set(range(first, last + 1))
            ]
            if not runs:
                first += 1
                continue
            target, since = names[mentions.text_of(sentence, first, runs[-1])]
            if since < (number, first):
                found.append((number, first, runs[-1], target))
            first = runs[-1] + 1
    return found


def test_every_class_is_one_of_the_papers_and_no_page_stands_twice():
    published = pytest.importorskip("cwr.texts.zhao2020.claims").published()
    classes = mentions.classes()
    assert len(classes) == 4_130
    assert set(classes.values()) <= set(published["class"].dropna())
    lines = mentions.CLASSES.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 4_131
