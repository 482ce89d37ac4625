"""The shipped models: they open offline, they are what their cards say, and they passed what was asked of them."""
import hashlib
import json
import re

import numpy as np
import pandas as pd
import pytest

from cwr import corpora, encoders
from cwr.corpora.wiki_text import load
from cwr.encoders.shipped import MODELS, SHIPPED
from cwr.training import cards, history, session, text

LARGEST, ALL = 15e6, 40e6                                   # bytes


@pytest.fixture(scope="module", params=SHIPPED)
def name(request):
    return request.param


def weights(name):
    return next(file for file in (MODELS / name).iterdir() if file.suffix in (".safetensors", ".hdf5"))


def test_the_models_are_small_enough_to_travel():
    sizes = [sum(file.stat().st_size for file in (MODELS / name).iterdir()) for name in SHIPPED]
    assert max(sizes) <= LARGEST and sum(sizes) <= ALL


def test_the_card_is_that_of_the_files_beside_it(name):
    assert (MODELS / name / "README.md").read_text(encoding="utf-8") == cards.markdown(name)
    made = json.loads((MODELS / name / "made.json").read_text(encoding="utf-8"))
    assert made["weights_sha256"] == hashlib.sha256(weights(name).read_bytes()).hexdigest()


def test_the_card_says_where_the_gate_is_missed(name):
    missed = [what for what, _, _, met in cards.gate(name) if not met]
    assert cards.markdown(name).count("**not met**") == len(missed)


def test_a_shipped_model_opens_without_network_and_reads_a_sentence_in_every_layer(name, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    encoder = encoders.load(name, device="cpu")
    assert encoder.family == {"cwr-elmo": "bilstm", "cwr-bert": "masked", "cwr-gpt": "causal"}[name]
    (batch,) = encoder.encode([corpora.tokenise("The river runs to the sea.")[0]])
    assert batch.hidden.shape == (encoder.n_layers + 1, 7, encoder.dim) and np.isfinite(batch.hidden).all()


def test_a_word_differs_between_sentences_in_the_top_layer_and_not_in_elmos_input(name):
    encoder = encoders.load(name, device="cpu")
    sentences = [corpora.tokenise(f"{start} bank {end}.")[0] for start, end in (
        ("The river rose over the", "of mud and grass"), ("She paid the money into the", "on Friday"))]
    vectors = {int(i): batch.hidden[:, n] for batch in encoder.encode(sentences)
               for n, (i, p) in enumerate(zip(batch.sentence, batch.position, strict=True))
               if sentences[i].words[p] == "bank"}
    cosine = [np.dot(a, b) / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(*vectors.values(), strict=True)]
    assert cosine[-1] < 0.98 and (name != "cwr-elmo" or cosine[0] == pytest.approx(1, abs=1e-5))


@pytest.mark.parametrize("name", cards.KINDS)
def test_the_scores_on_news_are_those_of_the_card(name):
    found = cards.again([name], session.read("lee"))
    # half precision is stored, sums are float32: the last digits depend on the machine
    np.testing.assert_allclose(found["now"], found["then"], rtol=2e-3)


@pytest.mark.parametrize("name", cards.KINDS)
def test_the_scores_on_held_out_text_are_those_of_the_card(name, wiki_text):
    model, tokenizer = cards.predictor(name)
    pieces, characters = cards.first(list(load("heldout")), tokenizer, cards.BEGINNING)
    found = cards.causal(model, pieces, characters) if name == "cwr-gpt" else cards.masked(model, pieces)[0]
    table = cards.quality_of(name)
    stored = table[table["text"] == "held-out, beginning"].set_index("measure")["value"]
    for row in found:
        assert row["value"] == pytest.approx(stored[row["measure"]], rel=2e-3), row["measure"]


def test_what_a_model_says_of_its_text_can_be_counted_again(name, wiki_text):
    made = json.loads((MODELS / name / "made.json").read_text(encoding="utf-8"))
    seen, digest = text.prefix(made["words"]), hashlib.sha256()
    for article in seen:
        digest.update("\n".join((article.title, *article.paragraphs, "")).encode())
    assert len(seen) == made["articles"] and digest.hexdigest() == made["text_sha256"]


@pytest.fixture
def wiki_text(shared, monkeypatch):
    monkeypatch.setenv("CWR_DATA", str(shared / "data"))


def test_the_shipped_curve_falls_and_the_statistics_begin_before_the_first_step(name):
    curve = history.curve(name, "counts")
    assert curve["loss"].iloc[-1] < curve["loss"].iloc[0] and curve["words"].is_monotonic_increasing
    along = history.along(name)
    assert along["step"].min() == 0 and along["step"].nunique() >= 10
    assert set(along["measure"]) >= {"anisotropy_baseline", "self_similarity"}


def test_every_finding_is_a_sentence_with_numbers():
    table = pd.concat([history.along(name) for name in SHIPPED])
    found = list(history.findings(table))
    assert len(found) == 3 and all(len(re.findall(r"-?\d\.\d\d", sentence)) >= 4 for sentence in found)
    assert "never-used" not in found[0] and all("never-used" in sentence for sentence in found[1:])


def test_no_text_gives_an_unused_entry_of_the_shipped_vocabulary():
    tokenizer = session.tokenizer("shipped", [], MODELS)
    ids = text.encode(tokenizer, session.read("lee"))
    assert tokenizer.token_to_id("[unused0]") == tokenizer.get_vocab_size() - text.UNUSED > ids.max()
