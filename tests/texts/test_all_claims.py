"""All claims of all texts: nothing raises, and nothing is decided on an empty or undefined comparison.

Whether a verdict rests on nothing can only be seen in what was read: the journal of `cwr.tables.Table` remembers each
selection that a predicate made.
"""

import functools
import itertools
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cwr.papers import registry
from cwr.papers.claims import Claim, at_any_depth
from cwr.report.judgement import HOLDS, NOT_RUN, Verdict, ask
from cwr.tables import KEYS, Table, tidy

COLUMNS = [key for key in KEYS if key != "measure"]
DRAWS = 40
SCORES, BINS = {"estimator": ["cosine", "inner"]}, {"k": list(range(31))}
ARMS = ["adamw", "sgd", "coupled", "rowwise", "cosreg-1", "cosreg-10"]
RUNS = {"estimator": ARMS, "class": ["tied"], "seed": [0, 1, 2]}
TEXTS = {"dataset": ["lee", "wiki-sample"]}
WITHOUT_LAYERS = {  # further key columns of invented measures
    "unused_mean_cosine": {"class": ["28500-29500", "2000-3000"]},
    "unused_mean_cosine_by_bin": BINS,
    "unused_mean_cosine_by_frequency": BINS,
    "last_rows_mean_cosine_by_bin": BINS,
    "unmasking_loss": BINS,
    "types_to_cover": {"k": [30, 50, 98]},
    "sphere_singular_ratio": {"k": [0, 1, 2, 4]},
    "zipf_slope_tokens": TEXTS,
    "zipf_slope_words": TEXTS,
    "split_words_share": TEXTS,
    "commonest_split_word_share": TEXTS,
    "commonest_word_share": TEXTS,
    "similarity_pearson_centred": SCORES,
    "similarity_average_processed_uncentred": SCORES,
    "difference_from_table_1": {"class": list("abcdef")},
    "mean_vector_shift": RUNS,
    "unused_order": RUNS,
    "hidden_mean_cosine_trained": RUNS,
    "static_mean_cosine": {"layer": [None]},
    "static_mean_vector_norm_ratio": {"model": ["static-1"]},
    "static_mean_cosine_types": {"layer": [None]},
    "explained_beyond_gaussian": {"k": [2, 5]},
    "anisotropy_baseline_along_training": {"k": [0, 10, 20]},
    "word_similarity_by_corpus_size": {
        "layer": [None],
        "estimator": ["ase_best_layer", "x2static_paragraph"],
        "k": [250_000, 500_000, 1_000_000],
    },
    "self_similarity_partial_correlation": {"class": ["contexts", "senses"]},
}
OF_NO_MODEL = {
    "types_to_cover",
    "sphere_singular_ratio",
    "zipf_slope_words",
    "commonest_word_share",
    "mean_vector_shift",
    "unused_order",
    "hidden_mean_cosine_trained",
}


def forms(claim: Claim) -> list[Claim]:
    """A claim and what else is asked in its name."""
    general = [claim.general_form] if isinstance(claim.general_form, Claim) else []
    return [
        form
        for form in (claim, *general, at_any_depth(claim), claim.bound)
        if form and form.holds
    ]


QUESTIONS = {
    form.id + ("" if form.needs.families else " (any)"): (paper.key, form)
    for paper in registry.PAPERS
    for claim in paper.claims
    for form in forms(claim)
}


@functools.cache
def printed(paper: str) -> pd.DataFrame:
    return registry.paper(paper).published()


def table_for(paper: str, claim: Claim) -> pd.DataFrame:
    """The printed numbers that a claim reads; of measures that no number is printed of, invented ones.

    Invented rows have a model of each family, some layers where the text has layers, the names that
    the claim is about, and every value that the paper's table has in the columns that its printed
    rows fill.
    """
    table = printed(paper)
    rows = table[claim.needs.reads(table)]
    rows = pd.concat([rows, *copies_of(claim, rows)])
    absent = [
        measure for measure in claim.needs.measures if measure not in set(rows["measure"])
    ]
    if not absent:
        return rows.reset_index(drop=True)
    layers = (
        range((claim.needs.n_layers or 6) + 1) if table["layer"].notna().any() else [None]
    )
    models = rows.dropna(subset=["model", "family"]).set_index("model")["family"].to_dict()
    return pd.concat([rows, invented(claim, absent, layers, models)], ignore_index=True)


def copies_of(claim: Claim, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The rows as two untrained copies of each kind that a claim reads would have them."""
    for kind, seed in itertools.product(claim.needs.copies, (0, 1)):
        yield rows.assign(
            variant=kind, seed=seed, value=rows["value"] * (1.2 + 0.1 * seed)
        )


def invented(
    claim: Claim, measures: list[str], layers: Iterable[int | None], models: dict[str, str]
) -> pd.DataFrame:
    """Rows of these measures with invented values, in every model and under every key.

    models: {name: family} of those that have other measures of the claim.
    """
    rng = np.random.default_rng(zlib.crc32(claim.id.encode()))
    needs = claim.needs
    families = {*needs.families, *needs.beside, "masked", "causal", "static"}
    models = models | {
        **{
            f"{family}-{number}": family
            for family in sorted(families)
            for number in (1, 2)
        },
        **dict.fromkeys((*needs.models, *needs.of), "masked"),
    }
    rows = []
    for measure in measures:
        keys = {
            "model": [None] if measure in OF_NO_MODEL else list(models),
            "layer": list(layers),
            "estimator": [needs.estimator],
            "dataset": needs.datasets or [None],
            "task": needs.tasks or [None],
        } | WITHOUT_LAYERS.get(measure, {})
        for values in itertools.product(*keys.values()):
            row = dict(zip(keys, values, strict=True))
            family = models.get(row["model"])
            value = rng.uniform(0.1, 0.9)
            rows.append({**row, "measure": measure, "family": family, "value": value})
    if not rows:
        return tidy([{"value": 0.0}])[:0]
    return tidy(rows).convert_dtypes().astype({"value": float})


def parts(claim: Claim, table: pd.DataFrame) -> list[pd.DataFrame]:
    """What the claim is asked of: the whole table if it compares models, else each model's rows."""
    if claim.needs.compares:
        return [table]
    by_model = {
        model: rows.reset_index(drop=True)
        for model, rows in table.groupby("model", sort=False)
    }
    named = [model for model in claim.needs.models if model in by_model]
    return [by_model[model] for model in dict.fromkeys([*named[:1], *list(by_model)[:3]])]


def noisy(table: pd.DataFrame, seed: int) -> np.ndarray:
    """Replicates that move every value a little, (DRAWS, rows)."""
    rng = np.random.default_rng(seed)
    values = table["value"].to_numpy(dtype=float)
    return values * (1 + 0.05 * rng.normal(size=(DRAWS, len(values))))


def thinned(table: pd.DataFrame, column: str) -> list[pd.DataFrame]:
    """The table without one value of a key column, with only one, and without the column.

    None where the column is empty.
    """
    labels = list(table[column].dropna().unique())
    if not labels:
        return []
    picks = {labels[0], labels[-1]}
    tables = [table[~table[column].isin([label])] for label in picks]
    tables += [table[table[column].isin([label])] for label in picks]
    return [
        part.reset_index(drop=True) for part in [*tables, table.assign(**{column: pd.NA})]
    ]


def changed(table: pd.DataFrame) -> list[np.ndarray | None]:
    """Replicates with values that are undefined or tied: all NaN in half of the draws, one row NaN, all rows alike."""
    half, single, alike, zero = (noisy(table, seed) for seed in range(4))
    half[: DRAWS // 2] = np.nan
    if len(table):
        single[1:, len(table) // 2] = np.nan
    alike[:] = alike[:, :1] if alike.shape[1] else alike
    zero[:] = 0.0
    return [half, single, alike, zero]


def with_other_rows(claim: Claim, tables: Iterable[pd.DataFrame]) -> list[pd.DataFrame]:
    """The tables of which the claim reads other rows than of those before, or lacks something else."""
    by_content = {}
    for table in tables:
        lacking = claim.needs.lacking(table)
        read = table[:0] if lacking else table[claim.needs.reads(table)]
        by_content.setdefault((lacking, read.to_csv(index=False)), table)
    return list(by_content.values())


@pytest.mark.parametrize("name", QUESTIONS)
def test_nothing_raises_and_nothing_is_decided_on_nothing(name, decided_on_nothing):
    paper, claim = QUESTIONS[name]
    table = table_for(paper, claim)
    wrong, tables = [], []
    for part in parts(claim, table):
        tables += [
            part,
            part[:0],
            *(thin for column in COLUMNS for thin in thinned(part, column)),
        ]
        wrong += [
            decided_on_nothing(claim, part, replicates) for replicates in changed(part)
        ]
    for number, thin in enumerate(with_other_rows(claim, tables)):
        wrong += [
            decided_on_nothing(claim, thin, None),
            decided_on_nothing(claim, thin, noisy(thin, number)),
        ]
    assert [reason for reason in wrong if reason] == []


OF_DATASETS = [name for name, (_, claim) in QUESTIONS.items() if claim.needs.datasets]
ANOTHER = {"dataset": "one that no claim names"}


def of_another(claim: Claim, table: pd.DataFrame, value: float) -> pd.DataFrame:
    """A table's rows with this value, as those of ANOTHER: twice of each model, once of a stranger.

    Beside them stands a score below its control, where the claim has one.
    """
    rows = pd.concat([table, table, table.assign(model="a stranger")]).assign(value=value)
    control = claim.needs.beats
    if control is not None:
        score = table[:1].assign(
            measure=control.measure, estimator=control.estimators[0], value=0
        )
        rule = score.assign(estimator=control.estimator, value=1)
        rows = pd.concat([rows, score, rule])
    return rows.assign(**ANOTHER).reset_index(drop=True)


def answers(
    claim: Claim, table: pd.DataFrame, replicates: np.ndarray | None
) -> tuple[Verdict, list[list[bool]]]:
    """The verdict, and what the predicate says of each draw."""
    said = []

    def holds(question: Table) -> np.ndarray:
        truth = np.broadcast_to(claim.holds(question), len(question.draws))
        said.append(truth.tolist())
        return truth

    return ask(replace(claim, holds=holds), table, replicates)[0], said


@pytest.mark.parametrize("name", OF_DATASETS)
def test_rows_of_a_data_set_that_is_not_named_change_neither_verdict_nor_draws(name):
    paper, claim = QUESTIONS[name]
    for part in parts(claim, table_for(paper, claim)):
        draws = noisy(part, 0)
        alone = [answers(claim, part, None), answers(claim, part, draws)]
        assert all(said for _, said in alone), "asked"
        for value in (1e6, -1e6, np.nan):
            others = of_another(claim, part, value)
            both = pd.concat([others, part], ignore_index=True)
            wider = np.concatenate([noisy(others, 1), draws], axis=1)
            assert [answers(claim, both, None), answers(claim, both, wider)] == alone


PRINTED_OF_NO_MODEL = {
    "bis-unused-rare-063",
    "bis-unused-frequent-027",
}  # a number, and no name


def test_no_claim_on_embedding_matrices_is_left_undecided_by_the_rows_invented_for_it():
    """Where nothing is decided, the test above has nothing to find."""
    silent = set()
    for paper, claim in QUESTIONS.values():
        if paper == "bis2021":
            asked = [
                ask(claim, part, None)[0] for part in parts(claim, table_for(paper, claim))
            ]
            if {verdict.verdict for verdict in asked} == {NOT_RUN}:
                silent.add(claim.id)
    assert silent == PRINTED_OF_NO_MODEL


def test_every_claim_is_asked_and_this_test_can_fail(decided_on_nothing):
    asked = {claim.id for _, claim in QUESTIONS.values()}
    every = {
        claim.id for paper in registry.PAPERS for claim in paper.claims if claim.holds
    }
    assert every <= asked and len(every) > 250

    def careless(table):
        values = table.draws[:, table.rows.one_of("layer", [99])]
        table.journal.selections.append(
            type("S", (), {"name": "b", "at_least": 1, "values": values})
        )
        return (values > 0).all(axis=1)  # true of the empty set

    claim = next(claim for _, claim in QUESTIONS.values())
    careless_claim = Claim(
        id="c", place="p", says="s", needs=claim.needs, holds=careless, tolerance=""
    )
    paper = QUESTIONS[claim.id][0]
    assert (
        decided_on_nothing(careless_claim, parts(claim, table_for(paper, claim))[0], None)
        == "holds on b: 0 of 1 items"
    )


TIES_COUNT = {"zha-avg10-best.tie", "zha-avg10-best.seeds"}  # they say so: "ties included"
READ = {"sur-sqdist", "sur-sqdist.loosely"}  # a correlation is the number that they read


def test_constants_have_no_trend_no_largest_and_no_order():
    """Values that are all alike in every draw: what asks for an order, a largest or a correlation has no meaning."""
    verdicts: dict[str, Verdict] = {}
    for name, (paper, claim) in QUESTIONS.items():
        if "orrelation" in claim.read_as or "largest" in claim.read_as:
            for part in parts(claim, table_for(paper, claim))[:1]:
                verdicts[name] = ask(claim, part, np.full((DRAWS, len(part)), 0.5))[0]
    assert len(verdicts) > 20
    asked = {name: QUESTIONS[name][1].id.removesuffix(".transfer") for name in verdicts}
    decided = [
        name
        for name, verdict in verdicts.items()
        if verdict.verdict == HOLDS and asked[name] not in TIES_COUNT | READ
    ]
    assert decided == [], "a constant satisfies no correlation and leads no column"


LEVEL = "it names a level, and a constant of this height passes it"
LITTLE = "it says that two numbers do not differ, or by little, or that one is not below the other"
OF_PRINT = "it asks how two printed tables agree, or for a number of a list"
BY_PROOF = "it is mathematics"
ON_A_CONSTANT = {  # why a table whose values are all one half satisfies it, which no page counts as learned
    LEVEL: """eth-anisotropy-every-layer eth-anisotropy-every-layer.clearly eth-anisotropy-noninput
        eth-anisotropy-noninput.clearly eth-elmo-input-only-exception eth-elmo-input-only-exception.clearly
        eth-static-not-isotropic eth-static-not-isotropic.types eth-same-word-closer eth-intra-bert-above
        eth-intra-bert-above.cosine eth-intra-above-020 eth-mev-below-baseline eth-mev-below-baseline.each
        bis-frequency-clusters-remain bis-frequency-clusters-remain.counted bis-frequent-shifted
        bis-margin-decreases sur-sqdist.loosely""",
    LITTLE: """eth-anisotropy-by-contextualisation.inherent-training eth-finite-senses.clusters bis-isotropy-order
        bis-token-zipf bis-antonyms-no-farther bis-scaled-near-pp.score gup-para-gt-sent-down.accuracy-or-tie
        gup-roberta-sent-exception gup-speed zha-f1-rises-with-depth.dev-tie zha-f1-rises-with-depth.dev-tie.pairs
        zha-f1-rises-with-depth.dev-tie.words zha-top-two-little zha-top-two-little.pairs
        zha-top-two-little.words zha-top-two-little.context-alone zha-top-two-little.context-alone.pairs
        zha-top-two-little.context-alone.words zha-bertw-like-static zha-posb-l11 zha-posb-l11.pairs
        zha-posb-l11.words zha-t3-comparable zha-t3-comparable.strict zha-pos-local zha-pos-local.strict""",
    OF_PRINT: """bis-zipf-13 bis-zipf-85 bis-table2-from-table3 bis-table2-from-table3.four-sets
        gup-table5-consistent gup-bold-rule-t3 gup-bold-rule-t3.table-6 zha-t3-t7 zha-france""",
    BY_PROOF: "bis-sgd-conserves-mean bis-cosreg-identity",
}
ON_NOISE = {  # why independent noise about one half, in every draw and row, satisfies it
    LEVEL: """eth-anisotropy-noninput eth-anisotropy-noninput.clearly eth-elmo-input-only-exception
        eth-elmo-input-only-exception.clearly eth-static-not-isotropic eth-static-not-isotropic.types
        eth-intra-above-020 bis-frequent-shifted bis-margin-decreases""",
    LITTLE: "bis-antonyms-no-farther gup-speed",
    OF_PRINT: "bis-zipf-13 bis-zipf-85",
    BY_PROOF: "bis-sgd-conserves-mean bis-cosreg-identity",
}


def constant(rows: int) -> np.ndarray:
    return np.full((DRAWS, rows), 0.5)


def noise(rows: int) -> np.ndarray:
    return np.random.default_rng(0).normal(0.5, 0.2, (10 * DRAWS, rows))


@pytest.mark.parametrize(
    ("draws", "exceptions"), [(constant, ON_A_CONSTANT), (noise, ON_NOISE)]
)
def test_what_knows_nothing_satisfies_no_claim_but_those_listed_with_a_reason(
    draws, exceptions
):
    satisfied = set()
    for paper, claim in QUESTIONS.values():
        part = parts(claim, table_for(paper, claim))[0]
        verdict, _ = ask(claim, part.assign(value=0.5), draws(len(part)))
        if verdict.verdict == HOLDS:
            satisfied.add(claim.id.removesuffix(".transfer"))
    listed = [name for names in exceptions.values() for name in names.split()]
    assert len(set(listed)) == len(listed)
    assert satisfied == set(listed)
