"""A run from its name and text to its curve."""

import pandas as pd
import pytest

from cwr.errors import UserError
from cwr.making.language_models import live, session, snapshots
from cwr.making.language_models.session import Session


def test_a_run_reports_every_so_many_steps_and_at_the_last_and_keeps_its_curve(
    learner, held_out, tmp_path
):
    prepared = Session("cwr-gpt", learner("cwr-gpt"), tmp_path / "whole")
    whole = session.run(prepared, 9, 4, heldout=held_out)
    assert whole["step"].tolist() == [4, 8, 9] and whole["heldout"].notna().all()
    assert whole["words"].is_monotonic_increasing
    for steps in (4, 9):
        prepared = Session("cwr-gpt", learner("cwr-gpt"), tmp_path / "cut")
        cut = session.run(prepared, steps, 4, heldout=held_out)
    assert cut["step"].tolist() == [8, 9]
    kept = pd.read_csv(tmp_path / "cut" / "curve.csv")
    columns = ["step", "words", "loss", "heldout"]
    pd.testing.assert_frame_equal(kept[columns], whole[columns])


def test_only_a_finished_run_leaves_a_model_and_snapshots_stand_at_their_steps(
    learner, tmp_path
):
    gpt = learner("cwr-gpt")
    unfinished = session.run(Session("cwr-gpt", gpt, tmp_path), 3, keep_snapshots=True)
    assert not (tmp_path / "model").exists() and unfinished["heldout"].isna().all()
    again = learner("cwr-gpt")
    session.run(Session("cwr-gpt", again, tmp_path), 0, keep_snapshots=True)
    steps = [step for step, _ in snapshots.folders(tmp_path)]
    assert (tmp_path / "model" / "config.json").exists()
    assert steps[0] == 0 and steps[-1] == again.steps


def test_what_cannot_be_trained_is_refused(articles, tokenise, tmp_path):
    with pytest.raises(UserError, match="no recipe for 'cwr-rnn'"):
        session.prepare("cwr-rnn", articles, tmp_path)
    with pytest.raises(UserError, match='"shipped" or "new"'):
        session.prepare("cwr-gpt", articles, tmp_path / "run", vocabulary="other")
    with pytest.raises(UserError, match="too few for 500 rows"):
        session.prepare("cwr-elmo", articles, tmp_path / "run", rows=500)
    with pytest.raises(
        UserError, match="of 30 tokens gives no start vectors of 128 dimensions"
    ):
        session.prepare("cwr-elmo", articles, tmp_path / "run", rows=4)


def test_an_untrained_model_holds_all_pieces_equally_likely(
    articles, monkeypatch, tmp_path
):
    monkeypatch.setattr(session, "read", lambda text, words: articles)
    done = live.train(
        "cwr-gpt",
        "a text",
        0,
        2,
        str(tmp_path / "run"),
        start="plain",
        layers=1,
        dim=64,
        rows=2,
    )
    assert done.classes == 8392 and done.curve["step"].tolist() == [1, 2]
    assert done.first_loss == pytest.approx(9.035, abs=0.2)  # ln 8392


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"layerz": 3}, "a recipe has no 'layerz': did you mean 'layers'"),
        ({"layers": "x"}, "'layers' of a recipe is of the type int, not 'x'"),
        ({"layers": True}, "'layers' of a recipe is of the type int, not True"),
        ({"rows": -1}, "'rows' of a recipe is 1 to 10000, not -1"),
        ({"rate": float("nan")}, "'rate' of a recipe is 1e-08 to 1, not nan"),
        ({"dim": 7}, "7 dimensions do not make heads of 64"),
        ({"dim": 200}, "200 dimensions do not make heads of 64"),
    ],
)
def test_changes_of_which_no_training_can_come_are_refused(changes, sentence, tmp_path):
    with pytest.raises(UserError, match=sentence):
        live.train("cwr-gpt", "no text", 0, 2, str(tmp_path / "run"), changes=changes)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").touch()
    for folder in (f"{tmp_path}/file/run", "a\0b"):
        with pytest.raises(
            UserError, match="for checkpoints cannot be made .*: name another"
        ):
            live.train("cwr-gpt", "no text", 0, 2, folder)


def test_what_is_asked_of_a_training_that_is_none_is_refused():
    live.refuse_untrained("", {})
    for folder, changes in (("here", {}), ("", {"layers": 2})):
        with pytest.raises(
            UserError, match="named but nothing would be trained: add -p train true"
        ):
            live.refuse_untrained(folder, changes)
