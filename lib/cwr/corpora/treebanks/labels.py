"""An interface to the labels of a corpus: one per word for taggers, a table of spans for probes."""

from typing import TYPE_CHECKING

import numpy as np

from cwr.corpora.sentences import Corpus
from cwr.corpora.treebanks import entities
from cwr.errors import UserError, quoted

if TYPE_CHECKING:
    import pandas as pd

SPLITS = TRAIN, DEV, TEST = ("train", "dev", "test")
ENTITIES = "entities"
MENTIONS = "mentions"  # of coreference, in a corpus where those are other spans than its entities
COLUMNS = ["sentence", "first", "last", "class", "document", "split"]


def numbers(corpus: Corpus, *splits: str) -> np.ndarray:
    """Returns the indices of a corpus's sentences in some splits, ascending, (sentences,).

    Raises UserError for a corpus that is not divided, and for a split without a sentence.
    """
    names = np.array(annotations(corpus, "split"))
    for split in splits:
        if split not in names:
            raise UserError(f"no sentence of {corpus.name} is in {quoted(split)}: take {SPLITS}")
    return np.flatnonzero(np.isin(names, splits))


def word_labels(corpus: Corpus, annotation: str) -> list[list[str]]:
    """Returns the label of each word of each sentence.

    annotation: "upos", "xpos", "relations", or "entities", whose labels are IOB2 tags.
    Raises UserError for a corpus without this annotation, and for entities that share a word.
    """
    values = annotations(corpus, annotation)
    if annotation != ENTITIES:
        return values
    labels = []
    for sentence, spans in zip(corpus.sentences, values, strict=True):
        try:
            labels.append(entities.tags(spans, len(sentence.spans)))
        except ValueError as error:
            raise UserError(
                f"a word of {corpus.name} has no one entity tag (sentence {sentence.id}: {error}): "
                "take its span table"
            ) from None
    return labels


def span_table(corpus: Corpus, annotation: str = ENTITIES) -> "pd.DataFrame":
    """Tabulates labelled spans, one per row: `COLUMNS`, and `chain` if there is coreference.

    sentence: its number in the corpus. first, last: the span's words, inclusive, as in extraction.
    chain: a name, unique in the corpus, shared by mentions of one thing in a document.
    Raises UserError for a corpus without this annotation or without splits.
    """
    import pandas as pd

    rows, chains = [], []
    spans, splits = annotations(corpus, annotation), annotations(corpus, "split")
    has_chains = annotation == mentions(corpus)
    for number, sentence in enumerate(corpus.sentences):
        rows += [[number, *span, sentence.document, splits[number]] for span in spans[number]]
        of_sentence = sentence.annotations.get("chains", []) if has_chains else []
        chains += [f"{sentence.document}.{chain}" for chain in of_sentence]
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.assign(chain=chains) if chains else table


def mentions(corpus: Corpus) -> str:
    """Returns the name of the annotation whose spans the coreference `chains` belong to.

    MENTIONS if every sentence has this annotation, else ENTITIES.
    """
    of_its_own = all(MENTIONS in sentence.annotations for sentence in corpus.sentences)
    return MENTIONS if of_its_own else ENTITIES


def annotations(corpus: Corpus, annotation: str) -> list:
    """Returns one annotation of each sentence; UserError if a sentence lacks it."""
    if not all(annotation in sentence.annotations for sentence in corpus.sentences):
        raise UserError(
            f"the corpus {corpus.name} has no annotation {quoted(annotation)}: take one of a treebank "
            "or of a text with entities, such as gum"
        )
    return [sentence.annotations[annotation] for sentence in corpus.sentences]
