"""What is said of the arms, on invented courses with a known answer."""

import numpy as np
import pandas as pd
import pytest

from cwr.report import mean_drift

AS_EXPECTED = {"adamw": 0.5, "sgd": 0.001, "coupled": 0.001, "rowwise": 0.4}


def courses(shifts, order=1.0, seeds=3):
    """Two steps an arm and seed. shifts: {arm: shift at the end, or one a seed}; norms are 1."""
    rows = []
    for arm, shift in shifts.items():
        for seed, of_seed in enumerate(np.broadcast_to(shift, seeds)):
            for step, share in ((0, 0.0), (50, 1.0)):
                rows.append(
                    {"arm": arm, "seed": seed, "step": step, "embedding_norm": 1.0}
                    | {"mean_vector_shift": share * of_seed, "unused_order": share * order}
                    | {
                        "hidden_mean_cosine": 0.1 + 0.8 * share,
                        "embedding_mean_cosine": of_seed,
                    }
                    | {"mean_output_cosine": -of_seed}
                    | {"held_out_loss": 8.0 - share}
                )
    return pd.DataFrame(rows)


def test_the_last_step_of_each_run_is_its_end():
    ends = mean_drift.ends(courses(AS_EXPECTED))
    assert len(ends) == 12 and set(ends["step"]) == {50}


def test_a_mean_has_moved_if_its_shift_is_more_than_a_tenth_of_the_rows_norm():
    counts = mean_drift.moved(mean_drift.ends(courses({"a": [0.09, 0.1, 0.11], "b": 0.2})))
    assert counts.to_dict("index") == {
        "a": {"moved": 1, "seeds": 3},
        "b": {"moved": 3, "seeds": 3},
    }


def test_the_rescaling_of_rows_is_named_where_it_parts_the_four_updates():
    counts = mean_drift.moved(mean_drift.ends(courses(AS_EXPECTED)))
    assert "it is the rescaling of rows" in mean_drift.rescaling(counts)
    assert mean_drift.told(counts).endswith(
        "in 3 of 3 seeds with adamw, in 0 of 3 seeds with sgd, in 0 of 3 seeds with coupled and in 3 of 3 seeds with rowwise."
    )


@pytest.mark.parametrize(
    ("arm", "shifts", "told"),
    [
        ("coupled", [0.001, 0.001, 0.2], "in 1 of 3 seeds with coupled"),
        ("rowwise", 0.001, "in 0 of 3 seeds with rowwise"),
        ("adamw", [0.5, 0.5, 0.01], "in 2 of 3 seeds with adamw"),
    ],
)
def test_an_arm_that_comes_out_otherwise_is_told(arm, shifts, told):
    counts = mean_drift.moved(mean_drift.ends(courses(AS_EXPECTED | {arm: shifts})))
    sentence = mean_drift.rescaling(counts)
    assert (
        told in sentence and "does not explain" in sentence and "it is the" not in sentence
    )


def test_no_cause_is_named_if_an_update_was_not_tried():
    counts = mean_drift.moved(mean_drift.ends(courses({"adamw": 0.5, "sgd": 0.001})))
    sentence = mean_drift.rescaling(counts)
    assert "(rowwise, coupled)" in sentence and "we name no cause" in sentence


def test_two_causes_are_told_only_if_the_order_is_there_where_the_mean_stayed():
    table = courses(AS_EXPECTED)
    still = table["arm"].isin(["sgd", "coupled"])
    for order, expected in ((1.0, True), (0.5, False), (-1.0, False)):
        table.loc[still & (table["step"] == 50), "unused_order"] = order
        ends = mean_drift.ends(table)
        sentence = mean_drift.causes(mean_drift.moved(ends), mean_drift.ordered(ends))
        assert ("different causes" in sentence) == expected
        assert ("*commoner*" in sentence) == (order == -1)
    moving = mean_drift.ends(courses({"adamw": 0.5}))
    assert "different causes" not in mean_drift.causes(
        mean_drift.moved(moving), mean_drift.ordered(moving)
    )


def test_the_feedback_is_read_off_the_arms_whose_mean_stayed():
    table = courses(AS_EXPECTED)
    sentence = mean_drift.feedback(table)
    rise = " the mean cosine of the matrix's rows ends at 0.00. That of the outputs goes from 0.10 "
    assert f"In sgd{rise}up to 0.90" in sentence and f"In coupled{rise}" in sentence
    assert (
        "In adamw the mean cosine of the matrix's rows ends at 0.50, and that of the outputs at 0.90."
        in sentence
    )
    assert "where the matrix does not" in mean_drift.feedback_title(table)
    moving = courses({"adamw": 0.5})
    assert "cannot isolate" in mean_drift.feedback(moving)
    assert "does not" not in mean_drift.feedback_title(moving)


def test_the_direction_is_told_of_the_arms_that_moved_the_mean():
    table = courses(AS_EXPECTED)
    table.loc[
        (table["arm"] == "adamw") & (table["step"] == 0), "mean_output_cosine"
    ] = -0.9
    sentence = mean_drift.direction(table)
    assert "was -0.90 in adamw (-0.50 at the end)" in sentence
    assert "-0.40 in rowwise" in sentence and "sgd" not in sentence
    assert mean_drift.direction(courses({"sgd": 0.001})) == "No training moved the mean."


def test_a_candidate_is_named_only_if_it_was_tried_and_shows_the_opposite_order():
    still = mean_drift.ordered(
        mean_drift.ends(courses({"adamw": 0.5, "bias-counts": 0.2}))
    )
    assert (
        "To reverse the order we tried bias-counts. None reverses it in any seed."
        in mean_drift.suspicion(still)
    )
    opposite = mean_drift.ordered(
        mean_drift.ends(courses({"masked-bias-zero": 0.2}, order=-1.0))
    )
    assert (
        "To reverse the order we tried masked-bias-zero. It is reversed in masked-bias-zero."
        in mean_drift.suspicion(opposite)
    )
    assert "none of the candidates for a reversed order, bias" in mean_drift.suspicion(
        opposite.drop("masked-bias-zero")
    )


def test_a_mean_that_nothing_can_move_is_told_with_its_rounding():
    ends = mean_drift.ends(
        courses({"sgd-untied": [1e-9, 4e-9, 2e-9], "adamw-untied": 0.5})
    )
    assert "at most 4e-09 in sgd-untied." in mean_drift.conserved(ends)
    assert "no untied output matrix" in mean_drift.conserved(
        mean_drift.ends(courses(AS_EXPECTED))
    )


def test_a_masked_arm_that_knows_frequencies_alone_is_told():
    table = courses({"masked-bias-counts": 0.2})
    assert "knows frequencies alone has a loss of 8.00 nats" in mean_drift.stage(table)
    assert "ends at 7.00 nats. So this model has learned more" in mean_drift.stage(table)
    table["held_out_loss"] = 8.0
    assert "have hardly learned more than frequencies" in mean_drift.stage(table)
    assert mean_drift.stage(courses(AS_EXPECTED)) == ""


def as_results(ends):
    """Rows of results as `arms.rows` leaves them, with one of a bin, which is no end of a run."""
    rows = [
        {
            "measure": "unused_cosine_trained",
            "estimator": "sgd",
            "seed": 0,
            "k": 1,
            "value": 9,
        }
    ]
    for end in ends.drop(columns="step").to_dict("records"):
        arm, seed = end.pop("arm"), end.pop("seed")
        name = arm.removesuffix("-untied")
        keys = {
            "estimator": name,
            "class": "tied" if name == arm else "untied",
            "seed": seed,
        }
        own = ("held_out_loss", "mean_vector_shift", "unused_order")
        for measure, value in end.items():
            measure = measure if measure in own else f"{measure}_trained"
            rows.append({**keys, "measure": measure, "value": value})
    return pd.DataFrame(rows)


def test_a_longer_run_is_told_from_its_results_alone():
    ends = mean_drift.ends(courses({**AS_EXPECTED, "sgd-untied": [0.0, 0.0, 0.3]}))
    ends = ends.assign(mean_vector_norm=ends["mean_vector_shift"] + 0.01)
    text = mean_drift.at_length(as_results(ends))
    assert "| `adamw` | 7.00 | 0.510 | 0.500 | 0.50 | 1.00 |" in text
    assert "| `sgd-untied` | 7.00 | 0.110 | 0.100 | 0.10 | 1.00 |" in text
    assert "means over 3 seeds" in text and "it is the rescaling of rows" in text
