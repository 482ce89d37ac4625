"""The notes' verdicts on the numbers behind the survey, typed before the predicates; worlds that follow a statement,
its opposite, and none; and that the table is the source's, whole."""
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cwr.measures import edge_probing
from cwr.papers import survey
from cwr.papers.claims import PAPER_FAMILIES, Claim
from cwr.papers.survey import claims_hierarchy, claims_pipeline, claims_syntax, claims_translation, readings
from cwr.papers.survey.claims_architecture import SCORE
from cwr.papers.survey.claims_closing import NET_REVERSALS
from cwr.papers.survey.claims_practice import FROZEN, PERPLEXITY, TRANSFER
from cwr.report.judgement import judge, on_published
from cwr.tables import KEYS, Table, tidy, where

ROOT = Path(__file__).resolve().parents[2]
TABLE = survey.published()
TYPED = pd.read_csv(Path(__file__).parent / "expected" / "survey.csv", keep_default_na=False)
EXPECTED = {f"{row.claim}.{row.reading}" if row.reading else row.claim: row.verdict for row in TYPED.itertuples()}
CLAIMS = {claim.id: claim for claim in survey.CLAIMS}
DECIDED = [name for name, verdict in EXPECTED.items() if verdict != "not decidable"]
PER_MODEL = {                                               # where the notes decide model by model
    "sur-pipeline-order.constituents-expected-layer": {"BERT-base": "holds", "BERT-large": "holds"},
    "sur-pipeline-order.dependencies-expected-layer": {"BERT-base": "fails", "BERT-large": "fails"},
    "sur-pipeline-order.paper-list-expected-layer": {"BERT-base": "holds", "BERT-large": "holds"},
    "sur-pipeline-order.dependencies-centre-of-gravity": {"BERT-base": "not run", "BERT-large": "fails"},
}
LARGE, BASE = (Table(where(TABLE[TABLE["variant"].isna()], model=name)) for name in ("BERT-large", "BERT-base"))
ELMO = Table(where(TABLE, model="ELMo"))
FIVE = claims_pipeline.CONSTITUENTS
IN_ORDER = "sur-pipeline-order.constituents-expected-layer"


def verdict(name: str, table: pd.DataFrame, replicates: np.ndarray | None = None) -> str:
    return judge(CLAIMS[name], table, replicates).verdict


def reason(name: str, table: pd.DataFrame) -> str:
    """Why a claim is not run on a table."""
    answer = judge(CLAIMS[name], table)
    assert answer.verdict == "not run"
    return answer.reason


# ---- the published numbers

def test_claims_stand_in_the_order_of_the_notes_with_ids_of_their_own():
    assert list(CLAIMS) == list(EXPECTED) and len(CLAIMS) == len(survey.CLAIMS)
    assert set(survey.HEADLINES) <= set(CLAIMS) and len(survey.HEADLINES) <= 5


@pytest.mark.parametrize("name", EXPECTED)
def test_the_published_numbers_give_the_notes_verdict(name):
    answer = on_published(CLAIMS[name], TABLE)
    assert answer.verdict == EXPECTED[name], answer.reason
    if answer.verdict == "fails":
        assert re.search(r"\d", answer.reason), "a reason names what goes against the words, with its number"
    if answer.verdict == "not decidable":
        assert answer.reason


@pytest.mark.parametrize("name", PER_MODEL)
def test_the_published_numbers_give_the_notes_verdict_model_by_model(name):
    for model, expected in PER_MODEL[name].items():
        assert verdict(name, where(TABLE, model=model)) == expected, model


def test_what_goes_against_a_claim_is_told_by_task_and_model():
    each = on_published(CLAIMS["sur-training-dominates.each-task"], TABLE).reason
    assert each == "dependencies: 0.343; coreference: 0.443"
    order = on_published(CLAIMS["sur-pipeline-order.dependencies-expected-layer"], TABLE).reason
    assert "BERT-base (layers from dependencies to entities: -0.1" in order and "BERT-large" in order


def test_a_statement_of_mathematics_holds_by_its_proof():
    answer = on_published(CLAIMS["sur-dist-depth-suffice"], TABLE)
    assert (answer.verdict, answer.ground) == ("holds", "by proof")
    notebook = answer.reason.split()[-1]
    source = (ROOT / "notebooks" / f"{notebook}.ipynb").read_text(encoding="utf8")
    assert "rebuilt_heads(distances, depths) == heads" in source


def test_claims_tied_to_a_family_or_a_depth_say_how_they_carry_over():
    tied = [claim for claim in survey.CLAIMS if claim.holds and (claim.needs.families or claim.needs.n_layers)]
    assert tied and all(claim.transfer for claim in tied)
    for claim in tied:
        form = claim.transfer
        if isinstance(form, Claim):
            assert form.id == f"{claim.id}.transfer" and form.needs.families == ()
            assert form.says != claim.says and form.needs.tasks == claim.needs.tasks
    assert all(set(c.needs.families) <= {*PAPER_FAMILIES, "static", "translation"} for c in survey.CLAIMS)


def test_claims_about_elmo_name_it():
    for name, claim in CLAIMS.items():
        if name.startswith("sur-syntax-over-semantics"):
            assert "ELMo" in claim.says and claim.needs.families == ("bilstm",)


# ---- worlds that follow a statement, and their opposite

def rows(measure: str, values: dict, **keys) -> list[dict]:
    """One row a layer of each task: {task: values in order of layers}; a number alone has no layer."""
    made = []
    for task, scores in values.items():
        layered = isinstance(scores, list)
        for layer, value in enumerate(scores if layered else [scores]):
            made.append({"measure": measure, "task": task, "value": float(value), "model": "m", **keys})
            if layered:
                made[-1]["layer"] = layer
    return made


def world(*parts: list[dict]) -> pd.DataFrame:
    return tidy([row for part in parts for row in part])


def cumulative(places: dict[str, float], depth: int = 4) -> pd.DataFrame:
    """A masked model of one more layer than `depth` whose whole gain on a task lies at an expected layer."""
    curves = {}
    for task, place in places.items():
        low, share = int(place), place - int(place)
        gain = np.zeros(depth + 1)
        gain[low], gain[min(low + 1, depth)] = 1 - share, share
        gain[low] = 1 - share
        curves[task] = (50 + 16 * np.cumsum(gain)).tolist()
    return world(rows(readings.CUMULATIVE, curves, family="masked"))


def test_the_order_of_tasks_is_strict_and_every_neighbour_counts():
    places = dict(zip(FIVE, (1, 1.5, 2, 2.5, 3), strict=True))
    assert verdict(IN_ORDER, cumulative(places)) == "holds"
    assert verdict(IN_ORDER, cumulative({**places, "srl": 2})) == "fails"          # equal is not later
    assert verdict(IN_ORDER, cumulative({**places, "coreference": 2.25})) == "fails"
    assert verdict(IN_ORDER, cumulative({**places, "constituents": 3, "dependencies": 1.5})) == "fails"
    other = cumulative({**places, "constituents": 3, "dependencies": 1.5})
    assert verdict("sur-pipeline-order.dependencies-expected-layer", other) == "holds"


def weights(places: dict[str, float]) -> pd.DataFrame:
    """Mixing weights over layers 0 to 4 whose centre lies at a place."""
    curves = {task: [1 - place / 4, 0, 0, 0, place / 4] for task, place in places.items()}
    return world(rows(readings.MIX, curves, family="masked"))


def test_a_step_down_below_the_noise_of_a_run_is_a_tie_for_that_reading_only():
    places = {"pos": 1.0, "constituents": 1.5, "dependencies": 2.0, "srl": 1.9, "coreference": 3.0}
    plain = "sur-pipeline-order.paper-list-centre-of-gravity"
    assert verdict(plain, weights(places)) == "fails"
    assert verdict(f"{plain}-tie", weights(places)) == "holds"
    assert verdict(f"{plain}-tie", weights({**places, "srl": 1.8})) == "fails"
    assert verdict(f"{plain}-tie", weights({**places, "srl": 2.0 - claims_pipeline.RUN_TO_RUN + 1e-6})) == "holds"


def edge_scores(estimators: dict[str, dict[str, float]], errors: float = 0.5, **keys) -> pd.DataFrame:
    parts = []
    for estimator, scores in estimators.items():
        parts.append(rows(readings.EDGE, scores, estimator=estimator, **keys))
        parts.append(rows(readings.ERROR, dict.fromkeys(scores, errors), estimator=estimator, **keys))
    return world(*parts)


def untrained(gains: tuple, trained: float = 10.0) -> pd.DataFrame:
    """An ELMo whose random weights gain this much on four tasks over an input layer that scores 70."""
    tasks = ("pos", "dependencies", "entities", "coreference")
    scores = {
        "lex": dict.fromkeys(tasks, 70.0),
        "mix": dict.fromkeys(tasks, 70.0 + trained),
        "random": {task: 70.0 + gain for task, gain in zip(tasks, gains, strict=True)},
    }
    return edge_scores(scores, family="bilstm")


def test_random_weights_gain_on_three_tasks_of_four_and_never_half():
    name = "sur-random-arch"
    assert verdict(name, untrained((1, 1, 1, -1))) == "holds"
    assert verdict(name, untrained((1, 1, 0, -1))) == "fails"                       # no gain is not a gain
    assert verdict(name, untrained((1, 1, 1, 5))) == "fails"                        # half is not less than half
    assert verdict(f"{name}.beyond-error", untrained((1, 1, 0.6, 1))) == "holds"
    assert verdict(f"{name}.beyond-error", untrained((1, 0.7, 0.6, 1))) == "fails"  # sqrt(0.5) = 0.707
    assert verdict(f"{name}.all-positive", untrained((1, 1, 0.1, 0.1))) == "holds"
    assert verdict(f"{name}.all-positive", untrained((1, 1, 0, 1))) == "fails"


def test_training_dominates_on_average_or_in_each_task():
    name = "sur-training-dominates"
    assert verdict(name, untrained((5, 2, 2, 2))) == "holds"
    assert verdict(f"{name}.each-task", untrained((5, 2, 2, 2))) == "fails"
    assert verdict(f"{name}.each-task", untrained((2, 2, 2, 2))) == "holds"
    assert verdict(name, untrained((4, 4, 4, 4))) == "fails"


def test_a_share_of_a_gain_that_training_does_not_give_has_no_meaning():
    for trained in (0.0, -1.0):
        for name in ("sur-random-arch", "sur-training-dominates", "sur-training-dominates.each-task"):
            assert "the trained weights gain nothing on pos" in reason(name, untrained((-2, -2, -2, -2), trained))


ELEVEN = dict.fromkeys(readings.TASKS, 80.0)


def bert_over_elmo(better: int, tasks: int = 11, lead: float = 2.0) -> pd.DataFrame:
    """A BERT that is better in so many of the first tasks and otherwise equal."""
    scores = dict(list(ELEVEN.items())[:tasks])
    ahead = {task: 80.0 + lead * (number < better) for number, task in enumerate(scores)}
    parts = [edge_scores({"mix": ahead}, model="bert", family="masked")]
    parts.append(edge_scores({"mix": scores}, model="elmo", family="bilstm"))
    return pd.concat(parts, ignore_index=True)


def test_bert_is_better_in_eight_of_eleven_tasks():
    assert verdict("sur-bert-edge", bert_over_elmo(8)) == "holds"
    assert verdict("sur-bert-edge", bert_over_elmo(7)) == "fails"
    assert verdict("sur-bert-edge", bert_over_elmo(4, tasks=5)) == "holds"
    assert verdict("sur-bert-edge.beyond-error", bert_over_elmo(6)) == "holds"
    assert verdict("sur-bert-edge.beyond-error", bert_over_elmo(5)) == "fails"
    assert verdict("sur-bert-edge.beyond-error", bert_over_elmo(11, lead=0.7)) == "fails"
    both = pd.concat([bert_over_elmo(11), bert_over_elmo(3).replace({"bert": "other"}).query("model == 'other'")])
    assert verdict("sur-bert-edge", both) == "fails"                                # each masked model


def test_two_tasks_are_no_most_and_no_common_task_is_no_comparison():
    assert "3 common tasks at least; there are 2" in reason("sur-bert-edge", bert_over_elmo(2, tasks=2))
    apart = bert_over_elmo(4, tasks=4)
    apart.loc[apart["model"] == "elmo", "task"] = "winograd"
    assert verdict("sur-bert-edge", apart.drop_duplicates(KEYS)) == "not run"
    assert "no bilstm model" in reason("sur-bert-edge", where(apart, family="masked"))


def translation(cove: dict[str, float], glove: dict[str, float], elmo: dict[str, float]) -> pd.DataFrame:
    parts = [edge_scores({"states": cove}, model="cove", family="translation")]
    parts.append(edge_scores({"lex": glove}, model="glove", family="static"))
    parts.append(edge_scores({"mix": elmo}, model="elmo", family="bilstm"))
    return pd.concat(parts, ignore_index=True)


def test_translation_gains_in_each_task_and_elmo_on_average():
    five = dict(list(ELEVEN.items())[:5])
    above = {task: score + 1 for task, score in five.items()}
    mixed = {**five, "pos": 90.0, "srl": 75.0}
    usable = translation(above, five, mixed)
    assert verdict("sur-cove-ctx", usable) == "holds"
    assert verdict("sur-cove-ctx.beyond-error", usable) == "holds"
    assert verdict("sur-cove-ctx", translation({**above, "srl": 80.0}, five, mixed)) == "fails"
    assert verdict("sur-lm-beats-mt", translation(five, five, mixed)) == "holds"
    assert verdict("sur-lm-beats-mt", translation(above, five, mixed)) == "fails"   # a mean of nought
    assert verdict("sur-lm-beats-mt.beyond-error", translation(five, five, mixed)) == "fails"


def gains_over_input(syntax: float, semantic: dict[str, float]) -> pd.DataFrame:
    gains = {**dict.fromkeys(readings.SYNTAX, syntax), **dict.fromkeys(readings.SEMANTIC, 3.0), **semantic}
    mixed = {task: 70.0 + gain for task, gain in gains.items()}
    return edge_scores({"lex": dict.fromkeys(gains, 70.0), "mix": mixed}, family="bilstm")


def test_syntax_gains_more_than_three_than_all_and_semantics_nothing_at_all():
    name = "sur-syntax-over-semantics"
    some = gains_over_input(5.0, {"semeval": 24.0})
    assert verdict(name, some) == "holds"
    assert verdict(f"{name}.all-semantic", some) == "fails"
    assert verdict(f"{name}.all-semantic", gains_over_input(5.0, {})) == "holds"
    assert verdict(name, gains_over_input(3.0, {})) == "fails"                      # equal is not more
    nothing = dict.fromkeys(readings.SEMANTIC, 0.7)
    assert verdict(f"{name}.no-semantic-gain", gains_over_input(5.0, nothing)) == "holds"
    assert verdict(f"{name}.no-semantic-gain", gains_over_input(5.0, {**nothing, "spr2": 0.72})) == "fails"
    without = some[some["task"] != "spr1"]
    assert reason(name, without) == "speaks of spr1, and no such task is here"


def architectures(lstm: float, others: float, static: float = 80.0, number: int = 4) -> pd.DataFrame:
    families = ("bilstm", "bilstm", "causal", "convolutional")[:number]
    parts = []
    for model, family in zip("abcd", families, strict=False):
        contextual = lstm if family == "bilstm" else others
        for estimator, score in (("mix", contextual), ("lex", static)):
            scores = {"pos": score, "inference": score, "entities": score}
            parts.append(rows(SCORE, scores, model=model, family=family, estimator=estimator))
    return world(*parts)


def test_architectures_are_compared_with_each_other_and_with_static_vectors():
    assert verdict("sur-arch-four-models", architectures(90, 89)) == "holds"
    assert verdict("sur-arch-four-models", architectures(90, 80)) == "fails"        # equal is not better
    assert "needs 4 models" in reason("sur-arch-four-models", architectures(90, 89, number=3))
    for name in ("sur-lstm-best.close", "sur-arch-little"):
        assert verdict(name, architectures(90, 89)) == "holds"
        assert verdict(name, architectures(90, 81)) == "fails"
    assert verdict("sur-lstm-best", architectures(90, 89)) == "holds"
    assert verdict("sur-lstm-best", architectures(88, 89)) == "fails"
    assert "share the best score" in reason("sur-lstm-best", architectures(89, 89))
    assert verdict("sur-lstm-best", architectures(90, 89, number=2)) == "not run"   # LSTMs alone are always best


def test_many_tasks_are_more_than_half_of_them():
    table = architectures(90, 89)
    def behind(*tasks):
        lstms = (table["family"] == "bilstm") & (table["estimator"] == "mix") & table["task"].isin(tasks)
        return table.assign(value=table["value"].where(~lstms, 85.0))
    assert verdict("sur-lstm-best", behind("pos")) == "holds"
    assert verdict("sur-lstm-best", behind("pos", "entities")) == "fails"


def pretraining(nearest: float, other: float, language_model: float, by_text: tuple = ()) -> pd.DataFrame:
    made = []
    for target in ("chunks", "entities"):
        sources = ("nearest", "ccg", nearest), ("other", "pos", other), ("language model",) * 2 + (language_model,)
        for estimator, source, value in sources:
            made.append({"measure": claims_translation.TRANSFER, "model": "m", "task": target, "class": source,
                         "estimator": estimator, "value": value})
        for amount, value in zip((1, 4, 16), by_text, strict=False):
            made.append({"measure": claims_translation.MORE_TEXT, "model": "m", "task": target, "k": amount,
                         "value": value})
    return tidy(made)


def test_the_nearest_task_transfers_best_and_more_text_catches_up():
    assert verdict("sur-related-task", pretraining(3, 2, 4)) == "holds"
    assert verdict("sur-related-task", pretraining(2, 2, 4)) == "fails"
    assert verdict("sur-related-task.lm-average", pretraining(3, 2, 4)) == "holds"
    assert verdict("sur-related-task.lm-average", pretraining(3, 2, 2.5)) == "fails"
    assert "shares the largest" in reason("sur-related-task.lm-average", pretraining(3, 2, 3))
    name = "sur-big-lm-levels"
    assert verdict(name, pretraining(3, 2, 4, (1, 2, 3))) == "holds"                # at the best, not above
    assert verdict(name, pretraining(3, 2, 4, (1, 2, 2.9))) == "fails"
    assert verdict(name, pretraining(3, 2, 4, (1, 4, 4))) == "fails"                # rises no further
    assert "two amounts of text" in reason(name, pretraining(3, 2, 4, (4,)))


def single(best: dict[str, int], depth: int = 8, **keys) -> pd.DataFrame:
    curves = {task: [90.0 - abs(layer - top) for layer in range(depth + 1)] for task, top in best.items()}
    return world(rows(readings.SINGLE, curves, **keys))


def test_the_best_single_layers_are_compared_to_the_layer():
    assert verdict("sur-lower-layers-local", single({"pos": 2, "coreference": 3})) == "holds"
    assert verdict("sur-lower-layers-local", single({"pos": 3, "coreference": 3})) == "fails"
    middle = {"pos": 2, "entities": 7, "srl": 0, "coreference": 8}                  # from L/4 to L - 1: two of four
    assert verdict("sur-bert-middle", single(middle, family="masked")) == "holds"
    assert verdict("sur-bert-middle", single({**middle, "pos": 1}, family="masked")) == "fails"
    assert verdict("sur-bert-middle", single({**middle, "entities": 8}, family="masked")) == "fails"


def test_a_tie_and_a_missing_layer_leave_no_best_layer():
    flat = single({"pos": 2, "coreference": 3}).assign(value=80.0)
    assert "two share the largest single layer probe f1 on" in reason("sur-lower-layers-local", flat)
    table = single({"pos": 2, "coreference": 3})
    gap = table[~((table["task"] == "pos") & (table["layer"] == 2)).fillna(False)]
    assert "pos in 9 layers" in reason("sur-lower-layers-local", gap)


def elmo_weights(best: list[int]) -> pd.DataFrame:
    curves = {task: [0.5 if layer == top else 0.25 for layer in range(3)]
              for task, top in zip(readings.FIGURE, best, strict=True)}
    return world(rows(readings.MIX, curves, family="bilstm"))


def test_layer_1_leads_in_six_of_eight_tasks():
    name = "sur-elmo-layer1"
    assert verdict(name, elmo_weights([1] * 6 + [0, 2])) == "holds"
    assert verdict(name, elmo_weights([1] * 5 + [0, 2, 2])) == "fails"
    assert verdict(name, elmo_weights([0] * 8)) == "fails"
    assert "2-layer model" in reason(name, world(rows(readings.MIX, {"pos": [0.2] * 5}, family="bilstm")))


def test_pictures_compare_layer_1_with_the_top():
    falls, rises = [0.9, 0.3, 0.2, 0.1], [0.9, 0.1, 0.2, 0.3]
    for name, measure, good in (("sur-heatmap-np", claims_hierarchy.PHRASES, falls),
                                ("sur-heatmap-verbs", claims_hierarchy.VERBS, rises)):
        bad = rises if good is falls else falls
        assert verdict(name, world(rows(measure, {None: good}))) == "holds"
        assert verdict(name, world(rows(measure, {None: bad}))) == "fails"
        assert "in layer 1 and in a higher one" in reason(name, world(rows(measure, {None: good[:2]})))
    negative = world(rows(claims_hierarchy.PHRASES, {None: [0.9, -0.1, -0.2]}))
    assert verdict("sur-heatmap-np", negative) == "fails"


def pronouns(accuracy: list[float], rule: float) -> pd.DataFrame:
    baseline = {"measure": claims_hierarchy.PRONOUN_BASELINE, "model": "the closest noun", "value": rule}
    return world(rows(claims_hierarchy.PRONOUNS, {None: accuracy}, family="bilstm"), [baseline])


def test_pronouns_are_found_above_every_rule_and_in_the_upper_half():
    name = "sur-coref-unsup"
    assert verdict(name, pronouns([40, 41, 42, 50, 45], 47)) == "holds"
    assert verdict(name, pronouns([40, 41, 50, 42, 45], 47)) == "fails"             # the middle is not above it
    assert verdict(name, pronouns([40, 41, 42, 50, 45], 50)) == "fails"
    assert verdict(f"{name}.beats-baselines", pronouns([50, 41, 42, 43, 45], 47)) == "holds"
    assert verdict(f"{name}.beats-baselines", pronouns([47, 41, 42, 43, 45], 47)) == "fails"


def structural(uuas_64: float, spearman: float) -> pd.DataFrame:
    by_rank = {8: (0.6, 0.4), 64: (uuas_64, 0.7), 512: (0.8, spearman)}
    made = []
    for rank, (uuas, correlation) in by_rank.items():
        made.append({"measure": claims_syntax.UUAS_BY_RANK, "k": rank, "model": "m", "value": uuas})
        made.append({"measure": claims_syntax.DISTANCES_BY_RANK, "k": rank, "model": "m", "value": correlation})
    return tidy(made)


def test_distances_correspond_closely_or_loosely():
    assert verdict("sur-sqdist", structural(0.5, 0.8)) == "holds"
    assert verdict("sur-sqdist", structural(0.8, 0.79)) == "fails"
    assert verdict("sur-sqdist.loosely", structural(0.784, 0.5)) == "holds"
    assert verdict("sur-sqdist.loosely", structural(0.783, 0.8)) == "fails"
    assert verdict("sur-sqdist.loosely", structural(0.8, 0.49)) == "fails"
    assert "64 dimensions" in reason("sur-sqdist.loosely", structural(0.8, 0.8).query("k != 64"))


def beside_baseline(measure: str, value: float, baseline: float) -> list[dict]:
    return [{"measure": measure, "model": "m", "family": "masked", "layer": 3, "value": value},
            {"measure": f"{measure}_baseline", "model": "chain", "value": baseline}]


def test_trees_and_depths_beat_every_baseline():
    uuas = claims_syntax.UUAS
    assert verdict("sur-trees-in-geometry", world(beside_baseline(uuas, 60, 59.8))) == "holds"
    assert verdict("sur-trees-in-geometry", world(beside_baseline(uuas, 59.8, 59.8))) == "fails"
    depths, roots = beside_baseline(claims_syntax.DEPTHS, 0.8, 0.7), beside_baseline(claims_syntax.ROOT, 80, 70)
    assert verdict("sur-sqnorm-depth", world(depths, roots)) == "holds"
    assert verdict("sur-sqnorm-depth", world(depths, beside_baseline(claims_syntax.ROOT, 70, 80))) == "fails"
    rebuilt = [{"measure": claims_syntax.REBUILT, "value": 1.0}, {"measure": claims_syntax.ORIENTED, "value": 1.0}]
    assert verdict("sur-dist-depth-suffice", tidy(rebuilt)) == "holds"
    assert verdict("sur-dist-depth-suffice", tidy(rebuilt).assign(value=[1.0, 0.999])) == "fails"


def frozen(scores: dict[str, tuple]) -> pd.DataFrame:
    parts = [rows(FROZEN, {task: values[number] for task, values in scores.items()}, estimator=probe)
             for number, probe in enumerate(("linear", "mlp", "bilstm"))]
    return world(*parts)


def test_a_linear_probe_is_enough_within_a_point_in_half_of_the_tasks():
    close, far = (80.0, 80.5, 81.0), (80.0, 80.5, 81.1)
    name = "sur-linear-enough"
    assert verdict(name, frozen({"pos": close, "srl": close, "entities": far, "semeval": far})) == "holds"
    assert verdict(name, frozen({"pos": close, "srl": far, "entities": far, "semeval": far})) == "fails"
    assert "3 tasks at least" in reason(name, frozen({"pos": close, "entities": far}))
    more = "sur-ner-needs-more"
    assert verdict(more, frozen({"pos": close, "entities": far})) == "holds"
    assert verdict(more, frozen({"pos": (80, 80, 81.2), "entities": far})) == "fails"
    assert verdict(more, frozen({"pos": (80, 80, 80), "entities": close})) == "fails"


def test_semantic_tasks_gain_from_context_of_their_own():
    name = "sur-task-contextualization"
    gain, loss = (70.0, 70.0, 70.9), (60.0, 62.0, 61.5)
    assert verdict(name, frozen({"coreference": gain, "semeval": loss, "pos": (90, 95, 80)})) == "holds"
    assert verdict(name, frozen({"coreference": loss, "semeval": loss, "pos": (90, 91, 99)})) == "fails"
    assert "2 common tasks at least; there are 1" in reason(name, frozen({"coreference": gain, "pos": gain}))


def layered(perplexity: list[float], transfer: list[float]) -> pd.DataFrame:
    return world(rows(PERPLEXITY, {None: perplexity}, family="bilstm"),
                 rows(TRANSFER, {"pos": transfer, "srl": transfer}, family="bilstm"))


def test_transfer_falls_from_the_first_contextual_layer_or_from_the_input():
    name = "sur-elmo-monotone"
    as_in_the_notes = layered([90, 50, 30], [60, 80, 70])
    assert verdict(name, as_in_the_notes) == "holds"
    assert verdict(f"{name}.from-input", as_in_the_notes) == "fails"
    assert verdict(f"{name}.from-input", layered([90, 50, 30], [90, 80, 70])) == "holds"
    assert verdict(name, layered([90, 50, 50], [60, 80, 70])) == "fails"
    assert verdict(name, layered([90, 50, 30], [60, 80, 80])) == "fails"
    assert verdict(name, layered([90, 50], [60, 80])) == "not run"


def test_reversals_exceed_noise_in_each_task():
    rates = world(rows(NET_REVERSALS, {"entities": 0.02, "pos": 0.001}, family="masked"))
    assert verdict("sur-bert-revises", rates) == "holds"
    assert verdict("sur-bert-revises", rates.assign(value=[0.02, 0.0])) == "fails"


# ---- what has no meaning on a table

def test_a_task_whose_score_does_not_rise_has_no_place():
    places = dict(zip(FIVE, (1, 1.5, 2, 2.5, 3), strict=True))
    table = cumulative(places)
    entities = (table["task"] == "entities").to_numpy()
    flat = table.assign(value=table["value"].where(~entities, 60.0))
    assert reason(IN_ORDER, flat) == "the score of entities does not rise"
    falling = table.assign(value=table["value"].where(~entities, 100 - table["value"]))
    assert reason(IN_ORDER, falling) == "the score of entities does not rise"
    draws = np.tile(table["value"].to_numpy(), (100, 1))
    draws[:4, entities] = 60.0
    answer = judge(CLAIMS[IN_ORDER], table, draws)
    assert (answer.verdict, answer.support) == ("undecided", 1.0)
    assert answer.reason == "in 4% of the draws: the score of entities does not rise"
    draws[:2, entities] = table["value"].to_numpy()[entities]
    assert judge(CLAIMS[IN_ORDER], table, draws).verdict == "holds"


def test_the_order_is_not_asked_of_a_model_that_was_not_probed_for_roles():
    without = cumulative({"pos": 1, "constituents": 1.5, "entities": 2, "coreference": 3})
    assert reason(IN_ORDER, without) == "speaks of srl, and no such task is here"


def test_weights_that_are_no_shares_have_no_centre():
    places = {"pos": 1.0, "constituents": 1.5, "entities": 2.0, "srl": 2.5, "coreference": 3.0}
    name = "sur-pipeline-order.constituents-centre-of-gravity"
    assert verdict(name, weights(places)) == "holds"
    assert "are no shares of 1" in reason(name, weights(places).assign(value=0.3))


def test_a_score_that_is_missing_in_a_layer_leaves_the_order_open():
    table = cumulative(dict(zip(FIVE, (1, 1.5, 2, 2.5, 3), strict=True)))
    gap = table[~((table["task"] == "pos") & (table["layer"] == 2)).fillna(False)]
    assert "pos in every layer from 0 up" in reason(IN_ORDER, gap)
    nothing = table.assign(value=table["value"].where(table["layer"] != 2))
    assert "has no value" in reason(IN_ORDER, nothing)


def test_two_corpora_in_one_table_are_refused():
    table = cumulative(dict(zip(FIVE, (1, 1.5, 2, 2.5, 3), strict=True)))
    both = pd.concat([table.assign(dataset="gum"), table.assign(dataset="ewt")], ignore_index=True)
    assert "dataset gum, ewt" in reason(IN_ORDER, both)
    doubled = pd.concat([bert_over_elmo(8).assign(dataset=name) for name in ("gum", "ewt")], ignore_index=True)
    assert "dataset gum, ewt" in reason("sur-bert-edge", doubled)


# ---- the checks, and numbers that the notes quote

def test_the_checks_that_differ_are_the_known_ones():
    assert len({check.id for check in survey.CHECKS}) == len(survey.CHECKS) == 11
    differing = {check.id for check in survey.CHECKS if not check.find(TABLE).agrees}
    assert differing == {"survey-check-semantic-gain"}


def test_checks_of_what_no_page_prints_say_so():
    stated = {check.id.removeprefix("survey-check-"): check.stated for check in survey.CHECKS}
    assert stated["semantic-gain"] == "Stated" and stated["selectivity"] == stated["sub-rows"] == "Released"
    assert stated["expected-layer"] == "Printed"


def changed(check_id: str, measure: str, change: float, **keys) -> bool:
    """Whether a check still agrees after one number moved."""
    check = next(check for check in survey.CHECKS if check.id == f"survey-check-{check_id}")
    keep = (TABLE["measure"] == measure) & TABLE["variant"].isna()
    for key, value in keys.items():
        keep &= (TABLE[key] == value).fillna(False)
    moved = TABLE["value"].where(~keep, TABLE["value"] + change)
    assert (moved != TABLE["value"]).any()
    return check.find(TABLE.assign(value=moved)).agrees


@pytest.mark.parametrize("check_id, measure, just_in, out, keys", [
    ("expected-layer", "expected_layer", 2e-4, 2e-3, {"task": "pos"}),
    ("centre-of-gravity", "centre_of_gravity", 1e-6, 1e-3, {"task": "srl"}),
    ("gain-divergence", "expected_layer_divergence", 1e-4, 2e-3, {"task": "pos"}),
    ("weight-divergence", "centre_of_gravity_divergence", 1e-6, 1e-3, {"task": "pos"}),
    ("best-score", "best_cumulative_probe_f1", 1e-6, 1e-3, {"task": "pos"}),
    ("end-labels", "cumulative_probe_f1_label", 1e-3, 0.2, {"task": "srl", "layer": 24}),
    ("range", "expected_layer", 1.0, 15.0, {"task": "spr1"}),
    ("weights", "scalar_mix_weight", 1e-6, 1e-3, {"task": "pos", "layer": 1, "model": "ELMo"}),
    ("sub-rows", "edge_probe_f1", 0.01, 30.0, {"task": "srl", "model": "ELMo"}),
    ("selectivity", "selectivity", 1e-6, 1e-3, {"estimator": "linear"})])
def test_every_check_that_agrees_can_differ(check_id, measure, just_in, out, keys):
    assert changed(check_id, measure, just_in, **keys)
    assert not changed(check_id, measure, out, **keys)


def test_labels_of_the_figures_follow_from_scores_and_weights_task_by_task():
    """Figure 1 shows two decimals of an expected layer; the scores at hand have four, which leaves the fourth open."""
    for task in readings.FIGURE:
        printed = {measure: LARGE.value(measure, task=task) for measure in ("expected_layer", "centre_of_gravity")}
        assert readings.expected_layer(LARGE, task) == pytest.approx(printed["expected_layer"], abs=2e-4)
        assert readings.centre_of_gravity(LARGE, task) == pytest.approx(printed["centre_of_gravity"], abs=6e-5)


@pytest.mark.parametrize("measure, computed", [
    ("expected_layer", edge_probing.expected_layer),
    ("expected_layer_divergence", lambda scores: edge_probing.divergence_from_uniform(np.maximum(np.diff(scores), 0))),
    ("negative_gains", lambda scores: (edge_probing.score_gains(scores) < 0).sum())])
def test_numbers_computed_earlier_come_out_again(measure, computed):
    derived = where(TABLE, artifact="BERT-pipeline derived", measure=measure)
    derived = derived[derived["estimator"].isna()]
    assert len(derived) == 22
    for row in derived.itertuples():
        model = BASE if row.model == "BERT-base" else LARGE
        scores = model.curve(readings.CUMULATIVE, task=row.task)[0]
        if measure != "expected_layer" or scores[-1] > scores[0]:
            # winograd: four decimals of the scores are coarse where the scores hardly rise
            assert computed(scores) == pytest.approx(row.value, abs=2e-3 if row.task == "winograd" else 6e-4), row


def test_architecture_shares_come_out_again():
    tasks, shares = readings.architecture_share(ELMO)
    derived = where(TABLE, measure="architecture_share").set_index("task")["value"]
    assert len(tasks) == 10 and shares.mean() == pytest.approx(0.20, abs=0.005)
    for task, share in zip(tasks, shares[0], strict=True):
        assert share == pytest.approx(derived[task], abs=6e-5), task


def test_the_text_of_the_notes_agrees_with_the_table():
    """Numbers that the notes quote in words, typed from there."""
    pairs = readings.between_families(Table(TABLE), "bilstm", "mix", "translation", "states")
    gain = pairs["ELMo minus CoVe"].gain[0]
    assert list(pairs) == ["ELMo minus CoVe"] and len(gain) == 11
    assert (gain > 0).all() and gain.mean() == pytest.approx(4.46, abs=0.005)
    bert = readings.gains(LARGE.where(estimator="mix"), ELMO.where(estimator="mix"), errors=True).frame()
    counts = (bert["gain"] > 0).sum(), (bert["gain"].round(1) > 0).sum(), (bert["gain"] > bert["error"]).sum()
    assert counts == (10, 9, 7)
    static = readings.over_input(ELMO).frame()["gain"]
    groups = readings.SYNTAX, readings.SPR_AND_COREFERENCE, readings.SEMANTIC
    assert [static[list(tasks)].mean() for tasks in groups] == pytest.approx([11.8, 4.9, 10.6], abs=0.06)
    random = readings.over_input(ELMO, readings.UNTRAINED, errors=True).frame()
    assert (len(random), (random["gain"] > random["error"]).sum()) == (10, 6)
    runs = where(TABLE, measure="centre_of_gravity", task="semeval")["value"]
    assert np.ptp(runs) == pytest.approx(claims_pipeline.RUN_TO_RUN, abs=0.005)
    order = [readings.centre_of_gravity(LARGE, task).item() for task in claims_pipeline.DEPENDENCIES]
    assert edge_probing.order_agreement(order) == pytest.approx(0.6)


def test_simulated_intervals_come_out_again_from_errors_of_a_binomial():
    """The earlier computation drew with the released error of each score; ours with one number of trials a task."""
    trials = readings.trials(TABLE)
    assert trials["spread"].drop("winograd").max() < 0.17 < 5 < trials["spread"]["winograd"]
    for task in readings.FIGURE:
        scores = LARGE.curve(readings.CUMULATIVE, task=task)[0] / 100
        samples = edge_probing.draw_scores(scores, trials["trials"][task], 4000, seed=0)
        drawn = edge_probing.expected_layer(samples)
        for side, quantile in (("low", 0.025), ("high", 0.975)):
            earlier = where(TABLE, measure=f"expected_layer_ci95_{side}", task=task)["value"].item()
            assert np.quantile(drawn, quantile) == pytest.approx(earlier, abs=0.25), (task, side)


def test_expected_layers_of_winograd_are_refused_and_of_the_figure_are_not():
    for model in (BASE, LARGE):
        refused = []
        for task in readings.TASKS:
            error = model.where(estimator="mix").value(readings.ERROR, task=task).item()
            try:
                edge_probing.expected_layer(model.curve(readings.CUMULATIVE, task=task)[0], error)
            except ValueError:
                refused.append(task)
        assert refused == (["spr2", "winograd"] if model is BASE else ["winograd"])


# ---- the table

def test_the_table_has_the_schema_and_one_standing_a_row():
    assert list(TABLE.columns) == [*KEYS, "value", "artifact", "printed"]
    assert TABLE["value"].notna().all() and TABLE["measure"].notna().all()
    assert not TABLE.duplicated([*KEYS, "artifact"]).any()
    standing = readings.standing(TABLE)
    assert standing.value_counts(dropna=False).to_dict() == {"authors' files": 1276, "computed": 116, "secondary": 50}


def test_a_claim_that_rests_on_a_secondary_source_says_so():
    secondary = set(TABLE["measure"][readings.standing(TABLE) == readings.SECONDARY])
    for name in DECIDED:
        claim = CLAIMS[name]
        assert bool(secondary & set(claim.needs.measures)) == ("secondary source" in claim.tolerance), name


def test_nothing_of_the_source_is_lost(shared):
    source = pd.read_csv(shared / "published" / "survey.csv", dtype=str, keep_default_na=False)
    assert TABLE["artifact"].value_counts().to_dict() == source["artifact"].value_counts().to_dict()
    for artifact, part in source.groupby("artifact"):
        mine = where(TABLE, artifact=artifact)
        assert sorted(mine["printed"]) == sorted(part["value"]), artifact
    listed = readings.sources().set_index("artifact")["standing"]
    for artifact, part in source.groupby("artifact"):
        secondary = part["source"].str.startswith("secondary").all()
        assert (listed.loc[[artifact]] == "secondary").all() == secondary, artifact


def test_layers_are_counted_as_in_the_book():
    """The structural probe's BERT-base7 is the output of block 8, ELMo1 the first biLSTM layer (notes, trap 16)."""
    probed = TABLE[TABLE["measure"] == claims_syntax.UUAS].groupby("model")["layer"].apply(list).to_dict()
    assert probed == {"BERT-base": [8], "BERT-large": [16, 17], "ELMo": [1]}
    depth = TABLE[TABLE["measure"] == readings.CUMULATIVE].groupby("model")["layer"].agg(["min", "max"])
    assert depth.loc["BERT-base"].tolist() == [0, 12] and depth.loc["BERT-large"].tolist() == [0, 24]


def test_two_works_cited_in_the_book_never_share_a_label():
    """A reference reads "Tenney et al. [2019a]": surnames (up to two) and year tell the works apart."""
    text = (ROOT / "book" / "references.bib").read_text(encoding="utf8")
    labels = []
    for entry in text.split("\n@")[1:]:
        authors = re.search(r"author\s*=\s*\{(.+)\},?\n", entry)[1].split(" and ")
        surnames = [author.split(",")[0] for author in authors]
        shown = " & ".join(surnames) if len(surnames) < 3 else f"{surnames[0]} et al."
        labels.append((shown, re.search(r"year\s*=\s*\{(.+?)\}", entry)[1]))
    assert len(labels) > 20
    assert not [label for label, number in Counter(labels).items() if number > 1]
