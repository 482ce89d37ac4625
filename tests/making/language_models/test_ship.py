"""From a training to a shipped model's folder, on a tiny one of each kind."""

import hashlib
import json
import re

import numpy as np
import pandas as pd
import pytest

from cwr import corpora, encoders
from cwr.corpora.wiki_text.articles import count_words
from cwr.errors import UserError
from cwr.making import model_cards
from cwr.making.count_models.kneser_ney import KneserNey
from cwr.making.language_models import session, ship, shipped_files, snapshots, text
from cwr.making.language_models.ship import Training
from cwr.measures.contextuality import mean_pairwise_cosine

TINY = {
    "cwr-gpt": {"layers": 1, "dim": 64, "rows": 2},
    "cwr-bert": {"layers": 1, "dim": 64, "rows": 2},
    "cwr-elmo": {"dim": 8, "rows": 4, "size": 8},
}


@pytest.fixture(scope="module", params=TINY)
def training(request, articles, held_out, device, tokenise, tmp_path_factory):
    """A finished training with snapshots, cut off once on its way."""
    folder = tmp_path_factory.mktemp("trained") / request.param
    options = {"vocabulary": "new", "device": device, "rate": 1e-2, **TINY[request.param]}
    for steps in (3, 0):
        prepared = session.prepare(request.param, articles, folder, **options)
        session.run(prepared, steps, 2, keep_snapshots=True, heldout=held_out)
    (folder / "checkpoint.pt").unlink()  # it stays where the training ran
    return Training(request.param, folder)


@pytest.fixture(scope="module")
def shipped(training, articles, held_out, device, tmp_path_factory):
    """The folder of the shipped model."""
    folder = tmp_path_factory.mktemp("models")
    lines = [paragraph for article in articles for paragraph in article.paragraphs]
    (folder / "corpus.txt").write_text("\n".join(lines), encoding="utf-8")
    corpus = corpora.load(folder / "corpus.txt")
    target = folder / training.name
    with pytest.raises(UserError, match="has no quality.csv"):
        ship.ship(training, target)
    texts = {"held-out": held_out, "lee": held_out[:3]}
    ship.measure(training, articles, texts, corpus, device)
    ship.ship(training, target)
    return target


@pytest.fixture(scope="module")
def tokenizer(training, articles):
    return session.tokenizer("new", articles, training.folder.parent)


@pytest.fixture
def files(shipped, monkeypatch):
    """As if it were the shipped one of its name."""
    monkeypatch.setattr(shipped_files, "folder", lambda name: shipped)


def test_what_is_shipped_opens_as_the_trained_encoder(
    training, shipped, sentences, tokenise
):
    batches = []
    for folder in (shipped, training.folder / "model"):
        encoder = encoders.load(str(folder))
        (batch,) = encoder.encode(tokenise(sentences[0]))
        batches.append(batch.hidden)
    np.testing.assert_array_equal(*batches)


def test_the_facts_are_those_of_the_weights_and_the_text(
    training, shipped, articles, device
):
    facts = json.loads((shipped / "made.json").read_text(encoding="utf-8"))
    weights = next(file for file in shipped.iterdir() if file.suffix in ship.WEIGHTS)
    assert facts["weights_sha256"] == hashlib.sha256(weights.read_bytes()).hexdigest()
    assert facts["words"] == count_words(articles) and facts["articles"] == len(articles)
    assert f"dim={TINY[training.name]['dim']}" in facts["recipe"]
    steps = pd.read_csv(training.folder / "curve.csv")["step"]
    assert facts["steps"] == steps.max()
    kind = r"CPU, (one thread|\d+ threads)" if device == "cpu" else r"machine's GPU \(.+\)"
    assert re.fullmatch(rf"\S+ {kind}", facts["machine"])


def test_another_text_than_the_one_that_was_read_is_refused(training, shipped, articles):
    with pytest.raises(UserError, match="another text"):
        ship.measure(training, articles[1:], {}, None)


def test_a_training_that_has_not_ended_is_refused_by_its_folder(tmp_path):
    with pytest.raises(UserError, match="has not ended"):
        ship.ship(Training("cwr-gpt", tmp_path), tmp_path / "target")


def test_the_curve_has_each_step_once_without_times(training, shipped):
    written = training.folder / "curve.csv"
    rows = written.read_text(encoding="utf-8")
    try:
        again = rows.splitlines()[-1] + "\n"  # as a resumed run would write it
        written.write_text(rows + again, encoding="utf-8")
        curve = ship.curves(training)
    finally:
        written.write_text(rows, encoding="utf-8")
    assert (
        curve["step"].is_unique
        and "seconds" not in curve
        and set(curve["start"]) == {"counts"}
    )
    curve = curve.reset_index(drop=True)
    pd.testing.assert_frame_equal(curve.round(4), pd.read_csv(shipped / "curve.csv"))


def test_the_count_model_has_seen_the_training_text_and_predicts_the_held_out_one(
    training, shipped, articles, held_out, tokenizer
):
    table = pd.read_csv(shipped / "quality.csv")
    table = table[(table["text"] == "held-out") & (table["by"] == "Kneser-Ney trigram")]
    values = table.set_index("measure")["value"]
    if training.name == "cwr-elmo":
        words = text.words(articles)
        other = text.words(held_out, text.vocabulary_of(words))
        model = KneserNey.count(words.classes[words.stream], int(words.classes.max()) + 1)
        nats = -model.log_probability(other.classes[other.stream])[1:]
        assert values["forward perplexity"] == pytest.approx(np.exp(nats.mean()), abs=1e-4)
    elif training.name == "cwr-gpt":
        pieces = text.encode(tokenizer, held_out)
        pieces_read = text.encode(tokenizer, articles)
        model = KneserNey.count(pieces_read, tokenizer.get_vocab_size())
        nats = -model.log_probability(pieces[: len(pieces) // 127 * 127])
        assert values["nats"] == pytest.approx(nats.mean(), abs=1e-4)
    else:
        scores = pd.read_csv(shipped / "quality.csv").set_index(["text", "by", "measure"])
        model = scores.loc[("held-out", "cwr-bert", "nats")]
        rival = scores.loc[("held-out", "counts of both neighbours", "nats")]
        assert (
            0 <= model["n"] - rival["n"] <= 2
        )  # the first and the last piece have one neighbour
        assert rival["value"] < 0.01 < model["value"]  # five sentences: known by heart


def test_both_texts_are_scored_and_the_transformers_also_on_their_beginning(
    training, shipped
):
    labels = pd.read_csv(shipped / "quality.csv")["text"].unique().tolist()
    beginnings = (
        [] if training.name == "cwr-elmo" else ["held-out, beginning", "lee, beginning"]
    )
    assert sorted(labels) == sorted(["held-out", "lee", *beginnings])


def test_statistics_are_those_of_the_snapshots(training, shipped, articles):
    along = pd.read_csv(shipped / "along.csv")
    steps = [step for step, _ in snapshots.folders(training.folder)]
    assert sorted(along["step"].unique()) == steps and steps[0] == 0 and len(steps) > 2
    assert set(along["model"]) == {training.name}
    assert along["words"].max() == pytest.approx(count_words(articles), rel=0.02)
    unused = along[along["measure"] == "unused_cosine"]
    classes = [] if training.name == "cwr-elmo" else [0, 1, 2, 3, 4, 5]
    assert sorted(unused["class"].unique()) == classes


def test_the_unused_tokens_are_those_that_the_text_does_not_have(
    training, shipped, articles, tokenizer
):
    along = pd.read_csv(shipped / "along.csv")
    rows = along[(along["step"] == along["step"].max()) & (along["class"] == 0)]
    if training.name == "cwr-elmo":
        assert rows.empty  # it reads characters
        return
    numbers = set(text.encode(tokenizer, articles).tolist())
    unused = [
        number
        for number in range(len(text.SPECIALS), tokenizer.get_vocab_size())
        if number not in numbers
    ]
    matrix = encoders.load(str(shipped)).embedding_matrix()[unused]
    assert rows["value"].item() == pytest.approx(mean_pairwise_cosine(matrix), abs=1e-3)


def test_the_card_is_written_from_the_files(training, files, monkeypatch):
    card = model_cards.markdown(training.name)
    facts = shipped_files.facts(training.name)
    assert facts["weights_sha256"] in card and f"{facts['bytes']:,} bytes" in card
    for measure in model_cards.MEASURES[training.name]:
        comparison = model_cards.compare(training.name, "held-out", measure)
        assert f"{comparison.model:.3f}" in card and f"{comparison.counts:.3f}" in card


def test_scores_travel_only_of_models_that_ship_with_what_they_predict_with(
    training, shipped
):
    measured, travelled = (
        pd.read_csv(folder / "quality.csv") for folder in (training.folder, shipped)
    )
    assert training.name in set(measured["by"])
    kept = (
        measured if training.name != "cwr-elmo" else measured[measured["by"] != "cwr-elmo"]
    )
    pd.testing.assert_frame_equal(travelled, kept.reset_index(drop=True))


def test_a_failure_leaves_the_old_model_as_it_was(training, shipped, monkeypatch):
    before = {file.name: file.read_bytes() for file in shipped.iterdir()}

    def broken(*arguments):
        raise OSError("no space left")

    monkeypatch.setattr(ship, "_weights", broken)
    with pytest.raises(OSError, match="no space"):
        ship.ship(training, shipped)
    assert {file.name: file.read_bytes() for file in shipped.iterdir()} == before
    assert not [path for path in shipped.parent.iterdir() if path.name.startswith(".")]
