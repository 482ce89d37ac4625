"""Classes 2, 6 and 9: words with classes that cannot be probed, and files of Wikipedia."""

import bz2
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from bad_inputs.folders import copied, edit
from bad_inputs.row import Row

from cwr import encoders
from cwr.corpora import Corpus, fingerprint, wikitext
from cwr.corpora.sentences import joined
from cwr.corpora.wiki_pse import contexts, mentions
from cwr.corpora.wiki_pse.mentions import MENTIONS, mention
from cwr.corpora.wikitext import Page
from cwr.estimates.choices import of_kinds
from cwr.texts.zhao2020 import (
    choices,
    probe_training,
    probed_contexts,
    probes,
    probing_sets,
)

DEPTH, SIZES = (
    "cwr run zhao2020/03_contextualized -p",
    "cwr run zhao2020/04_context_size -p",
)
TUNING, BANDS = (
    "cwr run zhao2020/05_finetuning -p",
    "cwr run zhao2020/07_local_attention -p",
)
DUMP = "dump.xml.bz2"  # in the checkout
XML = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/"><page><title>Troy</title>'
TEXT = "in Troy they sang all night"
ASIDE = 150  # words, more than cwr-bert reads at once


def corpus(text: str = TEXT, first: int = 1, last: int = 1) -> Corpus:
    """A sentence in which words `first` to `last` are a place."""
    place = mention((first, last), "location", "Troy", is_link=True)
    sentence = replace(joined(text.split()), id="1", annotations={MENTIONS: [place]})
    return Corpus("mine", (sentence,), fingerprint([sentence]), "ours")


def table() -> pd.DataFrame:
    """The contexts of a sentence with one place, divided."""
    return contexts.contexts(corpus()).assign(split="train")


def checked(change: Callable[[pd.DataFrame], pd.DataFrame]) -> Callable[[Path], None]:
    """What checks a table of contexts that was changed."""
    return lambda _: contexts.check(corpus(), change(table()))


def in_two_splits(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([rows, rows.assign(split="test")])


def without_a_class(_: Path) -> None:
    """Ask for the contexts of a text whose words have no class."""
    plain = corpus()
    sentences = tuple(replace(sentence, annotations={}) for sentence in plain.sentences)
    contexts.contexts(replace(plain, sentences=sentences))


def unclosed(_: Path) -> None:
    mentions.linked([Page(1, "Troy", "A city near [[Ilium and the sea.")])


def cut_dump(checkout: Path) -> None:
    """A dump that ends in the middle of a page."""
    (checkout / DUMP).write_bytes(bz2.compress(XML.encode()))


def all_pages(checkout: Path) -> list[Page]:
    return list(wikitext.pages(checkout / DUMP))


def trained(classes: tuple[str, ...] = ("art", "person"), vector: float = 0.0) -> Callable:
    """What trains probes on two contexts, both of the class "art", with one number in them."""

    def train(_: Path) -> None:
        vectors, labels = [np.full((2, 3), vector, np.float32)], ["art", "art"]
        probe_training.train(vectors, labels, vectors, labels, classes)

    return train


def with_few_words(_: Path) -> None:
    probing_sets.answers([np.zeros((1, 3), np.float32)], table())


def without_mask(checkout: Path) -> None:
    """A masked model whose tokenizer names no mask."""
    edit(copied("bert", checkout) / "tokenizer_config.json", mask_token=None)


def hidden(checkout: Path) -> None:
    """Hide a target from that model."""
    model = encoders.load(str(checkout / "mine"))
    probed_contexts.shown(model, corpus(), table(), reads="context")


def beyond_the_window(_: Path) -> None:
    """Read a target in the middle of a sentence that the model does not read at once."""
    model = encoders.load("cwr-bert")
    long = " ".join(["rivers"] * ASIDE + ["Troy"] + ["rivers"] * ASIDE)
    text = corpus(long, ASIDE, ASIDE)
    targets = contexts.contexts(text)
    shown, moved = probed_contexts.shown(model, text, targets)
    first, n_words = moved["first"].iloc[0], len(shown.sentences[0].words)
    assert probed_contexts.is_beyond_window(model, text, targets).all()
    assert 2 * first + 1 == n_words < len(text.sentences[0].words)
    assert shown.sentences[0].words[first] == "Troy"


ROWS = [
    Row(9, "a word in two splits", checked(in_two_splits),
        "^cwr: the word 'troy' is in train and in test: split by word$"),
    Row(9, "a context without its word", checked(lambda rows: rows.assign(first=2, last=2)),
        "^cwr: a context of 'troy' shows 'they' instead .*: make the table of this corpus$"),
    Row(9, "a mention outside its text",
        lambda _: contexts.contexts(corpus("all about Troy now yes", 2, 5)),
        "^cwr: words 2 to 5 lie outside the sentence '1', which has words 0 to 4: mend the targ"),
    Row(9, "a text without semantic classes", without_a_class,
        "^cwr: no sentence of mine has a word with a semantic class: take wiki-anchors, or a "),
    Row(6, "a link that is never closed", unclosed,
        r"^cwr: the article 'Troy' cannot be read: a link is never closed .*; close it, or leave"),
    Row(6, "a dump of Wikipedia cut in the middle", all_pages,
        "^cwr: .*dump.xml.bz2 is cut short or no dump of a wiki .*: get the file again$",
        prepare=cut_dump),
    Row(9, "a class without a context to train on", trained(),
        "^cwr: no training context is of the class 'person', so it cannot be learned: leave it"),
    Row(9, "no class with enough words to train on", with_few_words,
        "^cwr: no class has 10 words to train on, and probes need as many: take a larger corpus$"),
    Row(9, "a class to be tested that no probe was trained on",
        lambda _: probes.numbered(["art", "person"], ["art"]),
        "^cwr: contexts to be tested have the class 'person' .1 of 2., which no probe was train"),
    Row(2, "NaN in what a probe reads", trained(("art",), float("nan")),
        "^cwr: the vector of context 0 holds what is no finite number in array 0 of 1 .2 of 2 "),
    Row(9, "a target hidden from a model without a mask", hidden,
        "mine is a masked model whose tokenizer has no mask, so no target can be hidden",
        prepare=without_mask),
    Row(9, "a target beyond the window, which is centred in it", beyond_the_window, "", 0),
    Row(9, "a kind of choices of probes that is none", lambda _: of_kinds(choices.CHOICES, ["tie"]),
        "^cwr: 'tie' is no kind of choice: did you mean 'ties'"),
    Row(9, "no contexts a pair", f"{DEPTH} cap 0",
        "^cwr: parameter 'cap' of zhao2020/03_contextualized must be at least 1"),
    Row(9, "fewer hidden units than none", f"{DEPTH} hidden -1",
        "^cwr: parameter 'hidden' of zhao2020/03_contextualized must be at least 0"),
    Row(9, "a target pooled by its first piece", f"{DEPTH} pooling first",
        "^cwr: parameter 'pooling' of zhao2020/03_contextualized must be pieces, words or last"),
    Row(9, "one size of contexts", f"{SIZES} sizes '[2]'",
        "^cwr: parameter 'sizes' of zhao2020/04_context_size must have at least 2 entries"),
    Row(9, "one look at a tuning", f"{TUNING} updates '[0]'",
        "^cwr: parameter 'updates' of zhao2020/05_finetuning must have at least 2 entries"),
    Row(9, "no bands on attention", f"{BANDS} bands '[]'",
        "^cwr: parameter 'bands' of zhao2020/07_local_attention must have at least 1 entry"),
]  # fmt: skip
