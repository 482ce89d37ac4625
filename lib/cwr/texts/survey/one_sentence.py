"""Adds one sentence, such as a reader's, to a task; only this sentence is tested.

N words of a corpus, m of the sentence
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import corpora
from cwr.corpora import Corpus, Sentence
from cwr.corpora.edge_tasks import EdgeTask
from cwr.corpora.folds import TRAINED
from cwr.corpora.one_sentence import words_of as words_of
from cwr.errors import UserError, quoted
from cwr.texts.survey import spans
from cwr.texts.survey.spans import Words

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

ASKED = "asked"  # document and name of the sentence


def asked(
    encoder: "Encoder",
    vectors: Words,
    task: EdgeTask,
    sentence: Sentence,
    target: Sequence[int],
    label: str,
) -> tuple[Words, EdgeTask]:
    """Adds one target to vectors and task; only the new target is tested, all others are learned.

    vectors: of the task's corpus. target: first and last word, inclusive. label: one of the task's,
    taken as right.
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
    return Words(layers, starts, key), EdgeTask(task.name, longer, table, task.labels)
