"""Batches the targets of a task by whole sentences, for learners that read sentences.

n targets, N words of a batch end to end, w dimensions of a word, L layers, C labels, S seeds,
K kinds of learners
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import torch

from cwr.corpora import Corpus, fingerprint, treebanks
from cwr.corpora.edge_tasks import SECOND, SPAN, EdgeTask
from cwr.corpora.folds import TRAINED, stable_hash
from cwr.corpora.tasks import Task as SentenceTask
from cwr.encoders.pieces import concatenated_ranges
from cwr.errors import UserError
from cwr.texts.survey.edge_probes import SOFTMAX, ProbePredictions


@dataclass(frozen=True)
class SentenceBatch:
    """A batch of sentences, end to end.

    sentences: their numbers in the corpus. lengths: words of each. sides: for each span of a target
    its first words in the batch and its numbers of words, (n,) each. gold: (n,), numbers of labels.
    rows: (n,), of the task's table.
    """

    sentences: np.ndarray
    lengths: np.ndarray
    sides: list[tuple[torch.Tensor, torch.Tensor]]
    gold: torch.Tensor
    rows: np.ndarray

    def pooled(self, words: torch.Tensor) -> torch.Tensor:
        """Averages words (N, w) over spans, (n, w); of pairs as `with_products`, (n, 4 w)."""
        means = [span_means(words, *side) for side in self.sides]
        if len(means) > 1:
            one, other = means
            means += [one * other, (one - other).abs()]
        return torch.cat(means, dim=1)


def vectors_a_target(task: EdgeTask) -> int:
    """Returns the number of vectors that `SentenceBatch.pooled` has of each target."""
    return 4 if task.is_of_pairs else 1


class Targets:
    """The targets of a task, by sentence."""

    def __init__(self, task: EdgeTask):
        self.task = task
        sentence = task.table["sentence"].to_numpy()
        number = len(task.corpus.sentences)
        self.order = np.argsort(sentence, kind="stable")
        self.count = np.bincount(sentence, minlength=number)
        self.first = np.cumsum(self.count) - self.count  # of each sentence's targets, in `order`
        self.lengths = np.array([len(each.spans) for each in task.corpus.sentences])

    def batch(self, sentences: np.ndarray) -> SentenceBatch:
        """Collects these sentences, by their numbers, in this order."""
        lengths, count = self.lengths[sentences], self.count[sentences]
        begin = np.repeat(np.cumsum(lengths) - lengths, count)
        rows = self.order[concatenated_ranges(self.first[sentences], count)]
        table = self.task.table.iloc[rows]
        sides = []
        for first, last in (SPAN, SECOND)[: 1 + self.task.is_of_pairs]:
            words = table[last].to_numpy() - table[first].to_numpy() + 1
            begins = torch.from_numpy(begin + table[first].to_numpy())
            sides.append((begins, torch.from_numpy(words)))
        return SentenceBatch(
            sentences, lengths, sides, torch.from_numpy(self.task.gold[rows]), rows
        )


def of_sentences(task: SentenceTask) -> EdgeTask:
    """Converts a task about sentences to one about spans; each is a span, and a document.

    Training sentences are never tested; dev sentences are the one fold. Sentences without a word
    are left out. Raises ValueError for a task about words.
    """
    if task.of_words:
        raise ValueError(f"the task {task.name} is about words, not about sentences")
    rows = []
    for fold, numbers in ((TRAINED, task.train), (0, task.dev)):
        for number in numbers:
            last = len(task.sentences[number].spans) - 1
            label = task.classes[task.labels[number][0]]
            rows += [[number, number, fold, label, 0, last]] if last >= 0 else []
    columns = ["document", "sentence", "fold", "label", *SPAN]
    table = pd.DataFrame(rows, columns=columns).sort_values("sentence", ignore_index=True)
    corpus = Corpus(task.data, task.sentences, fingerprint(task.sentences), "")
    return EdgeTask(task.name, corpus, table, task.classes)


def by_split(task: EdgeTask) -> EdgeTask:
    """Divides targets by the corpus' split: training targets are only learned, others tested.

    Raises UserError for a corpus that is not divided, and if all its targets are in training
    documents.
    """
    number = task.table["sentence"].to_numpy()
    is_learned = np.isin(number, treebanks.numbers(task.corpus, treebanks.SPLITS[0]))
    if is_learned.all():
        raise UserError(
            f"all targets of the task {task.name} are in training documents of {task.corpus.name}: "
            "take a larger corpus, whose test part has some"
        )
    return replace(task, table=task.table.assign(fold=np.where(is_learned, TRAINED, 0)))


def span_means(words: torch.Tensor, begin: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Averages over each span: words (N, w), first words (n,), numbers of words (n,) -> (n, w)."""
    rows = torch.from_numpy(concatenated_ranges(begin.numpy(), lengths.numpy()))
    target = torch.arange(len(lengths)).repeat_interleave(lengths).to(words.device)
    sums = words.new_zeros(len(lengths), words.shape[1]).index_add(0, target, words[rows])
    return sums / lengths[:, None].to(words.device)


def drawn(task: EdgeTask, fold: int, most: int, within: bool) -> np.ndarray:
    """Draws at most `most` sentences with targets, as ascending numbers; 0: all.

    within: whether they are those of the fold, or those of all others. They are drawn by a hash of
    their names, so that a smaller draw is part of a larger one.
    """
    is_in = (task.table["fold"] == fold).to_numpy()
    numbers = np.unique(task.table["sentence"].to_numpy()[is_in == within])
    order = [stable_hash(task.corpus.sentences[number].id) for number in numbers]
    chosen = numbers[np.argsort(order, kind="stable")]
    return np.sort(chosen[:most] if most else chosen)


def of_step(
    sentences: np.ndarray, lengths: np.ndarray, step: int, batch: int, seed: int
) -> np.ndarray:
    """Returns the sentences of a step, counted from 0; every epoch reads each once in a new order.

    Sentences of a batch are of similar length, which saves steps of a recurrence. lengths: in
    words, of all sentences of the corpus. One batch of an epoch may be smaller.
    """
    epoch, place = divmod(step, -(-len(sentences) // batch))
    draw = np.random.default_rng((seed, epoch))
    shuffled = draw.permutation(sentences)
    by_length = shuffled[np.argsort(lengths[shuffled], kind="stable")]
    batches = np.split(by_length, np.arange(batch, len(sentences), batch))
    return batches[draw.permutation(len(batches))[place]]


# ---- what is said of the tested targets


@dataclass(frozen=True, eq=False)
class FoldAnswers:
    """The predictions on one fold.

    rows: (n,), those tested. logits: (S, K, n, C). weights: (S, K, L), of the layers in each mix.
    norms: (L,), the mean length of the vectors of each layer.
    """

    rows: np.ndarray
    logits: np.ndarray
    weights: np.ndarray
    norms: np.ndarray


def predictions_of_folds(
    task: EdgeTask, kinds: Sequence[str], folds: Sequence[FoldAnswers]
) -> ProbePredictions:
    """Joins the predictions on all folds in the order of the task's table; the probes mixed scaled
    layers, and each target has one label.

    The probes mixed scaled layers.
    """
    rows = np.concatenate([fold.rows for fold in folds])
    order = np.argsort(rows)
    rows, table = rows[order], task.table.iloc[rows[order]]
    logits = np.concatenate([fold.logits for fold in folds], axis=2)[:, :, order]
    return ProbePredictions(
        task=task.name,
        labels=task.labels,
        scored=task.scored,
        kinds=tuple((kind,) for kind in kinds),
        logits=logits.astype(np.float16),
        answers=SOFTMAX,
        gold=task.gold[rows],
        rows=rows,
        document=table["document"].to_numpy(),
        fold=table["fold"].to_numpy(),
        documents=np.unique(table["document"]),
        weights=np.stack([fold.weights for fold in folds], axis=1),
        norms=np.mean([fold.norms for fold in folds], axis=0),
        scaled=True,
    )
