"""A task asked of one more sentence, such as a reader's: only this sentence is tested.

N words of a corpus, m of the sentence
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import corpora
from cwr.corpora import Corpus, Sentence
from cwr.corpora.edge_tasks import Task
from cwr.corpora.folds import TRAINED
from cwr.errors import UserError, quoted
from cwr.training.probes import spans
from cwr.training.probes.spans import Words

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

ASKED = "asked"  # document and name of the sentence


def words_of(text: str, span: str) -> tuple[Sentence, tuple[int, int]]:
    """The sentence of a text that has these words, and the first and last of them, inclusive.

    Raises UserError for a text of no or several sentences, and for words that do not stand in it.
    """
    sentences = corpora.tokenise(text)
    if len(sentences) != 1:
        raise UserError(f"give a text of one sentence; {quoted(text)} has {len(sentences)}")
    (sentence,) = sentences
    start = sentence.text.find(span)
    ends = {end: number for number, (_, end) in enumerate(sentence.spans)}
    starts = {begin: number for number, (begin, _) in enumerate(sentence.spans)}
    while start >= 0 and span:
        if start in starts and start + len(span) in ends:
            return sentence, (starts[start], ends[start + len(span)])
        start = sentence.text.find(span, start + 1)
    raise UserError(
        f"the words {quoted(span)} do not stand in the text {quoted(text)}: give a span of it, with "
        "its capitals"
    )


def asked(
    encoder: "Encoder",
    vectors: Words,
    task: Task,
    sentence: Sentence,
    target: Sequence[int],
    label: str,
) -> tuple[Words, Task]:
    """Vectors and task with one more target, of which alone the probes are asked; all else is learned.

    vectors: of the task's corpus. target: first and last word, inclusive. label: one of the task's,
    held to be right.
    Raises UserError for another label and for a task of pairs.
    """
    if label not in task.labels or task.is_of_pairs:
        raise UserError(
            f"a span of the task {task.name} cannot have the label {quoted(label)}: choose of "
            f"{', '.join(task.labels)}"
        )
    corpus = Corpus(ASKED, (sentence,), corpora.fingerprint([sentence]), "")
    read = spans.words(encoder, corpus)
    layers = [
        np.concatenate([layer, new]) for layer, new in zip(vectors.layers, read.layers, strict=True)
    ]
    starts = np.append(vectors.starts, vectors.starts[-1] + len(sentence.spans))
    sentences = (*task.corpus.sentences, sentence)
    longer = replace(task.corpus, sentences=sentences, fingerprint=corpora.fingerprint(sentences))
    row = {"document": ASKED, "genre": "", "sentence": len(sentences) - 1, "label": label}
    row |= {"first": target[0], "last": target[1], "order": 0, "fold": 0}
    learned = task.table.assign(fold=TRAINED)
    table = pd.concat([learned, pd.DataFrame([row])], ignore_index=True)[task.table.columns]
    key = f"{vectors.identity} and {read.identity}"
    return Words(layers, starts, key), Task(task.name, longer, table, task.labels)
