"""A tiny random BERT with a real WordPiece tokenizer, a small corpus, and a cache for every test."""

from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

from cwr import corpora, encoders

STORY = Path(__file__).parents[1] / "data" / "story.jsonl"
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A model folder as a hub would hold it: two layers of width 16."""
    import torch
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = (
        normalizers.BertNormalizer(),
        pre_tokenizers.BertPreTokenizer(),
    )
    trainer = trainers.WordPieceTrainer(
        vocab_size=90, special_tokens=MARKS, show_progress=False
    )
    lines = [sentence.text for sentence in corpora.load(STORY).sentences]
    made.train_from_iterator(lines, trainer)
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    place = tmp_path_factory.mktemp("model") / "tiny-bert"
    PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_max_length=64,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    ).save_pretrained(place)
    torch.manual_seed(5)
    size = dict(
        hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32
    )
    BertModel(
        BertConfig(vocab_size=90, max_position_embeddings=64, **size)
    ).save_pretrained(place)
    return place


@pytest.fixture(scope="session")
def encoder(folder):
    return encoders.load(str(folder))


@pytest.fixture(scope="session")
def story():
    return STORY


@pytest.fixture(scope="session")
def corpus(story):
    return corpora.load(story)


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CWR_CACHE_GB", raising=False)
    return tmp_path / "cache"


@pytest.fixture(scope="session")
def by_hand(encoder):
    """by_hand(corpus, targets) -> (layers, targets, dim): sentence by sentence, target by target."""
    import numpy as np

    def vectors(corpus, targets, **options):
        rows = []
        for target in targets.itertuples():
            (batch,) = encoder.encode([corpus.sentences[target.sentence]], **options)
            words = [
                batch.hidden[:, list(batch.position).index(place)]
                for place in range(target.first, target.last + 1)
                if place in batch.position
            ]
            rows.append(np.mean(words, axis=0))
        return np.stack(rows, axis=1)

    return vectors
