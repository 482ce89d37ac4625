"""What each text asks, what came out, and the figures that carry it: sentences written by hand.

A sentence is a function of a `Book`, which gives it the numbers; a sentence whose numbers are not
there is left out.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from html import escape
from itertools import combinations

import numpy as np
import pandas as pd

from cwr.papers import registry
from cwr.papers.claims import thresholds
from cwr.report import render
from cwr.report.findings import spoken_of
from cwr.report.judgement import FAILS, HOLDS, LESS, MORE, SAME, UNDECIDED, Verdict
from cwr.report.render import Judged
from cwr.report.results import Results
from cwr.tables import where
from cwr.texts.bis2021.claims.table_1 import is_shifted
from cwr.texts.gupta2021 import classification


class Missing(LookupError):
    """Results that this copy of the book does not have."""


@dataclass(frozen=True)
class Book:
    """The verdicts of a run, and its estimates.

    judged: {id: a claim with the verdicts of all profiles}. read: returns a notebook's richest
        results, or None. longer: the notebooks whose richest results are of the longer run.
    """

    judged: dict[str, Judged]
    read: Callable[[str], Results | None]
    longer: Collection[str] = ()

    def said(self, write: Callable[["Book"], str]) -> str:
        """Returns what a story writes; "" if it names a model or numbers that are missing."""
        try:
            return write(self)
        except LookupError:
            return ""

    def words(self, claim: str) -> dict[str, str]:
        """Returns {model or group: verdict} on those of our models that a claim speaks of.

        Raises Missing if none was asked.
        """
        words = {name: each.verdict for name, each in self._verdicts(claim).items()}
        if not words:
            raise Missing(claim)
        return words

    def holding(self, claim: str) -> str:
        """Returns on how many models a claim holds: "3 of 5"."""
        return f"{self.number(claim, HOLDS)} of {len(self.words(claim))}"

    def number(self, claim: str, word: str) -> int:
        """Returns the number of models with a verdict."""
        return list(self.words(claim).values()).count(word)

    def so(self, claim: str, holds: str, fails: str, undecided: str) -> str:
        """Returns one of three phrases, by the verdict on the one model or group asked."""
        return {HOLDS: holds, FAILS: fails, UNDECIDED: undecided}[self._one(claim).verdict]

    def share(self, claim: str) -> str:
        """Says how sure a claim is on the one model asked: "is open (true in 31 % of the …)"."""
        support = self._one(claim).support
        if support is None:
            raise Missing(claim)
        said = self.so(claim, "holds", "fails", "is open")
        return f"{said} (true in {render.percent(support)} of the bootstrap samples)"

    def named(self, claim: str, word: str) -> str:
        """Returns the models with a verdict, as HTML: "cwr-bert, cwr-gpt"; "none" without one."""
        names = [name for name, each in self.words(claim).items() if each == word]
        return ", ".join(f"<code>{escape(name)}</code>" for name in names) or "none"

    def uncounted(self, claim: str) -> str:
        """Returns a sentence on the models that are drawn and that a claim does not count, or ""."""
        ours = self.judged[claim].deciding.ours
        names = ", ".join(f"<code>{escape(name)}</code>" for name in ours if ours[name].beyond)
        return names and f" {names}: not counted here, since the paper has no model of this kind."

    def copied(self, claim: str, word: str = "") -> str:
        """Returns for how many models with untrained copies these get the same verdict: "2 of 3".

        word: counts the models with this verdict only.
        """
        verdicts = self._verdicts(claim).values()
        said = [
            each.untrained for each in verdicts if each.untrained and word in ("", each.verdict)
        ]
        if not said:
            raise Missing(claim)
        return f"{sum(each in (SAME, LESS, MORE) for each in said)} of {len(said)}"

    def _one(self, claim: str) -> Verdict:
        verdicts = list(self._verdicts(claim).values())
        if len(verdicts) != 1:
            raise Missing(claim)
        return verdicts[0]

    def _verdicts(self, claim: str) -> dict[str, Verdict]:
        return spoken_of(self.judged[claim].deciding)

    def rows(self, notebook: str, **keys: object) -> pd.DataFrame:
        """Returns a notebook's estimates without variants under these keys; Missing if none."""
        results = self.read(notebook)
        rows = pd.DataFrame() if results is None else results.without_variants().table
        rows = rows if rows.empty else where(rows, **keys)
        if rows.empty:
            raise Missing(notebook)
        return rows


Write = Callable[[Book], str]


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A figure of the book, drawn small: its notebook and name, what it shows, and its numbers.

    rows: as `cards.thumbnail` takes them.
    """

    notebook: str
    figure: str
    label: str
    rows: Callable[[Book, pd.DataFrame], pd.DataFrame]


@dataclass(frozen=True, kw_only=True)
class Point:
    """A result in one or two sentences, as HTML, beside its picture."""

    says: Write
    picture: Picture


@dataclass(frozen=True, kw_only=True)
class Story:
    """A text on the front page, in a sentence, and on its own page, in points."""

    question: str
    answer: Write
    picture: Picture
    points: tuple[Point, ...]


# ---- what pictures are made of

Rows = Callable[[Book, pd.DataFrame], pd.DataFrame]


def by_layer(measure: str, **keys: object) -> Rows:
    """Returns a picture's `rows`: a measure of our models over their depth, beside printed ones.

    Vectors of no layer are a level line.
    """

    def rows(book: Book, numbers: pd.DataFrame) -> pd.DataFrame:
        ours = book.rows(numbers.attrs["notebook"], measure=measure, **keys)
        printed = numbers[numbers["source"] == "published"]
        both = pd.concat([ours.assign(is_printed=False), printed.assign(is_printed=True)])
        depth = both["layer"] / both.groupby("model")["layer"].transform("max")
        both = both.assign(x=depth.astype("Float64").astype(float))
        flat = both[both["x"].isna()]  # vectors of no layer
        both = pd.concat([both.dropna(subset="x"), flat.assign(x=0.0), flat.assign(x=1.0)])
        return _named(both, "model", ("input", "last layer"))

    return rows


def over(measures: dict[str, float], ends: tuple[str, str], **keys: object) -> Rows:
    """Returns a picture's `rows`: a line a model over measures at given places; ends: their names."""

    def rows(book: Book, numbers: pd.DataFrame) -> pd.DataFrame:
        notebook = numbers.attrs["notebook"]
        ours = [
            book.rows(notebook, measure=name, **keys).assign(x=x) for name, x in measures.items()
        ]
        return _named(pd.concat(ours), "model", ends)

    return rows


def _named(rows: pd.DataFrame, name: str, ends: tuple[str, str] = ("", "")) -> pd.DataFrame:
    """Returns rows with the columns that a small picture reads; ends: of the axis of its x."""
    columns = ["name", "family", "x", "y", "low", "high", "is_printed"]
    named = rows.assign(name=rows[name], y=rows["value"])
    named = named[[column for column in columns if column in named]]
    named.attrs["ends"] = ends
    return named


# ---- Ethayarajh (2019)

RANDOM_WORDS = Picture(
    notebook="ethayarajh2019/01_anisotropy",
    figure="random-words-by-layer",
    label="mean cosine of two random words",
    rows=by_layer("anisotropy_baseline"),
)
ONE_WORD = Picture(
    notebook="ethayarajh2019/02_self_similarity",
    figure="adjusted-self-similarity",
    label="self-similarity of a word, adjusted",
    rows=by_layer("adjusted_self_similarity"),
)


ONE_DIRECTION = Picture(
    notebook="ethayarajh2019/04_maximum_explainable_variance",
    figure="explained-variance-released",
    label="variance that one vector explains, adjusted",
    rows=by_layer("adjusted_maximum_explainable_variance", estimator="released"),
)
STATIC_SCORES = Picture(
    notebook="ethayarajh2019/07_static_embeddings",
    figure="static-scores",
    label="a vector a word, from each layer, on SimLex-999",
    rows=by_layer("static_benchmark_score", dataset="SimLex999"),
)


def _ethayarajh(book: Book) -> str:
    random = book.holding("eth-anisotropy-noninput")
    falling = book.holding("eth-selfsim-decreases.trend")
    return (
        f"Random words have a mean cosine above 0 in {random} models; a word's occurrences grow "
        f"less alike with depth in {falling}."
    )


def _random_words(book: Book) -> str:
    claim = "eth-anisotropy-noninput"
    return (
        "The mean cosine of random words is above 0 in every layer above the input in "
        f"{book.holding(claim)} models. It rises with depth in {book.holding('eth-anisotropy-rises')}. "
        f"Untrained copies of {book.copied(claim)} models also have a mean cosine above 0, so this alone is "
        "no sign of learning."
        f"{book.uncounted(claim)}"
    )


def _one_word(book: Book) -> str:
    trend = "eth-selfsim-decreases.trend"
    return (
        "Occurrences of one word are closer to each other than random words in "
        f"{book.holding('eth-same-word-closer')} models. Self-similarity, the mean cosine of such occurrences, "
        f"falls with depth in {book.holding(trend)} models; the claim fails in {book.named(trend, FAILS)}. "
        f"Untrained copies show the fall, too, for {book.copied(trend, HOLDS)} models in which it falls."
    )


def _one_direction(book: Book) -> str:
    return (
        "One static vector explains less than 5 % of a word's variance in "
        f"{book.holding('eth-mev-5pct')} models, computed as in the released numbers. It explains so little "
        f"in {book.holding('eth-mev-5pct.definition')} by the definition that the paper prints."
    )


def _static_scores(book: Book) -> str:
    claim = "eth-pc-lower-better"
    return (
        "Vectors from BERT's first layer beat GloVe and FastText on 6 of 9 benchmarks of the paper's "
        f"Table 1. Lower layers give better vectors in {book.holding(claim)} models; "
        f"{book.number(claim, UNDECIDED)} are open."
    )


# ---- Biś et al. (2021)

ISOTROPY = Picture(
    notebook="bis2021/02_isotropy",
    figure="isotropy-of-three-matrices",
    label="isotropy of the embedding matrix (1: perfect)",
    rows=over(
        {"partition_isotropy": 0, "partition_isotropy_centred": 1}, ("as it is", "without its mean")
    ),
)
NEARLY = 0.95  # isotropy that the paper calls nearly perfect, as its claim reads it
SHARED, ALONG = (thresholds(is_shifted)[name] for name in ("shared", "along"))
SHIFT = ("embedding_mean_cosine", "embedding_mean_cosine_centred", "top_eigenvector_mean_cosine")


def _shifts(book: Book, numbers: pd.DataFrame) -> pd.DataFrame:
    arms = _arms(book)
    return _named(arms.assign(family="masked", update=arms["estimator"].map(UPDATES)), "update")


def _arms(book: Book) -> pd.DataFrame:
    """Returns how far the mean moved under four updates, a mean over the seeds."""
    shift = book.rows("bis2021/07_common_enemies", measure="mean_vector_shift", **{"class": "tied"})
    return shift.groupby("estimator")["value"].mean().loc[list(UPDATES)].reset_index()


UPDATES = {"adamw": "AdamW", "rowwise": "row-wise", "sgd": "SGD", "coupled": "Coupled Adam"}
MEAN_SHIFT = Picture(
    notebook="bis2021/07_common_enemies",
    figure="shift-by-arm",
    label="how far the mean row moves, by update",
    rows=_shifts,
)


def _unused(book: Book, numbers: pd.DataFrame) -> pd.DataFrame:
    rows = book.rows("bis2021/04_rare_words", measure="unused_mean_cosine_by_frequency")
    return _named(rows.sort_values("k").assign(x=rows["k"]), "model", ("common", "rare"))


UNUSED = Picture(
    notebook="bis2021/04_rare_words",
    figure="unused-by-frequency",
    label="cosine with tokens that never occurred",
    rows=_unused,
)


GAINS = Picture(
    notebook="bis2021/03_benchmarks",
    figure="similarity-gains",
    label="agreement with human similarity (Pearson × 100)",
    rows=over(
        {"similarity_average": 0, "similarity_average_centred": 1},
        ("as it is", "without its mean"),
        estimator="cosine",
    ),
)


def _isotropic(book: Book) -> str:
    """Returns how many matrices are nearly isotropic without their mean: "2 of 4"."""
    centred = book.rows(ISOTROPY.notebook, measure="partition_isotropy_centred")
    return f"{(centred['value'] >= NEARLY).sum()} of {len(centred)}"


def _bis(book: Book) -> str:
    helps = "bis-centring-helps-similarity"
    return (
        f"Without their mean, {_isotropic(book)} embedding matrices are nearly isotropic (no direction stands "
        f"out); word similarity clearly improves in {book.holding(helps)} ({book.number(helps, UNDECIDED)} open)."
    )


def _isotropies(book: Book) -> str:
    drift = "bis-drift-not-cone"
    return (
        f"Without their mean, {_isotropic(book)} matrices reach an isotropy of {NEARLY}. In the paper "
        "most matrices do. A matrix passes our test of a shift if its rows share only the direction of their "
        f"mean. These pass: {book.named(drift, HOLDS)}.{_failures(book, drift)}"
        f"{book.uncounted(drift)}"
    )


def _failures(book: Book, drift: str) -> str:
    """Names each matrix that fails the test of a shift, and the condition that it misses."""
    said = ""
    for name in (name for name, word in book.words(drift).items() if word == FAILS):
        shared, left, along = (
            book.rows(ISOTROPY.notebook, measure=measure, model=name)["value"].iloc[0]
            for measure in SHIFT
        )
        why = ""  # none, if only the draws fail
        if left > SHARED:
            why = f": without the mean, its rows keep a mean cosine of {left:.2f} (our limit: {SHARED})"
        elif shared <= SHARED:
            why = f": its rows share no direction (mean cosine: {shared:.2f})"
        elif along < ALONG:
            why = f": its first direction is not the mean (cosine: {along:.2f})"
        said += f" <code>{escape(name)}</code> fails{why}."
    return said


def _mean_shift(book: Book) -> str:
    shift = _arms(book).set_index("estimator")["value"]
    said = [f"{shift[key]:.2f} ({name})" for key, name in UPDATES.items()]
    return (
        f"The mean row moves in training by {said[0]} or {said[1]} if step sizes differ between rows. It moves "
        f"by {said[2]} or {said[3]} if all rows share step sizes. The pushes on all rows add up to zero, so "
        "the paper's reason also needs unequal step sizes."
    )


def _rare(book: Book) -> str:
    return (
        "Tokens that never occurred lie nearer to rare tokens than to common ones in "
        f"{book.holding('bis-unused-monotone')} models. This fails in "
        f"{book.named('bis-unused-monotone', FAILS)}."
    )


def _gains(book: Book) -> str:
    helps = "bis-centring-helps-similarity"
    return (
        "The paper finds that centring raises word similarity in most models. Here this holds in "
        f"{book.holding(helps)} models, is undecided in {book.number(helps, UNDECIDED)} and fails in "
        f"{book.number(helps, FAILS)}."
    )


# ---- Gupta and Jaggi (2021)

SIMILARITY = "gupta2021/02_word_similarity"
KINDS = {"static": "skip-gram", "x2static_sentence": "X2Static", "ase_best_layer": "averages"}
BEATS = ("beat", "lose to", "do not clearly beat")


def _kinds(book: Book) -> pd.DataFrame:
    """Returns the mean correlation of each of KINDS of one teacher, and of its rival from scratch."""
    rows = book.rows(SIMILARITY, measure="word_similarity_mean_spearman")
    rows = rows[rows["estimator"].isin(KINDS)].drop_duplicates("estimator")
    return rows.assign(kind=rows["estimator"].map(KINDS)).set_index("estimator", drop=False)


KINDS_OF_VECTORS = Picture(
    notebook=SIMILARITY,
    figure="similarity-rows",
    label="mean rank correlation with people",
    rows=lambda book, numbers: _named(_kinds(book).loc[list(KINDS)], "kind"),
)
CORPUS_SIZE = Picture(
    notebook="gupta2021/03_corpus_size",
    figure="corpus-size",
    label="rank correlation on SimLex, by words read",
    rows=lambda book, numbers: _sizes(book),
)


def _sizes(book: Book) -> pd.DataFrame:
    rows = book.rows(
        CORPUS_SIZE.notebook, measure="word_similarity_by_corpus_size", dataset="SL-999"
    )
    rows = rows[rows["model"].isin(["SKIPGRAM", "cwr-bert"])].sort_values("k")
    names = KINDS | {"x2static_paragraph": "X2Static"}
    rows = rows.assign(kind=rows["estimator"].map(names), x=np.log(rows["k"].astype(float)))
    return _named(rows, "kind", (f"{rows['k'].min():,.0f}", f"{rows['k'].max():,.0f} words"))


def _downstream(book: Book) -> pd.DataFrame:
    rows = book.rows("gupta2021/04_downstream", measure="classification_mean_accuracy")
    names = KINDS | {"random_vectors": "random"}
    rows = rows[rows["estimator"].isin(names)].drop_duplicates("estimator")
    return rows.assign(kind=rows["estimator"].map(names))


DOWNSTREAM = Picture(
    notebook="gupta2021/04_downstream",
    figure="downstream-scores",
    label="mean accuracy of sentence classification (%)",
    rows=lambda book, numbers: _named(_downstream(book), "kind"),
)
IMPOSSIBLE = Picture(
    notebook="gupta2021/00_the_paper_against_itself",
    figure="macro-f1-below-its-bound",
    label="printed macro-F1 below its possible minimum (rows)",
    rows=lambda book, numbers: _named(
        numbers.groupby("task", sort=False)["below"]
        .sum()
        .rename("value")
        .reset_index()
        .assign(family="", is_printed=True),
        "task",
    ),
)


def _gupta(book: Book) -> str:
    value = _kinds(book)["value"]
    return (
        f"Vectors distilled from cwr-bert ({value['x2static_sentence']:.2f}) "
        f"{book.so('gup-x2static-beats-ase', *BEATS)} averages of its vectors "
        f"({value['ase_best_layer']:.2f}), and "
        f"{book.so('gup-x2static-beats-static-avg', *BEATS)} vectors trained "
        f"from scratch on the same text ({value['static']:.2f})."
    )


def _run(book: Book, notebook: str) -> str:
    """Names the run that a notebook's numbers are of, to open a sentence."""
    return (
        "In the longer run (<code>base</code>)" if notebook in book.longer else "In this copy's run"
    )


def _table_3(book: Book) -> str:
    rows = _kinds(book)
    value = rows["value"]
    return (
        f"{_run(book, SIMILARITY)}, vectors distilled from <code>cwr-bert</code> have a "
        f"mean rank correlation of {value['x2static_sentence']:.2f} with human scores. Averages of its "
        f"contextual vectors have {value['ase_best_layer']:.2f}. Skip-gram, trained from scratch on the "
        f"same text, has {value['static']:.2f}."
    )


def _figure_1(book: Book) -> str:
    return (
        "In the paper averages tend to saturate as the text grows, while distilled vectors are better or "
        f"gain more. {_run(book, CORPUS_SIZE.notebook)}, this whole statement {book.share('gup-ase-saturates')}."
    )


def _table_4(book: Book) -> str:
    rows = _downstream(book).set_index("estimator")
    value = rows["value"]
    pairs = list(combinations(zip(rows.index, rows["model"], strict=True), 2))
    estimates = book.read(DOWNSTREAM.notebook).rows()
    leads = classification.leads(estimates, pairs, "classification_mean_accuracy")
    clear = leads[(leads["low"] > 0) | (leads["high"] < 0)]
    said = [
        f"{rows['kind'][ahead[0]]} {'above' if lead > 0 else 'below'} {rows['kind'][behind[0]]}"
        for ahead, behind, lead in clear[["ahead", "behind", "difference"]].to_numpy()
    ]
    return (
        f"{_run(book, DOWNSTREAM.notebook)}, a classifier gets {value['static']:.0f} % of test "
        f"sentences right on skip-gram vectors. It gets {value['x2static_sentence']:.0f} % on X2Static, "
        f"{value['ase_best_layer']:.0f} % on averages and {value['random_vectors']:.0f} % on random vectors. "
        f"Clear paired differences ({len(clear)} of {len(pairs)}): {', '.join(said) or 'none'}."
    )


def _impossible(book: Book) -> str:
    return (
        "Nearly all macro-F1 scores of TREC and SST-5 in Table 4 are below the smallest that their "
        "accuracy allows. TREC's scores are possible if F1 is computed over its fifty fine labels."
    )


# ---- Zhao et al. (2020)

CLASSES = Picture(
    notebook="zhao2020/03_contextualized",
    figure="class-by-layer",
    label="F1 of a word's class, by layer",
    rows=by_layer("token_probe_f1", estimator="full"),
)
CONTEXT_ALONE = Picture(
    notebook="zhao2020/08_context_alone",
    figure="class-from-context",
    label="F1 of the class with the word itself masked",
    rows=by_layer("context_alone_probe_f1", estimator="full"),
)


def _by_window(book: Book) -> pd.DataFrame:
    """Returns F1 of each model's last layer, by the words that it may read on each side, `k`."""
    rows = book.rows("zhao2020/04_context_size", measure="window_probe_f1_dev", estimator="full")
    return rows[rows["layer"] == rows.groupby("model")["layer"].transform("max")].sort_values("k")


def _windows(book: Book, numbers: pd.DataFrame) -> pd.DataFrame:
    last = _by_window(book)
    return _named(last.assign(x=np.log2(1 + last["k"])), "model", ("no context", "32 a side"))


CONTEXT_SIZE = Picture(
    notebook="zhao2020/04_context_size",
    figure="context-size",
    label="F1 in the last layer, by words a side",
    rows=_windows,
)


def _tuned(book: Book) -> pd.DataFrame:
    keys = {"model": "cwr-bert", "estimator": "full"}
    names = {"old_probe_f1_dev": "old probes", "new_probe_f1_dev": "new probes"}
    each = [
        book.rows(TUNED, measure=measure, task="pos", **keys).assign(probes=name)
        for measure, name in names.items()
    ]
    before = book.rows(TUNED, measure="pretrained_probe_f1_dev", **keys).assign(probes="before")
    rows = pd.concat([*each, before])
    return _named(rows.assign(x=rows["layer"].astype(float)), "probes", ("input", "last layer"))


TUNED = "zhao2020/05_finetuning"
TUNED_PROBES = Picture(
    notebook=TUNED,
    figure="tuned-probes",
    label="F1 before and after tuning cwr-bert on tags",
    rows=lambda book, numbers: _tuned(book),
)


def _f1(book: Book, notebook: str, measure: str) -> pd.Series:
    """Returns a measure of F1 by layer of cwr-bert, in its order."""
    rows = book.rows(notebook, measure=measure, estimator="full", model="cwr-bert")
    return rows.set_index("layer")["value"].sort_index()


def _zhao(book: Book) -> str:
    return (
        f"In cwr-bert the first layer brings {_first_block(book):.0%} of the whole gain in F1; whether every "
        f"layer adds to F1 is {book.so('zha-f1-rises-with-depth', 'certain', 'denied', 'open')}."
    )


def _first_block(book: Book) -> float:
    """Returns the first block's share of the gain from the input, layer 0, to the last layer."""
    f1 = _f1(book, CLASSES.notebook, "token_probe_f1")
    return (f1.iloc[1] - f1.iloc[0]) / (f1.iloc[-1] - f1.iloc[0])


def _figure_4(book: Book) -> str:
    return (
        f"In <code>cwr-bert</code> the first layer brings {_first_block(book):.0%} of the gain in F1 over the "
        "input. The paper did not probe the input; it counts gains from the first layer's output. "
        "The statement that F1 rises with every layer "
        f"{book.share('zha-f1-rises-with-depth')}."
    )


def _alone(book: Book) -> str:
    alone, whole = (
        _f1(book, CONTEXT_ALONE.notebook, f"{read}_probe_f1").iloc[-1]
        for read in ("context_alone", "whole")
    )
    return (
        f"A probe of the context alone reaches an F1 of {alone:.2f} in the "
        f"last layer of <code>cwr-bert</code>. With the word, it reaches {whole:.2f}."
    )


def _figure_5(book: Book) -> str:
    rows = where(_by_window(book), model="cwr-bert")
    least, near, most = rows.iloc[0], rows.iloc[(rows["k"] - 5).abs().argmin()], rows.iloc[-1]
    return (
        f"In the last layer of <code>cwr-bert</code> F1 is {least['value']:.2f} without context, "
        f"{near['value']:.2f} with {near['k']:.0f} words a side and {most['value']:.2f} with "
        f"{most['k']:.0f}. The statement that "
        f"five words are enough {book.share('zha-five-words')}."
    )


def _figure_6(book: Book) -> str:
    rows = _tuned(book).groupby("name")["y"].last()
    return (
        f"Probes trained before tuning reach an F1 of {rows['old probes']:.2f} in the last layer of the model "
        f"tuned on tags; new probes reach {rows['new probes']:.2f}. Before tuning, F1 was "
        f"{rows['before']:.2f}. The statement that tuning has little effect on lower layers {book.share('zha-ft-low-stable')}."
    )


# ---- the survey

ORDER = Picture(
    notebook="survey/00_the_paper_against_itself",
    figure="order-of-tasks",
    label="BERT-large: expected layer of a task, as printed",
    rows=lambda book, numbers: _named(
        numbers.assign(
            value=numbers["expected_layer"], family="masked", is_printed=True
        ).sort_values("value"),
        "task",
    ),
)


def _shares(book: Book, numbers: pd.DataFrame) -> pd.DataFrame:
    rows = book.rows("survey/02_architecture_or_learning", measure="architecture_share")
    return _named(rows[rows["model"] == "cwr-elmo"], "task")


ARCHITECTURE = Picture(
    notebook="survey/02_architecture_or_learning",
    figure="share-of-the-architecture-ours",
    label="share of cwr-elmo's gain that random weights give",
    rows=_shares,
)


def _trees(book: Book) -> pd.DataFrame:
    """Returns the share of edges found: of each model, and its best baseline as if printed."""
    measure = "structural_probe_uuas_percent"
    found = book.rows(TREES.notebook, measure=measure)
    rival = book.rows(TREES.notebook, measure=f"{measure}_baseline").sort_values("value")
    best = rival.drop_duplicates("model", keep="last").assign(is_printed=True)
    rows = pd.concat([found.assign(is_printed=False), best]).sort_values(["model", "is_printed"])
    return rows.assign(line=rows["model"].where(~rows["is_printed"], "baseline"))


TREES = Picture(
    notebook="survey/05_structural_probe",
    figure="trees-by-layer",
    label="edges of the tree found (%); hollow: best baseline",
    rows=lambda book, numbers: _named(_trees(book), "line"),
)


def _reversals(book: Book) -> pd.DataFrame:
    rows = book.rows(REVERSALS.notebook, measure="net_reversal_rate_beyond_resampling")
    rows = rows[(rows["model"] == "cwr-bert") & (rows["estimator"] == "cumulative")]
    return _named(rows, "task")


REVERSALS = Picture(
    notebook="survey/04_changing_its_mind",
    figure="reversals-beyond-placebo",
    label="decisions of cwr-bert reversed beyond chance (%)",
    rows=lambda book, numbers: _reversals(book),
)


def _survey(book: Book) -> str:
    headlines = [book.judged[claim] for claim in registry.paper("survey").headlines]
    printed = sum(each.published.verdict == HOLDS for each in headlines)
    ours = [set(each.verdict for each in spoken_of(one.deciding).values()) for one in headlines]
    return (
        f"The post's sources support {printed} of {len(headlines)} headline claims; of the "
        f"{sum(map(bool, ours))} that small models could test, {ours.count({FAILS})} fail on every model."
    )


def _section_1(book: Book) -> str:
    shares = book.rows(ARCHITECTURE.notebook, measure="architecture_share_mean").set_index("model")
    said = {
        model: f"{row['value']:.0%} [{row['low']:.0%}, {row['high']:.0%}]"
        for model, row in shares.iterrows()
    }
    return (
        f"A <code>cwr-elmo</code> with random weights gets {said['cwr-elmo']} of what the trained one gains "
        f"over its input; for <code>cwr-bert</code> it is {said['cwr-bert']}. The statement asks that random "
        f"weights help <code>cwr-elmo</code> on three of four tasks: it "
        f"{book.so('sur-random-arch', 'holds', 'fails', 'is open')}."
    )


def _pipeline(book: Book) -> str:
    return (
        "In the source's numbers the order of tasks holds if “parsing” means constituents. Entities come "
        "before parsing if “parsing” means dependencies."
    )


def _trees_said(book: Book) -> str:
    rows = _trees(book).set_index("model")
    found, best = rows[~rows["is_printed"]], rows[rows["is_printed"]]
    ahead = (found["low"] > best["high"].reindex(found.index)).sum()
    kindly = (
        " A weaker statement, that trees can be found in some model, would hold." if ahead else ""
    )
    return (
        "A linear map clearly finds more edges of the parse tree than the best baseline in "
        f"{ahead} of {len(found)} models. <code>cwr-elmo</code> finds "
        f"{found.loc['cwr-elmo', 'value']:.0f} %, its best baseline {best.loc['cwr-elmo', 'value']:.0f} %."
        f"{kindly}"
    )


def _mind(book: Book) -> str:
    most = _reversals(book)["y"].max()
    more = book.so("sur-bert-revises", "holds", "fails", "is not decided")
    return (
        "Do successive layers reverse more decisions than the same number of retrained probes of one "
        f"layer? The statement that they do {more}. In <code>cwr-bert</code> the largest excess that we measure is {most:.1f} % of items."
    )


STORIES = {
    "ethayarajh2019": Story(
        question="How much does a word's vector change with its sentence?",
        answer=_ethayarajh,
        picture=RANDOM_WORDS,
        points=(
            Point(says=_random_words, picture=RANDOM_WORDS),
            Point(says=_one_word, picture=ONE_WORD),
            Point(says=_one_direction, picture=ONE_DIRECTION),
            Point(says=_static_scores, picture=STATIC_SCORES),
        ),
    ),
    "bis2021": Story(
        question="Why do a model's word embeddings share a direction?",
        answer=_bis,
        picture=ISOTROPY,
        points=(
            Point(says=_isotropies, picture=ISOTROPY),
            Point(says=_mean_shift, picture=MEAN_SHIFT),
            Point(says=_rare, picture=UNUSED),
            Point(says=_gains, picture=GAINS),
        ),
    ),
    "gupta2021": Story(
        question="Can a contextual model teach better static vectors?",
        answer=_gupta,
        picture=KINDS_OF_VECTORS,
        points=(
            Point(says=_table_3, picture=KINDS_OF_VECTORS),
            Point(says=_figure_1, picture=CORPUS_SIZE),
            Point(says=_table_4, picture=DOWNSTREAM),
            Point(says=_impossible, picture=IMPOSSIBLE),
        ),
    ),
    "zhao2020": Story(
        question="In which layer does a model know what a word means here?",
        answer=_zhao,
        picture=CLASSES,
        points=(
            Point(says=_figure_4, picture=CLASSES),
            Point(says=_alone, picture=CONTEXT_ALONE),
            Point(says=_figure_5, picture=CONTEXT_SIZE),
            Point(says=_figure_6, picture=TUNED_PROBES),
        ),
    ),
    "survey": Story(
        question="What do the layers of ELMo and BERT know?",
        answer=_survey,
        picture=ORDER,
        points=(
            Point(says=_pipeline, picture=ORDER),
            Point(says=_section_1, picture=ARCHITECTURE),
            Point(says=_trees_said, picture=TREES),
            Point(says=_mind, picture=REVERSALS),
        ),
    ),
}
