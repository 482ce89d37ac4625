"""The corpus "wiki-listed": names of a list in running text."""

import pytest

from cwr.corpora.sentences import joined
from cwr.corpora.wiki_pse import listed
from cwr.corpora.wiki_pse.mentions import MENTIONS

CLASSES = {
    "troy": "location",
    "old troy": "location",
    "rome": "",
    "the office": "art",
    "york": "location",
    "new york": "",
    "new york city": "location",
    "duke of york": "person",
}


def names(text, classes=CLASSES):
    """The names that are found in a text, each with its class."""
    (sentence,) = listed.labelled([joined(text.split())], classes)
    rows = sentence.annotations[MENTIONS]
    return [
        (" ".join(text.split()[row["first"] : row["last"] + 1]), row["class"])
        for row in rows
    ]


def test_a_name_of_one_class_takes_it_and_one_of_several_takes_none():
    assert names("they saw Troy and Rome") == [("Troy", "location"), ("Rome", "")]


def test_the_longest_name_goes_first():
    assert names("so Old Troy fell") == [("Old Troy", "location")]
    assert names("in New York City alone") == [("New York City", "location")]


def test_what_is_not_written_as_a_name_is_none():
    assert names("they left the office early") == []
    assert names("they left the Office early") == []
    assert names("they watched The Office early") == [("The Office", "art")]
    assert names("troy is a weight") == []


def test_a_capital_that_only_begins_the_sentence_makes_no_name():
    assert names("Troy fell") == []
    assert names("Old Troy fell") == [("Old Troy", "location")]


def test_a_part_of_a_longer_name_is_none():
    assert names("the Fall of Troy came") == [("Troy", "location")]  # "of" parts them
    assert names("in North York fell") == []
    assert names("in Troy Ounces we") == []
    assert names("in Troy - Ilium we") == []
    assert names("Near Troy we") == []
    assert names("so near Troy we") == [("Troy", "location")]


def test_a_name_within_another_is_none_also_where_that_is_left_out():
    assert names("the Duke of York fell") == [("Duke of York", "person")]
    assert names("the Grand Duke of York fell") == []


def test_a_name_that_has_stood_in_enough_sentences_draws_no_more_of_them():
    texts = [
        "so Troy fell",
        "no name",
        "so Troy rose",
        "in Troy we",
        "at Rome we",
        "near York we",
    ]
    labelled = list(listed.labelled([joined(text.split()) for text in texts], CLASSES))
    drawn = [sentence.text for sentence in listed.drawn(labelled, words=100, cap=2)]
    assert drawn == ["so Troy fell", "so Troy rose", "near York we"]
    assert len(list(listed.drawn(labelled, words=4, cap=2))) == 2
    both = next(listed.labelled([joined("from Troy to York".split())], CLASSES))
    assert len(list(listed.drawn([*labelled[:1], both, both], words=100, cap=1))) == 2


@pytest.mark.parametrize("text", ["Troy", "a b c"])
def test_a_text_without_names_has_no_mention(text):
    assert names(text) == []
