"""Findings across the texts: each from a table made by hand."""

from cwr import tables
from cwr.report import findings_across_texts, results
from cwr.tables import UNTRAINED

BERT = {"model": "b", "family": "masked"}


def rows(measure: str, values: list[float], **keys):
    return [
        {**BERT, "measure": measure, "layer": n, "value": v, **keys}
        for n, v in enumerate(values)
    ]


def test_the_share_of_the_first_block_is_of_the_whole_gain():
    table = tables.tidy(rows("context_alone_probe_f1", [0.1, 0.4, 0.5], estimator="full"))
    said = findings_across_texts.context(table)
    assert "the first block brings" in said and "75% in `b` (best layer: 2)." in said


def test_untrained_copies_take_no_part_in_a_finding():
    trained = rows("context_alone_probe_f1", [0.1, 0.4, 0.5], estimator="full")
    copies = rows(
        "context_alone_probe_f1", [0.0, 0.9, 0.2], estimator="full", variant=UNTRAINED[0]
    )
    said = [
        findings_across_texts.markdown(
            {"zhao2020/08_context_alone": results.collect(each)}.get, {}, {}
        )
        for each in (trained, trained + copies)
    ]
    assert "75%" in said[0] and said[0] == said[1]


def test_two_chapters_name_their_best_layers_of_one_model():
    classes = tables.tidy(rows("token_probe_f1", [0.1, 0.4, 0.5], estimator="full"))
    edges = tables.tidy(rows("single_layer_probe_f1", [10, 40, 30], task="entities"))
    said = findings_across_texts.places(classes, edges)
    assert "class of a mention, another the type of an entity. Their best" in said
    assert "layers are 2 and 1 in `b`." in said


def test_a_matrix_that_shares_a_direction_is_counted_before_and_after():
    table = [
        {"model": name, "family": "masked", "measure": measure, "value": value}
        for name, pair in {"a": (0.3, 0.0), "b": (0.2, 0.1), "c": (0.01, 0.0)}.items()
        for measure, value in zip(
            ("embedding_mean_cosine", "embedding_mean_cosine_centred"), pair, strict=True
        )
    ]
    said = findings_across_texts.shifted(tables.tidy(table))
    assert "In 2 of 3 embedding matrices" in said
    assert "After the mean row is subtracted, they do in 1." in said


def test_a_task_is_learned_if_its_interval_lies_above_the_control():
    score = {**BERT, "measure": "finetuning_dev_score", "value": 0.18, "high": 0.3}
    constant = {**BERT, "measure": "finetuning_dev_score_constant", "value": 0.175}
    table = [{**score, "task": "x", "low": 0.14}, {**constant, "task": "x"}]
    table += [{**score, "task": "y", "low": 0.176}, {**constant, "task": "y"}]
    said = findings_across_texts.controls(tables.tidy(table))
    assert "scores 0.180 on x, no better than the rule's 0.175" in said
    assert "scores 0.180 on y, above the rule's 0.175" in said


def test_a_notebook_that_stays_out_says_nothing_and_other_findings_stand_in_front():
    said = findings_across_texts.markdown(
        lambda notebook: None, {"A.": "so", "B.": ""}, {"C.": "then"}
    )
    assert said == "1. **A.** so\n1. **C.** then\n"


def test_matrices_in_which_the_mean_turns_the_sign_of_frequency_are_counted():
    table = [
        {
            "model": name,
            "family": "masked",
            "measure": f"norm_frequency_correlation{ending}",
            "value": value,
        }
        for name, pair in {"a": (0.3, 0.2), "b": (-0.7, 0.4)}.items()
        for ending, value in zip(("", "_centred"), pair, strict=True)
    ]
    said = findings_across_texts.lengths(tables.tidy(table))
    assert (
        "longer rows than rare tokens in 1 of 2 embedding matrices" in said
        and "Without the mean row they do in 2 of 2." in said
    )
    assert "-0.70 and 0.40 in `b`" in said
