"""The survey's predicates on worlds that follow a statement, its opposite, and neither."""

import numpy as np
import pandas as pd
import pytest

from cwr.report.judgement import judge
from cwr.tables import KEYS, LACKING, tidy, where
from cwr.texts.survey import claims as survey
from cwr.texts.survey.claims import closing as claims_closing
from cwr.texts.survey.claims import hierarchy as claims_hierarchy
from cwr.texts.survey.claims import pipeline as claims_pipeline
from cwr.texts.survey.claims import practice as claims_practice
from cwr.texts.survey.claims import readings
from cwr.texts.survey.claims import syntax as claims_syntax
from cwr.texts.survey.claims import translation as claims_translation
from cwr.texts.survey.claims.architecture import SCORE
from cwr.texts.survey.claims.controls import CONTROLS
from cwr.texts.survey.claims.practice import FROZEN, PERPLEXITY, TRANSFER

CLAIMS = {claim.id: claim for claim in survey.CLAIMS}
FIVE = claims_pipeline.CONSTITUENTS
IN_ORDER = "sur-pipeline-order.constituents-expected-layer"


def verdict(name: str, table: pd.DataFrame, replicates: np.ndarray | None = None) -> str:
    return judge(CLAIMS[name], table, replicates).verdict


def reason(name: str, table: pd.DataFrame) -> str:
    """Why a claim is not run on a table."""
    answer = judge(CLAIMS[name], table)
    assert answer.verdict == "not run"
    return answer.reason


# ---- worlds that follow a statement, and their opposite


def rows(measure: str, values: dict, **keys) -> list[dict]:
    """Rows of {task: values in order of layers}; a number alone has no layer."""
    frame_rows = []
    for task, scores in values.items():
        layered = isinstance(scores, list)
        for layer, value in enumerate(scores if layered else [scores]):
            frame_rows.append(
                {
                    "measure": measure,
                    "task": task,
                    "value": float(value),
                    "model": "m",
                    **keys,
                }
            )
            if layered:
                frame_rows[-1]["layer"] = layer
    return frame_rows


def world(*parts: list[dict]) -> pd.DataFrame:
    return tidy([row for part in parts for row in part])


def cumulative(places: dict[str, float], depth: int = 4) -> pd.DataFrame:
    """Scores of a masked model, such that each task has this expected layer."""
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
    assert (
        verdict(IN_ORDER, cumulative({**places, "srl": 2})) == "fails"
    )  # equal is not later
    assert verdict(IN_ORDER, cumulative({**places, "coreference": 2.25})) == "fails"
    assert (
        verdict(IN_ORDER, cumulative({**places, "constituents": 3, "dependencies": 1.5}))
        == "fails"
    )
    other = cumulative({**places, "constituents": 3, "dependencies": 1.5})
    assert verdict("sur-pipeline-order.dependencies-expected-layer", other) == "holds"


def weights(places: dict[str, float]) -> pd.DataFrame:
    """Mixing weights over layers 0 to 4 whose centre lies at a place."""
    curves = {task: [1 - place / 4, 0, 0, 0, place / 4] for task, place in places.items()}
    return world(rows(readings.MIX, curves, family="masked"))


def test_a_step_down_below_the_noise_of_a_run_is_a_tie_for_that_reading_only():
    places = {
        "pos": 1.0,
        "constituents": 1.5,
        "dependencies": 2.0,
        "srl": 1.9,
        "coreference": 3.0,
    }
    plain = "sur-pipeline-order.paper-list-centre-of-gravity"
    assert verdict(plain, weights(places)) == "fails"
    assert verdict(f"{plain}-tie", weights(places)) == "holds"
    assert verdict(f"{plain}-tie", weights({**places, "srl": 1.8})) == "fails"
    assert (
        verdict(
            f"{plain}-tie",
            weights({**places, "srl": 2.0 - claims_pipeline.RUN_TO_RUN + 1e-6}),
        )
        == "holds"
    )


# ---- a place needs a rise, and a missing task is no failure

FLAT = "does not rise"
PIPELINE = [claim.id for claim in claims_pipeline.CLAIMS if claim.holds]
IN_PLACE = {
    "pos": 1,
    "constituents": 1.5,
    "dependencies": 1.7,
    "entities": 2,
    "coreference": 3,
}
OTHER_ORDER = {**IN_PLACE, "constituents": 2.5, "dependencies": 2.6}


def test_an_order_without_roles_is_asked_of_the_tasks_that_are_there():
    table = cumulative(IN_PLACE)
    for name in ("constituents", "dependencies", "paper-list"):
        reading = f"sur-pipeline-order.{name}-expected-layer"
        assert "is about srl" in reason(reading, table)
        assert verdict(f"{reading}.without-roles", table) == "holds"
    late = cumulative(OTHER_ORDER)
    assert verdict(f"{IN_ORDER}.without-roles", late) == "fails"
    by_weight = "sur-pipeline-order.constituents-centre-of-gravity.without-roles"
    assert verdict(by_weight, weights(IN_PLACE)) == "holds"
    assert verdict(by_weight, weights(OTHER_ORDER)) == "fails"


def rising(entities: np.ndarray) -> tuple[pd.DataFrame, np.ndarray]:
    """Tasks in order, of which the entities gain so much at the top in each draw."""
    table = cumulative(IN_PLACE)
    draws = np.tile(table["value"].to_numpy(), (len(entities), 1))
    at = ((table["task"] == "entities") & (table["layer"] >= 2)).to_numpy()
    draws[:, at] = 50 + entities[:, None]
    return table, draws


def test_a_rise_within_its_interval_gives_no_place():
    name = f"{IN_ORDER}.without-roles"
    random = np.random.default_rng(0).normal(size=400)
    answer = judge(CLAIMS[name], *rising(1 + random))
    assert (
        answer.verdict == "not run"
        and "entities does not rise clearly: the" in answer.reason
    )
    assert judge(CLAIMS[name], *rising(5 + random)).verdict == "holds"
    other = "sur-pipeline-order.paper-list-expected-layer.without-roles"
    assert (
        judge(CLAIMS[other], *rising(1 + random)).verdict == "holds"
    )  # it reads no entities


def test_no_predicate_of_the_pipeline_fails_on_flat_scores_or_without_a_task():
    flat = dict.fromkeys(readings.TASKS, [50.0] * 5)
    table = world(
        rows(readings.CUMULATIVE, flat, family="masked"),
        rows(readings.MIX, dict.fromkeys(readings.TASKS, [0.2] * 5), family="masked"),
    )
    noise = np.random.default_rng(1).normal(size=(300, len(table)))
    noise *= (table["measure"] == readings.CUMULATIVE).to_numpy()
    for name in PIPELINE:
        by_layer = "expected-layer" in name
        for draws in (None, table["value"].to_numpy() + noise):
            answer = judge(CLAIMS[name], table, draws)
            if by_layer:
                assert answer.verdict == "not run" and FLAT in answer.reason
        for task in CLAIMS[name].needs.tasks:
            answer = judge(CLAIMS[name], table[table["task"] != task])
            assert answer.verdict == "not run" and f"is about {task}" in answer.reason


def edge_scores(
    estimators: dict[str, dict[str, float]], errors: float = 0.5, **keys
) -> pd.DataFrame:
    parts = []
    for estimator, scores in estimators.items():
        parts.append(rows(readings.EDGE, scores, estimator=estimator, **keys))
        parts.append(
            rows(
                readings.ERROR, dict.fromkeys(scores, errors), estimator=estimator, **keys
            )
        )
    return world(*parts)


def untrained(gains: tuple, trained: float = 10.0) -> pd.DataFrame:
    """An ELMo whose random weights gain this much on four tasks."""
    tasks = ("pos", "dependencies", "entities", "coreference")
    scores = {
        "lex": dict.fromkeys(tasks, 70.0),
        "mix": dict.fromkeys(tasks, 70.0 + trained),
        "random": {task: 70.0 + gain for task, gain in zip(tasks, gains, strict=True)},
    }
    return edge_scores(scores, family="bilstm")


def test_random_weights_gain_on_three_tasks_of_four_however_much():
    name = "sur-random-arch"
    assert verdict(name, untrained((1, 1, 1, -1))) == "holds"
    assert verdict(name, untrained((1, 1, 0, -1))) == "fails"  # no gain is not a gain
    assert verdict(name, untrained((20, 20, 20, -1))) == "holds"
    assert verdict(f"{name}.beyond-error", untrained((1, 1, 0.6, 1))) == "holds"
    assert (
        verdict(f"{name}.beyond-error", untrained((1, 0.7, 0.6, 1))) == "fails"
    )  # sqrt(0.5) = 0.707
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
        for name in (
            "sur-training-dominates",
            "sur-training-dominates.each-task",
        ):
            assert "the trained weights gain nothing on pos" in reason(
                name, untrained((-2, -2, -2, -2), trained)
            )


def general(name: str, table: pd.DataFrame):
    """The verdict on the general form of a claim."""
    return judge(CLAIMS[name].general_form, table)


def test_random_weights_are_asked_of_the_tasks_at_hand_three_at_least():
    gains = untrained((1, 1, 1, 1))
    without = gains[gains["task"] != "coreference"]
    name = "sur-random-arch"
    assert "is about coreference" in reason(name, without)
    assert general(name, without).verdict == "holds"
    two = without[without["task"] != "pos"]
    assert "at least 3 common tasks; there are 2" in general(name, two).reason
    assert general(name, untrained((1, 1, 1, -1))).verdict == "holds"  # three quarters
    less = untrained((1, 1, 1, -1))
    assert general(name, less[less["task"] != "pos"]).verdict == "fails"  # two of three
    assert general(f"{name}.beyond-error", untrained((1, 1, 0.6, 1))).verdict == "holds"
    assert general(f"{name}.beyond-error", untrained((1, 0.7, 0.6, 1))).verdict == "fails"


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
    both = pd.concat(
        [
            bert_over_elmo(11),
            bert_over_elmo(3).replace({"bert": "other"}).query("model == 'other'"),
        ]
    )
    assert verdict("sur-bert-edge", both) == "fails"  # each masked model


def test_two_tasks_are_no_most_and_no_common_task_is_no_comparison():
    assert "at least 3 common tasks; there are 2" in reason(
        "sur-bert-edge", bert_over_elmo(2, tasks=2)
    )
    apart = bert_over_elmo(4, tasks=4)
    apart.loc[apart["model"] == "elmo", "task"] = "winograd"
    assert verdict("sur-bert-edge", apart.drop_duplicates(KEYS)) == "not run"
    assert "no bilstm model" in reason("sur-bert-edge", where(apart, family="masked"))


def translation(
    cove: dict[str, float], glove: dict[str, float], elmo: dict[str, float]
) -> pd.DataFrame:
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
    assert (
        verdict("sur-cove-ctx", translation({**above, "srl": 80.0}, five, mixed))
        == "fails"
    )
    assert verdict("sur-lm-beats-mt", translation(five, five, mixed)) == "holds"
    assert (
        verdict("sur-lm-beats-mt", translation(above, five, mixed)) == "fails"
    )  # a mean of nought
    assert (
        verdict("sur-lm-beats-mt.beyond-error", translation(five, five, mixed)) == "fails"
    )


def gains_over_input(syntax: float, semantic: dict[str, float]) -> pd.DataFrame:
    gains = {
        **dict.fromkeys(readings.SYNTAX, syntax),
        **dict.fromkeys(readings.SEMANTIC, 3.0),
        **semantic,
    }
    mixed = {task: 70.0 + gain for task, gain in gains.items()}
    return edge_scores({"lex": dict.fromkeys(gains, 70.0), "mix": mixed}, family="bilstm")


def test_syntax_gains_more_than_three_than_all_and_semantics_nothing_at_all():
    name = "sur-syntax-over-semantics"
    some = gains_over_input(5.0, {"semeval": 24.0})
    assert verdict(name, some) == "holds"
    assert verdict(f"{name}.all-semantic", some) == "fails"
    assert verdict(f"{name}.all-semantic", gains_over_input(5.0, {})) == "holds"
    assert verdict(name, gains_over_input(3.0, {})) == "fails"  # equal is not more
    nothing = dict.fromkeys(readings.SEMANTIC, 0.7)
    assert verdict(f"{name}.no-semantic-gain", gains_over_input(5.0, nothing)) == "holds"
    assert (
        verdict(
            f"{name}.no-semantic-gain", gains_over_input(5.0, {**nothing, "spr2": 0.72})
        )
        == "fails"
    )
    without = some[some["task"] != "spr1"]
    assert reason(name, without) == "the claim is about spr1, a task without results here"


def of_tasks(table: pd.DataFrame, *tasks: str) -> pd.DataFrame:
    return table[table["task"].isin((*readings.SYNTAX, *tasks))]


def test_syntax_is_held_against_the_semantic_tasks_that_have_a_free_text():
    alone = "sur-syntax-over-semantics.without-proto-roles"
    both = "sur-syntax-over-semantics.all-semantic.without-roles"
    high = {task: 30.0 for task in readings.SEMANTIC}  # what a reading does not speak of
    some = gains_over_input(5.0, {**high, "coreference": 4.0, "semeval": 5.5})
    assert verdict(alone, some) == verdict(both, some) == "holds"
    assert verdict(alone, of_tasks(some, "coreference")) == "holds"
    assert "is about semeval" in reason(both, of_tasks(some, "coreference"))
    assert "is about coreference" in reason(alone, of_tasks(some, "semeval"))
    assert "is about pos" in reason(alone, some[some["task"] != "pos"])
    relations = gains_over_input(5.0, {"coreference": 4.0, "semeval": 6.0})
    assert verdict(both, relations) == "fails"  # a mean of 5, and equal is not more
    assert verdict(alone, gains_over_input(5.0, {"coreference": 5.0})) == "fails"
    one_of_three = gains_over_input(5.0, {"coreference": 4.0})
    one_of_three.loc[one_of_three["task"] == "pos", "value"] = 70.0  # syntax gains 10 / 3
    assert verdict(alone, one_of_three) == "fails"


def test_where_nothing_gains_syntax_gains_no_more_and_noise_leaves_it_undecided():
    name = "sur-syntax-over-semantics.without-proto-roles"
    flat = gains_over_input(0.0, {"coreference": 0.0})
    assert verdict(name, flat) == "fails"
    noise = np.random.default_rng(0).normal(size=(400, len(flat)))
    assert verdict(name, flat, flat["value"].to_numpy() + noise) == "undecided"


def architectures(
    lstm: float, others: float, static: float = 80.0, number: int = 4
) -> pd.DataFrame:
    families = ("bilstm", "bilstm", "causal", "convolutional")[:number]
    parts = []
    for model, family in zip("abcd", families, strict=False):
        contextual = lstm if family == "bilstm" else others
        for estimator, score in (("mix", contextual), ("lex", static)):
            scores = {"pos": score, "inference": score, "entities": score}
            parts.append(
                rows(SCORE, scores, model=model, family=family, estimator=estimator)
            )
    return world(*parts)


def test_architectures_are_compared_with_each_other_and_with_static_vectors():
    assert verdict("sur-arch-four-models", architectures(90, 89)) == "holds"
    assert (
        verdict("sur-arch-four-models", architectures(90, 80)) == "fails"
    )  # equal is not better
    three = architectures(90, 89, number=3)
    assert "no convolutional model" in reason("sur-arch-four-models", three)
    assert general("sur-arch-four-models", three).verdict == "holds"
    for name in ("sur-lstm-best.close", "sur-arch-little"):
        assert verdict(name, architectures(90, 89)) == "holds"
        assert verdict(name, architectures(90, 81)) == "fails"
    assert verdict("sur-lstm-best", architectures(90, 89)) == "holds"
    assert verdict("sur-lstm-best", architectures(88, 89)) == "fails"
    assert "share the best score" in reason("sur-lstm-best", architectures(89, 89))
    for name in ("sur-lstm-best", "sur-lstm-best.close"):
        assert "no convolutional model" in reason(name, three)


def test_networks_that_gain_nothing_are_not_far_apart_but_undecidable():
    for name in ("sur-lstm-best.close", "sur-arch-little"):
        assert "gain nothing on pos" in reason(name, architectures(80, 80))
    flat = architectures(90, 89)
    above = np.tile(flat["value"].to_numpy(), (200, 1))
    level = np.where(flat["estimator"] == "lex", above, 80.0)
    drawn = np.where(np.arange(200)[:, None] < 20, level, above)  # in a tenth of the draws
    answer = judge(CLAIMS["sur-arch-little"], flat, drawn)
    assert answer.verdict == "undecided" and "gain nothing" in answer.reason


KINDS = ("sur-arch-four-models", "sur-lstm-best", "sur-lstm-best.close", "sur-arch-little")


@pytest.mark.parametrize("name", KINDS)
def test_networks_that_still_learn_are_not_compared(name):
    table = architectures(90, 89)
    models = table.drop_duplicates("model")

    def with_raised(*values):
        raised = models.assign(measure=readings.RAISED, estimator=pd.NA, value=values)
        return pd.concat([table, raised], ignore_index=True)

    assert verdict(name, with_raised(1.0, 0.5, 0, -1)) == "holds"
    because = "no network has learned enough (the second half of its text still raised its gain on "
    assert reason(name, with_raised(1.1, 3, 4, 5)).startswith(because)
    one_left = reason(name, with_raised(1.0, 3, 4, 5))
    assert "not learned enough: " in one_left and "1.0" not in one_left


def test_the_best_kind_is_not_asked_of_two_tasks():
    table = architectures(90, 89)
    few = table[table["task"] != "pos"]
    assert "at least 3 common tasks; there are 2" in reason("sur-lstm-best", few)


def test_many_tasks_are_more_than_half_of_them():
    table = architectures(90, 89)

    def behind(*tasks):
        lstms = (
            (table["family"] == "bilstm")
            & (table["estimator"] == "mix")
            & table["task"].isin(tasks)
        )
        return table.assign(value=table["value"].where(~lstms, 85.0))

    assert verdict("sur-lstm-best", behind("pos")) == "holds"
    assert verdict("sur-lstm-best", behind("pos", "entities")) == "fails"


def pretraining(
    nearest: float, other: float, language_model: float, by_text: tuple = ()
) -> pd.DataFrame:
    frame_rows = []
    for target in ("chunks", "entities"):
        sources = (
            ("nearest", "ccg", nearest),
            ("other", "pos", other),
            ("language model",) * 2 + (language_model,),
        )
        for estimator, source, value in sources:
            frame_rows.append(
                {
                    "measure": claims_translation.TRANSFER,
                    "model": "m",
                    "task": target,
                    "class": source,
                    "estimator": estimator,
                    "value": value,
                }
            )
        for amount, value in zip((1, 4, 16), by_text, strict=False):
            frame_rows.append(
                {
                    "measure": claims_translation.MORE_TEXT,
                    "model": "m",
                    "task": target,
                    "k": amount,
                    "value": value,
                }
            )
    return tidy(frame_rows)


def test_the_nearest_task_transfers_best_and_more_text_catches_up():
    assert verdict("sur-related-task", pretraining(3, 2, 4)) == "holds"
    assert verdict("sur-related-task", pretraining(2, 2, 4)) == "fails"
    assert verdict("sur-related-task.lm-average", pretraining(3, 2, 4)) == "holds"
    assert verdict("sur-related-task.lm-average", pretraining(3, 2, 2.5)) == "fails"
    assert "shares the largest" in reason(
        "sur-related-task.lm-average", pretraining(3, 2, 3)
    )
    name = "sur-big-lm-levels"
    assert (
        verdict(name, pretraining(3, 2, 4, (1, 2, 3))) == "holds"
    )  # at the best, not above
    assert verdict(name, pretraining(3, 2, 4, (1, 2, 2.9))) == "fails"
    assert verdict(name, pretraining(3, 2, 4, (1, 4, 4))) == "fails"  # rises no further
    assert "two amounts of text" in reason(name, pretraining(3, 2, 4, (4,)))


def single(best: dict[str, int], depth: int = 8, **keys) -> pd.DataFrame:
    curves = {
        task: [90.0 - abs(layer - top) for layer in range(depth + 1)]
        for task, top in best.items()
    }
    return world(rows(readings.SINGLE, curves, **keys))


def test_the_best_single_layers_are_compared_to_the_layer():
    assert (
        verdict("sur-lower-layers-local", single({"pos": 2, "coreference": 3})) == "holds"
    )
    assert (
        verdict("sur-lower-layers-local", single({"pos": 3, "coreference": 3})) == "fails"
    )
    middle = {
        "pos": 2,
        "entities": 7,
        "srl": 0,
        "coreference": 8,
    }  # from L/4 to L - 1: two of four
    assert verdict("sur-bert-middle", single(middle, family="masked")) == "holds"
    assert (
        verdict("sur-bert-middle", single({**middle, "pos": 1}, family="masked"))
        == "fails"
    )
    assert (
        verdict("sur-bert-middle", single({**middle, "entities": 8}, family="masked"))
        == "fails"
    )


def test_a_tie_and_a_missing_layer_leave_no_best_layer():
    flat = single({"pos": 2, "coreference": 3}).assign(value=80.0)
    assert "two values tie for the largest single layer probe F1 on" in reason(
        "sur-lower-layers-local", flat
    )
    table = single({"pos": 2, "coreference": 3})
    gap = table[~((table["task"] == "pos") & (table["layer"] == 2)).fillna(False)]
    assert "pos in 9 layers" in reason("sur-lower-layers-local", gap)


def weights_led_by(best: list[int], depth: int, family: str) -> pd.DataFrame:
    curves = {
        task: [0.5 if layer == top else 0.25 for layer in range(depth + 1)]
        for task, top in zip(readings.FIGURE, best, strict=True)
    }
    return world(rows(readings.MIX, curves, family=family))


def elmo_weights(best: list[int]) -> pd.DataFrame:
    return weights_led_by(best, 2, "bilstm")


def test_bert_misses_the_trend_if_three_of_eight_tasks_are_led_elsewhere():
    name = "sur-bert-not-low"
    for best, expected in (
        ([1, 2] * 2 + [1, 0, 3, 4], "holds"),
        ([1, 2] * 3 + [0, 4], "fails"),
        ([3] * 8, "holds"),
    ):
        assert verdict(name, weights_led_by(best, 4, "masked")) == expected


def test_layer_1_leads_in_six_of_eight_tasks():
    name = "sur-elmo-layer1"
    assert verdict(name, elmo_weights([1] * 6 + [0, 2])) == "holds"
    assert verdict(name, elmo_weights([1] * 5 + [0, 2, 2])) == "fails"
    assert verdict(name, elmo_weights([0] * 8)) == "fails"
    assert "2-layer model" in reason(
        name, world(rows(readings.MIX, {"pos": [0.2] * 5}, family="bilstm"))
    )


def test_pictures_compare_layer_1_with_the_top():
    falls, rises = [0.9, 0.3, 0.2, 0.1], [0.9, 0.1, 0.2, 0.3]
    for name, measure, good in (
        ("sur-heatmap-np", claims_hierarchy.PHRASES, falls),
        ("sur-heatmap-verbs", claims_hierarchy.VERBS, rises),
    ):
        bad = rises if good is falls else falls
        assert verdict(name, world(rows(measure, {None: good}))) == "holds"
        assert verdict(name, world(rows(measure, {None: bad}))) == "fails"
        assert "in layer 1 and in a higher one" in reason(
            name, world(rows(measure, {None: good[:2]}))
        )
        negative = world(rows(measure, {None: [value - 1 for value in good]}))
        assert verdict(name, negative) == "fails"


@pytest.mark.parametrize("treatment", ["", *claims_hierarchy.TREATMENTS])
def test_pictures_are_read_by_each_treatment_of_the_vectors_alone(treatment):
    estimator = treatment or claims_hierarchy.RAW
    low, high = [0.2, 0.3, 0.1], [0.2, 0.1, 0.3]
    measures = {
        "sur-heatmap-np": (claims_hierarchy.PHRASES, low, high),
        "sur-heatmap-np.matched": (claims_hierarchy.PHRASES_BY_CLASS, low, high),
        "sur-heatmap-np.in-order": (claims_hierarchy.PHRASES_IN_ORDER, low, high),
        "sur-heatmap-np.beyond-input": (claims_hierarchy.PHRASES, low, high),
        "sur-heatmap-verbs": (claims_hierarchy.VERBS, high, low),
        "sur-heatmap-verbs.beyond-input": (claims_hierarchy.VERBS, high, low),
    }
    for name, (measure, good, bad) in measures.items():
        suffix = "." + treatment if treatment else ""
        others = rows(measure, {None: bad}, estimator="another")
        values = {"holds": good, "fails": bad, "not run": [0.2, np.nan, 0.1]}
        for expected, curve in values.items():
            table = world(rows(measure, {None: curve}, estimator=estimator), others)
            assert verdict(name + suffix, table) == expected
        assert reason(name + suffix, world(others)).startswith(LACKING)


def test_a_gain_over_the_input_needs_the_input():
    table = world(rows(claims_hierarchy.VERBS, {None: [0.1, 0.2, 0.3]}))
    name = "sur-heatmap-verbs.beyond-input"
    assert verdict(name, table) == "holds"
    assert "in layers 0 and 1" in reason(name, table[table["layer"] != 0])


def pronouns(accuracy: list[float], rule: float) -> pd.DataFrame:
    baseline = {
        "measure": claims_hierarchy.PRONOUN_BASELINE,
        "model": "the closest noun",
        "value": rule,
    }
    return world(
        rows(claims_hierarchy.PRONOUNS, {None: accuracy}, family="bilstm"), [baseline]
    )


def test_pronouns_are_found_above_every_rule_and_in_the_upper_half():
    name = "sur-coref-unsup"
    assert verdict(name, pronouns([40, 41, 42, 50, 45], 47)) == "holds"
    assert (
        verdict(name, pronouns([40, 41, 50, 42, 45], 47)) == "fails"
    )  # the middle is not above it
    assert verdict(name, pronouns([40, 41, 42, 50, 45], 50)) == "fails"
    assert (
        verdict(f"{name}.beats-baselines", pronouns([50, 41, 42, 43, 45], 47)) == "holds"
    )
    assert (
        verdict(f"{name}.beats-baselines", pronouns([47, 41, 42, 43, 45], 47)) == "fails"
    )


def structural(uuas_64: float, spearman: float) -> pd.DataFrame:
    by_rank = {8: (0.6, 0.4), 64: (uuas_64, 0.7), 512: (0.8, spearman)}
    frame_rows = []
    for rank, (uuas, correlation) in by_rank.items():
        frame_rows.append(
            {"measure": claims_syntax.UUAS_BY_RANK, "k": rank, "model": "m", "value": uuas}
        )
        frame_rows.append(
            {
                "measure": claims_syntax.DISTANCES_BY_RANK,
                "k": rank,
                "model": "m",
                "value": correlation,
            }
        )
    return tidy(frame_rows)


def test_distances_correspond_closely_or_loosely():
    assert verdict("sur-sqdist", structural(0.5, 0.8)) == "holds"
    assert verdict("sur-sqdist", structural(0.8, 0.79)) == "fails"
    assert verdict("sur-sqdist.loosely", structural(0.784, 0.5)) == "holds"
    assert verdict("sur-sqdist.loosely", structural(0.783, 0.8)) == "fails"
    assert verdict("sur-sqdist.loosely", structural(0.8, 0.49)) == "fails"
    assert "64 dimensions" in reason(
        "sur-sqdist.loosely", structural(0.8, 0.8).query("k != 64")
    )


def beside_baseline(measure: str, value: float, baseline: float) -> list[dict]:
    return [
        {"measure": measure, "model": "m", "family": "masked", "layer": 3, "value": value},
        {"measure": f"{measure}_baseline", "model": "chain", "value": baseline},
    ]


def test_trees_and_depths_beat_every_baseline():
    uuas = claims_syntax.UUAS
    assert (
        verdict("sur-trees-in-geometry", world(beside_baseline(uuas, 60, 59.8))) == "holds"
    )
    assert (
        verdict("sur-trees-in-geometry", world(beside_baseline(uuas, 59.8, 59.8)))
        == "fails"
    )
    depths, roots = (
        beside_baseline(claims_syntax.DEPTHS, 0.8, 0.7),
        beside_baseline(claims_syntax.ROOT, 80, 70),
    )
    assert verdict("sur-sqnorm-depth", world(depths, roots)) == "holds"
    assert (
        verdict(
            "sur-sqnorm-depth", world(depths, beside_baseline(claims_syntax.ROOT, 70, 80))
        )
        == "fails"
    )
    rebuilt = [
        {"measure": claims_syntax.REBUILT, "value": 1.0},
        {"measure": claims_syntax.ORIENTED, "value": 1.0},
    ]
    assert verdict("sur-dist-depth-suffice", tidy(rebuilt)) == "holds"
    assert (
        verdict("sur-dist-depth-suffice", tidy(rebuilt).assign(value=[1.0, 0.999]))
        == "fails"
    )


def baselines_of_models(**values: tuple[float, float]) -> pd.DataFrame:
    """The UUAS of models, each with the one baseline that was measured on its words."""
    found = []
    for model, (value, baseline) in values.items():
        keys = {"measure": claims_syntax.UUAS, "model": model, "family": "masked"}
        found.append({**keys, "value": value})
        measure = f"{claims_syntax.UUAS}_baseline"
        found.append(
            {**keys, "measure": measure, "estimator": "layer 0", "value": baseline}
        )
    return tidy(found)


def test_a_model_is_held_against_its_own_baselines_a_group_against_all():
    table = baselines_of_models(low=(50, 40), high=(60, 55))
    assert (
        verdict("sur-trees-in-geometry", table) == "fails"
    )  # low is not above the other's input
    of_low = where(table, model="low")
    assert verdict("sur-trees-in-geometry.each-model", of_low) == "holds"
    assert (
        verdict("sur-trees-in-geometry.each-model", of_low.assign(value=50.0)) == "fails"
    )


def frozen(scores: dict[str, tuple]) -> pd.DataFrame:
    parts = [
        rows(
            FROZEN,
            {task: values[number] for task, values in scores.items()},
            estimator=probe,
        )
        for number, probe in enumerate(("linear", "mlp", "bilstm"))
    ]
    return world(*parts)


def test_a_linear_probe_is_enough_within_a_point_in_half_of_the_tasks():
    close, far = (80.0, 80.5, 81.0), (80.0, 80.5, 81.1)
    name = "sur-linear-enough"
    assert (
        verdict(
            name, frozen({"pos": close, "srl": close, "entities": far, "semeval": far})
        )
        == "holds"
    )
    assert (
        verdict(name, frozen({"pos": close, "srl": far, "entities": far, "semeval": far}))
        == "fails"
    )
    assert "3 tasks at least" in reason(name, frozen({"pos": close, "entities": far}))
    more = "sur-ner-needs-more"
    assert verdict(more, frozen({"pos": close, "entities": far})) == "holds"
    assert verdict(more, frozen({"pos": close, "entities": (80, 81.1, 80)})) == "holds"
    assert verdict(more, frozen({"pos": (80, 80, 81.2), "entities": far})) == "fails"
    assert verdict(more, frozen({"pos": (80, 80, 80), "entities": close})) == "fails"


def test_semantic_tasks_gain_from_context_of_their_own():
    name = "sur-task-contextualization"
    gain, loss = (70.0, 70.0, 70.9), (60.0, 62.0, 61.5)
    assert (
        verdict(name, frozen({"coreference": gain, "semeval": loss, "pos": (90, 95, 80)}))
        == "holds"
    )
    assert (
        verdict(name, frozen({"coreference": loss, "semeval": loss, "pos": (90, 91, 99)}))
        == "fails"
    )
    assert "at least 2 common tasks; there are 1" in reason(
        name, frozen({"coreference": gain, "pos": gain})
    )


def equal_updates(scores: dict[str, tuple]) -> pd.DataFrame:
    """{task: scores of the frozen linear probe, of the frozen MLP, of the tuned model}."""
    estimators = ("frozen linear", "frozen mlp", claims_practice.TUNED)
    parts = []
    for number, name in enumerate(estimators):
        values = {task: of_task[number] for task, of_task in scores.items()}
        parts.append(
            rows(claims_practice.EQUAL_UPDATES, values, estimator=name, family="masked")
        )
    return world(*parts)


def test_tuning_is_held_against_the_best_frozen_probe_in_most_tasks():
    name = "sur-tune-or-not"
    little, much = (80.0, 70.0, 81.0), (70.0, 80.0, 81.1)
    assert (
        verdict(name, equal_updates({"pos": little, "entities": little, "srl": much}))
        == "holds"
    )
    assert (
        verdict(name, equal_updates({"pos": little, "entities": much, "srl": much}))
        == "fails"
    )
    halves = {"pos": little, "entities": little, "srl": much, "semeval": much}
    assert verdict(name, equal_updates(halves)) == "fails"  # half is not most
    assert "3 tasks at least" in reason(
        name, equal_updates({"pos": little, "srl": little})
    )
    nothing = equal_updates({"pos": little, "srl": little, "entities": little})
    assert "tuned" in reason(name, nothing[nothing["estimator"] != claims_practice.TUNED])


def sentence_tasks(sst2: float, mrpc: float, **keys) -> list[dict]:
    scores = {"sst2": sst2, "mrpc": mrpc}
    return rows(claims_translation.SENTENCES, scores, **keys)


def test_two_tasks_of_glue_are_both_asked():
    bert = {"model": "bert", "family": "masked", "estimator": claims_translation.TUNED}
    scratch = {**bert, "estimator": claims_translation.SCRATCH}
    elmo = {"model": "elmo", "family": "bilstm", "estimator": claims_translation.TUNED}

    def ours(first, second, lower):
        return world(
            sentence_tasks(first, second, **bert),
            sentence_tasks(70, 70, **lower),
        )

    for name, lower in (("sur-bert-glue", elmo), ("sur-bert-confirms", scratch)):
        assert verdict(f"{name}.two-tasks", ours(80, 71, lower)) == "holds"
        assert (
            verdict(f"{name}.two-tasks", ours(80, 70, lower)) == "fails"
        )  # equal is not better
        one = ours(80, 71, lower)
        assert "mrpc" in reason(f"{name}.two-tasks", one[one["task"] == "sst2"])
    assert "no bilstm model" in reason("sur-bert-glue.two-tasks", ours(80, 71, scratch))


def test_a_target_that_is_itself_pretrained_on_is_left_out_of_the_mean():
    table = pretraining(3, 2, 2.5)
    own = {"measure": claims_translation.TRANSFER, "model": "m", "task": "pos"}
    more = [{**own, "class": "ccg", "estimator": "nearest", "value": 0.0}]
    more.append(
        {**own, "class": "language model", "estimator": "language model", "value": 99.0}
    )
    with_own = pd.concat([table, tidy(more)], ignore_index=True)
    assert verdict("sur-related-task.lm-average", with_own) == "fails"
    one = with_own[with_own["task"] != "chunks"]
    assert "two targets at least" in reason("sur-related-task.lm-average", one)
    by_text = pretraining(3, 2, 4, (1, 2, 3))
    one = by_text[by_text["task"] != "chunks"]
    assert "two targets at least" in reason("sur-big-lm-levels", one)


def layered(perplexity: list[float], transfer: list[float]) -> pd.DataFrame:
    return world(
        rows(PERPLEXITY, {None: perplexity}, family="bilstm"),
        rows(TRANSFER, {"pos": transfer, "srl": transfer}, family="bilstm"),
    )


def test_transfer_falls_from_the_first_contextual_layer_or_from_the_input():
    name = "sur-elmo-monotone"
    as_in_the_notes = layered([90, 50, 30], [60, 80, 70])
    assert verdict(name, as_in_the_notes) == "holds"
    assert verdict(f"{name}.from-input", as_in_the_notes) == "fails"
    assert verdict(f"{name}.from-input", layered([90, 50, 30], [90, 80, 70])) == "holds"
    assert verdict(name, layered([90, 50, 50], [60, 80, 70])) == "fails"
    assert verdict(name, layered([90, 50, 30], [60, 80, 80])) == "fails"
    assert verdict(name, layered([90, 50], [60, 80])) == "not run"


@pytest.mark.parametrize(
    "reading, measure, probes",
    [
        ("", claims_closing.BEYOND_RESAMPLING, "cumulative"),
        (".single", claims_closing.BEYOND_RESAMPLING, "single"),
        (".beyond-equal-layers", claims_closing.BEYOND_EQUAL_LAYERS, "cumulative"),
        (".beyond-equal-layers.single", claims_closing.BEYOND_EQUAL_LAYERS, "single"),
        (".order", claims_closing.PRECEDENCE, "cumulative"),
    ],
)
def test_reversals_exceed_noise_in_each_task(reading, measure, probes):
    name = f"sur-bert-revises{reading}"
    values = {"entities": 0.02, "dependencies": 0.001}
    rates = world(rows(measure, values, family="masked", estimator=probes))
    assert verdict(name, rates) == "holds"
    assert verdict(name, rates.assign(value=[0.02, 0.0])) == "fails"
    other = {"cumulative": "single", "single": "cumulative"}[probes]
    assert f"by the estimator '{probes}'" in reason(name, rates.assign(estimator=other))


def test_an_order_is_undecided_where_draws_have_no_pair():
    order = world(rows(claims_closing.PRECEDENCE, {"dependencies": 0.1}, family="masked"))
    order = order.assign(estimator="cumulative")
    draws = np.full((100, 1), 0.1)
    assert verdict("sur-bert-revises.order", order, draws) == "holds"
    draws[:5] = np.nan  # no pair in so many draws
    assert verdict("sur-bert-revises.order", order, draws) == "undecided"


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
    assert answer.verdict == "not run"  # an interval that reaches 0 is no rise
    assert (
        "the score of entities does not rise clearly: the interval of the rise is 0.0 to"
        in answer.reason
    )
    draws[:2, entities] = table["value"].to_numpy()[entities]
    assert judge(CLAIMS[IN_ORDER], table, draws).verdict == "holds"


def test_the_order_is_not_asked_of_a_model_that_was_not_probed_for_roles():
    without = cumulative({"pos": 1, "constituents": 1.5, "entities": 2, "coreference": 3})
    assert (
        reason(IN_ORDER, without) == "the claim is about srl, a task without results here"
    )


def test_weights_that_are_no_shares_have_no_centre():
    places = {
        "pos": 1.0,
        "constituents": 1.5,
        "entities": 2.0,
        "srl": 2.5,
        "coreference": 3.0,
    }
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
    both = pd.concat(
        [table.assign(dataset="gum"), table.assign(dataset="ewt")], ignore_index=True
    )
    assert "dataset gum, ewt" in reason(IN_ORDER, both)
    doubled = pd.concat(
        [bert_over_elmo(8).assign(dataset=name) for name in ("gum", "ewt")],
        ignore_index=True,
    )
    assert "dataset gum, ewt" in reason("sur-bert-edge", doubled)


# ---- what two strings do as well has no verdict


def ruled(table: pd.DataFrame, begins: str = "edge", **rules: float) -> pd.DataFrame:
    """A world in which the best rule without vectors has these scores."""
    best = rows(f"{begins}_best_rule_f1", rules, model=table["model"].iloc[0])
    return pd.concat([table, world(best)], ignore_index=True)


def test_a_gain_is_not_asked_of_a_task_that_a_rule_solves_as_well():
    name = "sur-syntax-over-semantics.without-proto-roles"
    scores = gains_over_input(5.0, {})  # coreference: 73
    assert verdict(name, ruled(scores, coreference=72.9, pos=40)) == "holds"
    said = reason(name, ruled(scores, coreference=73.0, pos=40))
    assert said == (
        "the claim is about coreference, a task without results here. "
        "We left out a task that was not learned: the edge probe F1 of coreference is not above "
        "that of the best rule without vectors; the difference is +0"
    )
    both = "sur-syntax-over-semantics.all-semantic.without-roles"
    assert verdict(both, ruled(scores, pos=40, semeval=10)) == "holds"
    assert "edge probe F1 of pos is not above" in reason(
        both, ruled(scores, pos=76, semeval=10)
    )


def test_a_mix_below_its_own_layer_0_is_refused_where_a_gain_is_asked():
    name = "sur-syntax-over-semantics.without-proto-roles"
    said = reason(
        name, ruled(gains_over_input(5.0, {"coreference": -4.8}), coreference=40)
    )
    assert (
        "edge probe F1 of coreference is below that of lex alone, which it reads too; "
        "the difference is -4.8" in said
    )
    assert (
        verdict(name, gains_over_input(5.0, {"coreference": -4.8})) == "holds"
    )  # no control


def test_the_order_of_tasks_is_asked_of_those_whose_mix_is_above_its_rule():
    in_order = cumulative(IN_PLACE)
    mixed = edge_scores(
        {"lex": dict.fromkeys(IN_PLACE, 50), "mix": dict.fromkeys(IN_PLACE, 66)}
    )
    table = pd.concat([in_order, mixed.assign(family="masked")], ignore_index=True)
    name = f"{IN_ORDER}.without-roles"
    assert verdict(name, ruled(table, coreference=65)) == "holds"
    assert "of coreference is not above" in reason(name, ruled(table, coreference=66))
    by_weight = pd.concat([table, weights(IN_PLACE)], ignore_index=True)
    centre = "sur-pipeline-order.constituents-centre-of-gravity.without-roles"
    assert verdict(centre, ruled(by_weight, coreference=65)) == "holds"
    assert "of coreference is not above" in reason(
        centre, ruled(by_weight, coreference=66)
    )


def test_single_layers_are_held_against_the_rule_one_by_one():
    """The task whose best layer is the top one is left out, where a rule does as well."""
    low, top = [50, 70, 60, 60, 60], [50, 55, 60, 60, 71]
    alone = rows(
        readings.SINGLE, {"a": low, "b": top, "c": top, "d": low}, family="masked"
    )
    four = world(alone)
    assert verdict("sur-bert-middle", ruled(four, b=40, c=40)) == "holds"  # a half
    assert verdict("sur-bert-middle", ruled(four, a=70)) == "fails"
    answer = judge(CLAIMS["sur-bert-middle"], ruled(four, b=71))
    assert answer.verdict == "holds"
    assert answer.reason.startswith("we left out a task that was not learned: the ")


def test_every_claim_on_probes_has_its_control_and_so_has_its_form_for_any_model():
    told = {}
    for claim in survey.CLAIMS:
        forms = (
            [claim, claim.general_form]
            if hasattr(claim.general_form, "needs")
            else [claim]
        )
        for form in forms:
            controls = [
                CONTROLS[measure] for measure in form.needs.measures if measure in CONTROLS
            ]
            assert form.needs.beats == (controls[0] if controls else None), form.id
            assert len(set(controls)) < 2, form.id
            told.update(dict.fromkeys(form.needs.measures, form.id))
    assert set(CONTROLS) <= set(told), "a control of what no claim reads"
