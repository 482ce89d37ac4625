"""Trains small language models that differ in one choice, to see what moves the mean embedding.

Biś et al. (2021), section 3.3, ask why embeddings share a direction. An arm is one causal or masked
model of a small vocabulary; it differs from the others in one choice of its training. All arms use
AdamW for the other weights. The measures along the steps are of the *output* matrix.

Axes: v entries of the vocabulary, d dimensions.
"""

import dataclasses
import hashlib
import multiprocessing
import os
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from tokenizers import Tokenizer

from cwr import paths
from cwr.corpora import Article
from cwr.corpora.wiki_text.articles import first_words
from cwr.errors import UserError
from cwr.making.language_models import (
    causal_masked,
    optimiser,
    predictions,
    recipes,
    start_vectors,
    text,
)
from cwr.making.language_models.causal_masked import TransformerLearner
from cwr.making.language_models.recipes import Recipe
from cwr.measures import isotropy, rare_words, stats
from cwr.measures.contextuality import mean_pairwise_cosine, unit_rows
from cwr.measures.output_layer import nontarget_rows
from cwr.training import loop, loss

ARMS = {
    "adamw": {},
    "sgd": {"embeddings": "sgd"},
    "coupled": {"embeddings": "coupled"},
    "rowwise": {"embeddings": "rowwise"},
    "bias-zero": {"bias": "zero"},
    "bias-counts": {"bias": "counts"},
    "cosreg-1": {"penalty": 1.0},
    "cosreg-10": {"penalty": 10.0},
    "start-counts": {"start": "counts"},
    "masked-bias-counts": {"family": "masked", "bias": "counts"},
    "masked-bias-zero": {"family": "masked", "bias": "zero"},
    "masked-start-counts": {"family": "masked", "bias": "counts", "start": "counts"},
}
UNTIED = "-untied"  # behind the name of an arm: an output matrix of its own
LAYERS, HEADS, CONTEXT, ROWS = 2, 2, 32, 16  # of every arm; rows are windows a step
RATE, WARM_UP, SECOND_MOMENT = 1e-3, 50, 0.95  # WARM_UP in steps; then the rate stays
HELD_OUT = 10  # every tenth article is not trained on
HELD_OUT_WORDS = 10_000
BINS = 7  # of the used entries, equally many in each, from common to rare
OUTCOMES = ("held_out_loss", "mean_vector_shift", "unused_order")  # measured on this page alone
MODULES = (loop, loss, causal_masked, optimiser, predictions, recipes, start_vectors, text)
SOURCES = [Path(file) for file in (__file__, *(module.__file__ for module in MODULES))]


@dataclass(frozen=True, eq=False)
class Text:
    """A small text: its training part, its held-out articles, and the tokenizer of its words."""

    tokenizer: Tokenizer
    pieces: np.ndarray  # (pieces,) of the training text
    heldout: tuple[Article, ...]

    @classmethod
    def of(cls, articles: Sequence[Article], vocabulary: int, unused: int) -> "Text":
        """Splits articles into a training and a held-out part, and builds the vocabulary.

        vocabulary: the number of words, the commonest. unused: of entries that no text contains.

        Raises UserError for too few articles to hold one out.
        """
        if len(articles) < HELD_OUT:
            raise UserError(
                f"the text has {len(articles)} documents, and every {HELD_OUT}th is held out: take "
                "more text, or part its documents by blank lines"
            )
        is_heldout = np.arange(len(articles)) % HELD_OUT == HELD_OUT - 1
        training = [articles[i] for i in np.flatnonzero(~is_heldout)]
        heldout = [articles[i] for i in np.flatnonzero(is_heldout)]
        tokenizer = text.word_tokenizer(training, vocabulary, unused)
        pieces = text.encode(tokenizer, training)
        return cls(tokenizer, pieces, tuple(first_words(HELD_OUT_WORDS, heldout)))


@dataclass(frozen=True)
class Run:
    """One training: an arm and a seed."""

    arm: str  # of ARMS, with UNTIED behind it or not
    seed: int
    dim: int
    steps: int

    @property
    def recipe(self) -> Recipe:
        """The settings of the training. Raises UserError for an arm that does not exist."""
        name = self.arm.removesuffix(UNTIED)
        if name not in ARMS:
            raise UserError(
                f"there is no arm {self.arm!r}: choose among {', '.join(ARMS)}, each with "
                f'"{UNTIED}" behind it if the output matrix shall be one of its own'
            )
        small = {"layers": LAYERS, "heads": HEADS, "size": CONTEXT, "rows": ROWS, "decay": 0.0}
        return Recipe(
            **{"rate": RATE, "start": "plain", **small, **ARMS[name]},
            dim=self.dim,
            seed=self.seed,
            tied=name == self.arm,
        )

    def learner(self, small: Text) -> TransformerLearner:
        """Builds a new model of this arm, before its first step."""
        kind = {"causal": causal_masked.Causal, "masked": causal_masked.Masked}
        new_pieces = self.steps * ROWS * (CONTEXT - 1)  # at the most
        recipe = dataclasses.replace(self.recipe, epochs=1 + new_pieces / len(small.pieces))
        return kind[recipe.family](recipe, small.pieces, small.tokenizer, len(small.pieces))

    def train(
        self, model: TransformerLearner, visit: Callable[[int], None] | None = None
    ) -> TransformerLearner:
        """Trains a new model of this arm; calls `visit` with log-spaced steps and the last one."""
        schedule = dataclasses.replace(
            model.schedule, warm_up=WARM_UP / model.steps, floor=1.0, second_moment=SECOND_MOMENT
        )
        visits = loop.log_steps(self.steps, points=8)
        options = {"until": self.steps, "visit": visit, "visits": visits}
        with tempfile.TemporaryDirectory() as folder:
            for _ in loop.train(model, schedule, Path(folder), **options):
                pass
        if visit:
            visit(self.steps)
        return model

    def course(self, small: Text) -> pd.DataFrame:
        """Trains a model; returns a row per visited step, columns `step` and those of `measured`.

        Between the first row and the last one, only the measures of `watched` are there.
        """
        model = self.learner(small)
        start = matrix_of(model).mean(axis=0)  # (d,)
        rows = []

        def look(step: int) -> None:
            is_end = step in (0, self.steps)
            values = measured(model, small, start) if is_end else watched(model, start)
            rows.append({"step": step, **values})

        self.train(model, look)
        return pd.DataFrame(rows)


def courses(small: Text, runs: Sequence[Run], workers: int = 0) -> pd.DataFrame:
    """Trains all runs that are not cached; returns all courses, with columns `arm` and `seed`.

    workers: processes of one thread each (0: as many as torch may use threads). Each finished
    course is cached, so that an interrupted call can go on. Raises UserError for an arm that does
    not exist, before anything is trained.
    """
    files = {run: _file(small, run) for run in runs}
    missing = [run for run, file in files.items() if not file.exists()]
    workers = min(workers or torch.get_num_threads(), len(missing))
    if workers > 1:
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin) as pool:
            kept = [pool.submit(_keep, small, run, files[run]) for run in missing]
            for future in kept:
                future.result()
    else:
        for run in missing:
            _keep(small, run, files[run])
    tables = []
    for run, file in files.items():
        table = pd.read_csv(file)
        table.insert(0, "arm", run.arm)
        table.insert(1, "seed", run.seed)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def _begin() -> None:
    """What a worker does first: one thread, and an end with the process that started it."""
    torch.set_num_threads(1)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A worker of a killed process would wait for work for ever."""
    multiprocessing.parent_process().join()
    os._exit(1)


def _keep(small: Text, run: Run, file: Path) -> None:
    """Train, and leave the course in a file that is whole at any time."""
    content = run.course(small).to_csv(index=False, lineterminator="\n")
    with paths.writing_cache():
        paths.write_text(file, content)


def _file(small: Text, run: Run) -> Path:
    """Where the course of a run is kept: named after all that decides it."""
    digest = hashlib.sha256(repr((run, run.recipe, torch.__version__)).encode())
    digest.update(small.pieces.tobytes())
    digest.update(repr((small.tokenizer.get_vocab_size(), small.heldout)).encode())
    for source in SOURCES:
        digest.update(source.read_bytes())
    return paths.cache_root() / "arms" / f"{digest.hexdigest()}.csv"


def matrix_of(model: TransformerLearner) -> np.ndarray:
    """Returns a model's output matrix, (v, d) float64."""
    return model.matrices[-1].detach().double().cpu().numpy()


def watched(model: TransformerLearner, start: np.ndarray) -> dict[str, float]:
    """Computes the measures that are followed at each visited step of a training, {measure: value}.

    start: (d,), the mean row before the first step. Outputs are the vectors that enter the output
    layer in the windows of the first step. `hidden_mean_cosine` is the mean cosine of pairs of
    outputs; `mean_output_cosine` is between the mean output and the mean row; `nontarget_cosine` is
    the mean cosine of the gradients of rows that are no target there. [PAD] starts from zeros in
    BERT, has no direction then, and is left out of `embedding_mean_cosine`.
    """
    matrix = matrix_of(model)
    mean = matrix.mean(axis=0)
    with torch.no_grad():
        hidden, targets = (values.cpu().numpy() for values in model.outputs(0))
    return {
        "mean_vector_norm": float(np.linalg.norm(mean)),
        "mean_vector_shift": float(np.linalg.norm(mean - start)),
        "embedding_norm": float(np.linalg.norm(matrix, axis=1).mean()),
        "embedding_mean_cosine": mean_pairwise_cosine(matrix[text.PAD + 1 :]),
        "mean_output_cosine": float(unit_rows([mean])[0] @ unit_rows([hidden.mean(axis=0)])[0]),
        "hidden_mean_cosine": mean_pairwise_cosine(hidden),
        "nontarget_cosine": mean_pairwise_cosine(nontarget_rows(matrix, hidden, targets)),
    }


def measured(model: TransformerLearner, small: Text, start: np.ndarray) -> dict[str, float]:
    """Computes the measures at a training's first and last step: those of `watched` and others.

    `unused_order` is Spearman's correlation of the bins' rarity with the cosine of their tokens to
    the never-used tokens: 1 if rarer tokens are always nearer, as in Figure 3.
    """
    matrix = matrix_of(model)
    cosines = unused_cosines(matrix, small)
    return {
        "held_out_loss": model.held_out(small.heldout),
        **watched(model, start),
        "partition_isotropy": isotropy.partition_isotropy(matrix, sign="both"),
        "unused_order": float(stats.rank_correlation(cosines, np.arange(BINS))),
        **{f"unused_cosine_bin_{number}": cosine for number, cosine in enumerate(cosines, start=1)},
    }


def unused_cosines(matrix: np.ndarray, small: Text) -> np.ndarray:
    """Averages the cosine of never-used tokens with each bin of tokens, common to rare, (BINS,).

    matrix: (v, d). Biś et al. (2021), Figure 3, by counted frequency.
    """
    learned = text.learned(small.tokenizer)
    counts = np.bincount(small.pieces, minlength=len(matrix))[: learned.stop]
    used = np.flatnonzero(counts)
    by_frequency = used[np.argsort(-counts[used], kind="stable")]
    unused = np.arange(learned.stop, len(matrix))
    return rare_words.mean_cosines(matrix, unused, np.array_split(by_frequency, BINS))


def rows(table: pd.DataFrame) -> list[dict]:
    """Returns the last step of each run of `courses`, as rows for `results.write`.

    Keys: estimator (the arm), class ("tied" or "untied": the output matrix), seed, and k for the
    bins of frequency (1: the commonest). Measures that other pages take of whole models end in
    "_trained".
    """
    ends = table[table["step"] == table.groupby("arm")["step"].transform("max")]
    rows = []
    for end in ends.drop(columns="step").to_dict("records"):
        arm, seed = end.pop("arm"), end.pop("seed")
        name = arm.removesuffix(UNTIED)
        keys = {"estimator": name, "class": "tied" if name == arm else "untied", "seed": seed}
        for measure, value in end.items():
            measure, _, number = measure.partition("_bin_")
            bin_ = {"k": int(number)} if number else {}
            measure = measure if measure in OUTCOMES else f"{measure}_trained"
            rows.append({"measure": measure, **keys, **bin_, "value": value})
    return rows
