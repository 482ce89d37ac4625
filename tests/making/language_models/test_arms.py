"""The arms of the experiment on a drifting mean: their text, their store, and what is measured."""

import dataclasses
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import psutil
import pytest

from cwr.errors import UserError
from cwr.making.language_models import text
from cwr.making.language_models.recipes import Recipe
from cwr.measures.contextuality import unit_rows
from cwr.texts.bis2021 import arms


@pytest.fixture(scope="module")
def small(articles):
    return arms.Text.of(articles, vocabulary=20, unused=6)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path / "cache"))


def tiny(arm="adamw", seed=0):
    return arms.Run(arm, seed, dim=8, steps=4)


def test_words_stand_from_common_to_rare_and_what_is_never_used_behind_them(articles):
    tokenizer = text.word_tokenizer(articles, 5, unused=3)
    learned = text.learned(tokenizer)
    names = sorted(tokenizer.get_vocab(), key=tokenizer.token_to_id)
    assert learned == range(5, 10) and names[: learned.start] == list(text.SPECIALS)
    assert names[learned.stop :] == ["[unused0]", "[unused1]", "[unused2]"]
    counts = np.bincount(text.encode(tokenizer, articles), minlength=13)
    assert (
        list(counts[5:10]) == sorted(counts[5:10], reverse=True) and not counts[10:].any()
    )
    assert tokenizer.encode("The SEA qwerty.").tokens == ["the", "[UNK]", "[UNK]", "."]


def test_every_tenth_article_is_not_trained_on(articles, small):
    assert small.heldout == (articles[9], articles[19])
    rest = [articles[number] for number in range(24) if number not in (9, 19)]
    np.testing.assert_array_equal(small.pieces, text.encode(small.tokenizer, rest))


def test_a_text_without_ten_documents_is_refused(articles):
    with pytest.raises(UserError, match="has 9 documents, and every 10th is held out"):
        arms.Text.of(articles[:9], 20, 6)


def test_an_unknown_arm_is_refused_with_those_that_exist(small):
    with pytest.raises(
        UserError, match=r"no arm 'adam': choose among adamw, sgd, .*-untied"
    ):
        arms.courses(small, [tiny(), tiny("adam")])


def test_an_arm_differs_from_the_first_in_its_one_choice():
    plain = dataclasses.asdict(tiny().recipe)
    for name, choice in arms.ARMS.items():
        for arm, tied in ((name, True), (name + arms.UNTIED, False)):
            other = dataclasses.asdict(tiny(arm).recipe)
            changed = {field for field in plain if plain[field] != other[field]}
            assert changed == set(choice) | (set() if tied else {"tied"})
            assert {field: other[field] for field in choice} == choice


@pytest.mark.parametrize("arm", ["masked-bias-zero", "cosreg-10", "rowwise-untied"])
def test_a_course_begins_before_the_first_step_and_ends_at_the_last(arm, small):
    course = tiny(arm).course(small)
    assert list(course["step"]) == [0, 4]
    first, last = course.to_dict("records")
    assert first["mean_vector_shift"] == 0 and last["mean_vector_shift"] > 0
    assert np.isfinite(course.to_numpy()).all()
    entries = small.tokenizer.get_vocab_size()
    assert first["held_out_loss"] == pytest.approx(np.log(entries), abs=0.1)


def test_what_takes_long_is_measured_at_both_ends_of_a_course_alone(small):
    course = dataclasses.replace(tiny(), steps=11).course(small)
    assert list(course["step"]) == [0, 10, 11]
    on_the_way = course.columns[course.notna().all()]
    assert {"mean_vector_norm", "nontarget_cosine"} <= set(on_the_way)
    assert course.iloc[[0, 2]].notna().all(axis=None)
    assert (
        course.loc[1, ["held_out_loss", "unused_order", "partition_isotropy"]].isna().all()
    )


def test_the_rate_rises_over_its_steps_and_then_stays(small, monkeypatch):
    rates = []
    monkeypatch.setattr(arms, "WARM_UP", 2)

    def spy(model, schedule, folder, **options):
        rates.extend(schedule.rate_at(step, model.steps) for step in range(4))
        return []

    monkeypatch.setattr(arms.loop, "train", spy)
    tiny().train(tiny().learner(small))
    assert rates == pytest.approx([arms.RATE / 2, arms.RATE, arms.RATE, arms.RATE])


def test_what_is_trained_is_kept_for_the_same_run_and_text_alone(small, monkeypatch):
    trained = []
    course = arms.Run.course

    def counted(run, text):
        trained.append(run)
        return course(run, text)

    monkeypatch.setattr(arms.Run, "course", counted)
    first = arms.courses(small, [tiny("sgd"), tiny()], workers=1)
    again = arms.courses(small, [tiny(), tiny("sgd")], workers=1)
    assert trained == [tiny("sgd"), tiny()]
    both = [
        table.sort_values(["arm", "step"], ignore_index=True) for table in (first, again)
    ]
    pd.testing.assert_frame_equal(*both, check_exact=True)
    other = dataclasses.replace(small, pieces=small.pieces[::-1].copy())
    arms.courses(other, [tiny()], workers=1)
    arms.courses(small, [tiny(seed=1)], workers=1)
    assert trained[2:] == [tiny(), tiny(seed=1)]


def test_processes_give_the_numbers_of_one_after_the_other(small, monkeypatch, tmp_path):
    runs = [tiny("coupled"), tiny("rowwise")]
    together = arms.courses(small, runs, workers=2)
    monkeypatch.setenv("CWR_CACHE", str(tmp_path / "another"))
    pd.testing.assert_frame_equal(arms.courses(small, runs, workers=1), together)


ORPHAN = """
import multiprocessing, os, signal, sys
from concurrent.futures import ProcessPoolExecutor
from cwr.texts.bis2021 import arms

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, arms._begin) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_worker_ends_with_a_killed_process(tmp_path):
    script = tmp_path / "killed.py"
    script.write_text(ORPHAN)
    printed = tmp_path / "printed"
    with printed.open("w") as out:  # a pipe would stay open as long as the worker runs
        killed = subprocess.run([sys.executable, str(script)], stdout=out)
    assert killed.returncode == -signal.SIGKILL
    worker = int(printed.read_text())
    patience = time.monotonic() + 20
    while _runs(worker) and time.monotonic() < patience:
        time.sleep(0.1)
    if _runs(worker):
        os.kill(worker, signal.SIGKILL)
        pytest.fail("the worker outlives the process that started it")


def _runs(process):
    try:
        return (
            psutil.Process(process).status() != psutil.STATUS_ZOMBIE
        )  # not yet waited for
    except psutil.NoSuchProcess:
        return False


def test_the_cosines_of_never_used_tokens_equal_the_mean_over_all_pairs(small):
    entries = small.tokenizer.get_vocab_size()
    matrix = np.random.default_rng(0).normal(size=(entries, 8))
    counts = np.bincount(small.pieces, minlength=entries)
    used = sorted(np.flatnonzero(counts), key=lambda token: (-counts[token], token))
    units = unit_rows(matrix)
    expected = []
    for tokens in np.array_split(used, arms.BINS):
        pairs = [
            units[token] @ units[unused] for token in tokens for unused in range(-6, 0)
        ]
        expected.append(np.mean(pairs))
    np.testing.assert_allclose(arms.unused_cosines(matrix, small), expected)


def test_the_rows_of_the_results_say_where_each_run_ended():
    table = pd.DataFrame(
        [["sgd", 3, 0, 0.1, 9.0, 0.5], ["sgd", 3, 4, 0.2, 8.0, 0.6]]
        + [["sgd-untied", 3, 0, 0.3, 7.0, 0.7], ["sgd-untied", 3, 4, 0.4, 6.0, 0.8]],
        columns=[
            "arm",
            "seed",
            "step",
            "mean_vector_norm",
            "held_out_loss",
            "unused_cosine_bin_2",
        ],
    )
    keys = {"estimator": "sgd", "class": "tied", "seed": 3}
    tied, untied = arms.rows(table)[:3], arms.rows(table)[3:]
    assert tied == [
        {"measure": "mean_vector_norm_trained", **keys, "value": 0.2},
        {"measure": "held_out_loss", **keys, "value": 8.0},
        {"measure": "unused_cosine_trained", **keys, "k": 2, "value": 0.6},
    ]
    assert [row["value"] for row in untied] == [0.4, 6.0, 0.8]
    assert {row["class"] for row in untied} == {"untied"}


def test_a_bias_starts_where_the_recipe_says_and_is_learned_unless_there_is_none(learner):
    for name, usual in {"cwr-gpt": "none", "cwr-bert": "counts"}.items():
        by_family, same = learner(name), learner(name, bias=usual)
        first, second = (
            model.model.get_output_embeddings().bias for model in (by_family, same)
        )
        assert (first is None and second is None) or (first == second).all()
    counted = learner("cwr-gpt", bias="counts")
    shares = counted.model.get_output_embeddings().bias.detach().exp().cpu().numpy()
    pieces = counted.pieces[: -counted.recipe.size]
    counts = np.bincount(pieces, minlength=counted.classes) + 1
    np.testing.assert_allclose(shares, counts / counts.sum(), rtol=1e-5)
    without = learner("cwr-bert", bias="none").model.get_output_embeddings().bias
    assert not without.any() and not without.requires_grad


def test_the_bias_of_a_causal_model_enters_what_it_predicts(learner, held_out):
    flat, counted = learner("cwr-gpt", bias="zero"), learner("cwr-gpt", bias="counts")
    assert counted.loss(0).item() < flat.loss(0).item() - 0.1
    assert counted.held_out(held_out) < flat.held_out(held_out) - 0.1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"embeddings": "adam"}, "no embeddings 'adam'"),
        ({"bias": "ones"}, "no bias 'ones'"),
        ({"heads": 7}, "192 dimensions do not make 7 heads"),
        ({"family": "bilstm", "tied": False}, "of the transformers"),
    ],
)
def test_a_choice_that_cannot_be_is_refused_in_one_sentence(change, message):
    with pytest.raises(UserError, match=message):
        Recipe(**change)
