"""Tiny random models of every supported type with tokenizers made from a small text, saved as on a hub."""

import re
from dataclasses import dataclass

import pytest
import torch
import transformers
from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)
from transformers import PreTrainedTokenizerFast

from cwr import encoders

TEXTS = [
    "Don't you think that the bank of the river is steep?",
    "He deposited 1,234.50 dollars at the bank, unbelievably.",
    "Zoë's naïve café costs £3 in São Paulo.",
    "We laughed 😀 and cried 😭 together; then 👩‍🚀 left.",
    "Two  blanks   here, and\ta tab.",
    "Tokenization is unbelievably irreproducible, isn't it?",
    "Yes.",
]
SIZE = dict(
    hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=48
)
GROUPED = SIZE | dict(num_key_value_heads=2, head_dim=8)


@dataclass(frozen=True)
class Sentence:
    text: str
    spans: tuple


def with_words(text: str, word: str = r"\w+|[^\w\s]") -> Sentence:
    """Words are runs of letters and digits or single other signs, or what the pattern says."""
    return Sentence(text, tuple(found.span() for found in re.finditer(word, text)))


@pytest.fixture(scope="session")
def sentences() -> list[Sentence]:
    return [with_words(text) for text in TEXTS]


@pytest.fixture(scope="session")
def sentence():
    """sentence("some text") with its words' spans."""
    return with_words


def parts(texts: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Characters, beginnings of words (every second word whole) and ends of words, always in the same order.

    The trainers of WordPiece and Unigram break ties at random; a vocabulary by rule makes tests repeatable.
    """
    words = sorted(set(re.findall(r"\w+", " ".join(texts))))
    beginnings = sorted({*words[::2], *(word[:4] for word in words[1::2])})
    ends = sorted({word[4:] for word in words[1::2]} - {""})
    return sorted(set("".join(texts)) - {" ", "\t"}), beginnings, ends


def wordpiece(max_length: int) -> PreTrainedTokenizerFast:
    """Cased WordPiece over some of the texts, so that others have unknown words; [CLS], [SEP] around."""
    letters, beginnings, ends = parts(TEXTS[:2] + TEXTS[5:])
    ends = [f"##{end}" for end in [*letters, *ends]]
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *beginnings, *ends]
    vocabulary = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=False)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.decoder = decoders.WordPiece()
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_max_length=max_length,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    )


def byte_level(
    max_length: int, prefix_space: bool, around: bool
) -> PreTrainedTokenizerFast:
    """Byte-level BPE, with or without a blank put before the text, with or without <s> and </s> around it."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    made.train_from_iterator(
        TEXTS,
        trainers.BpeTrainer(
            vocab_size=360,
            show_progress=False,
            special_tokens=["<s>", "<pad>", "</s>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        ),
    )
    if around:
        made.post_processor = processors.RobertaProcessing(
            ("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=prefix_space
        )
    else:
        made.post_processor = processors.ByteLevel(trim_offsets=False)
    made.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_max_length=max_length,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
    )


def sentencepiece(max_length: int, unigram: bool, around=False) -> PreTrainedTokenizerFast:
    """SentencePiece's way with blanks (Metaspace), as Unigram or BPE, with a start token <s>.

    around: with an end token </s>, too, and the padding, both numbered as XLM-RoBERTa's.
    """
    marks = ["<s>", "<pad>", "</s>", "<unk>"] if around else ["<unk>", "<s>", "</s>"]
    texts = TEXTS[:3] + TEXTS[4:]  # no emoji: they become bytes or <unk>
    start, end, unknown = (marks.index(mark) for mark in ("<s>", "</s>", "<unk>"))
    if unigram:
        letters, beginnings, ends = parts(texts)
        tokens = dict.fromkeys(
            [*marks, "\u2581", *letters, *(f"\u2581{word}" for word in beginnings), *ends]
        )
        made = Tokenizer(
            models.Unigram([(token, -10.0) for token in tokens], unk_id=unknown)
        )
    else:
        made = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    if not unigram:
        marks += [f"<0x{byte:02X}>" for byte in range(256)]
        made.train_from_iterator(
            texts,
            trainers.BpeTrainer(vocab_size=460, show_progress=False, special_tokens=marks),
        )
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>" if around else "<s> $A",
        special_tokens=[("<s>", start), ("</s>", end)],
    )
    made.decoder = decoders.Metaspace(prepend_scheme="first")
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_max_length=max_length,
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
    )


TOKENIZERS = {
    "bert": lambda: wordpiece(64),
    "roberta": lambda: byte_level(64, prefix_space=False, around=True),
    "xlm-roberta": lambda: sentencepiece(64, unigram=True, around=True),
    "deberta-v2": lambda: wordpiece(64),
    "electra": lambda: wordpiece(64),
    "distilbert": lambda: wordpiece(64),
    "modernbert": lambda: byte_level(64, prefix_space=True, around=True),
    "gpt2": lambda: byte_level(10**30, prefix_space=False, around=False),
    "gpt_neox": lambda: byte_level(10**30, prefix_space=False, around=False),
    "llama": lambda: sentencepiece(64, unigram=False),
    "mistral": lambda: sentencepiece(10**30, unigram=True),
    "qwen2": lambda: byte_level(64, prefix_space=True, around=False),
    "qwen3": lambda: byte_level(64, prefix_space=False, around=False),
    "olmo2": lambda: byte_level(64, prefix_space=False, around=False),
    "phi3": lambda: sentencepiece(64, unigram=False),
    "gemma3_text": lambda: sentencepiece(64, unigram=False),
}
RELATIVE = dict(  # as in DeBERTa v3: positions in the blocks alone, in buckets
    relative_attention=True,
    position_buckets=8,
    pos_att_type=["p2c", "c2p"],
    norm_rel_ebd="layer_norm",
    share_att_key=True,
    position_biased_input=False,
    type_vocab_size=0,
)


def configuration(kind: str, vocab_size: int, **changes):
    """A tiny configuration; keys and values of two heads for four, and no bias, where the type allows it."""
    marks = dict(bos_token_id=0, eos_token_id=2)
    own = {
        "bert": SIZE | dict(max_position_embeddings=64),
        "roberta": SIZE
        | dict(max_position_embeddings=66, pad_token_id=1, type_vocab_size=1, **marks),
        "xlm-roberta": SIZE
        | dict(max_position_embeddings=66, pad_token_id=1, type_vocab_size=1, **marks),
        "deberta-v2": SIZE | dict(max_position_embeddings=64) | RELATIVE,
        "electra": SIZE | dict(embedding_size=16, max_position_embeddings=64),
        "distilbert": dict(
            dim=32, n_layers=3, n_heads=4, hidden_dim=48, max_position_embeddings=64
        ),
        "modernbert": SIZE
        | dict(
            max_position_embeddings=64,
            local_attention=8,
            global_attn_every_n_layers=2,
            pad_token_id=1,
            cls_token_id=0,
            sep_token_id=2,
            **marks,
        ),
        "gpt2": dict(n_embd=32, n_layer=3, n_head=4, n_positions=64, **marks),
        "gpt_neox": SIZE | dict(max_position_embeddings=64, **marks),
        "llama": GROUPED | dict(max_position_embeddings=64),
        "mistral": GROUPED | dict(max_position_embeddings=64, sliding_window=16),
        "qwen2": SIZE | dict(num_key_value_heads=2, max_position_embeddings=64, **marks),
        "qwen3": GROUPED | dict(max_position_embeddings=64, **marks),
        "olmo2": SIZE | dict(num_key_value_heads=2, max_position_embeddings=64, **marks),
        "phi3": GROUPED | dict(max_position_embeddings=64, pad_token_id=2, **marks),
        "gemma3_text": GROUPED
        | dict(
            max_position_embeddings=64,
            sliding_window=16,
            layer_types=["sliding_attention", "full_attention", "sliding_attention"],
            query_pre_attn_scalar=8,
            **marks,
        ),
    }[kind]
    return transformers.AutoConfig.for_model(kind, vocab_size=vocab_size, **own | changes)


def save(folder, kind: str, **changes) -> str:
    """Save a tiny model of a type into a folder, its weights wide (0.2), so that a wrong layer shows."""
    tokenizer = TOKENIZERS[kind]()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        model = transformers.AutoModel.from_config(
            configuration(kind, len(tokenizer), **changes)
        )
        for weight in model.parameters():
            torch.nn.init.normal_(weight, std=0.2)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="session")
def folders(tmp_path_factory) -> dict[str, str]:
    """model_type -> folder of a saved tiny model."""
    return {
        kind: save(tmp_path_factory.mktemp(f"tiny-{kind}"), kind) for kind in TOKENIZERS
    }


@pytest.fixture
def changed(tmp_path):
    """changed("phi3", sliding_window=16) -> an encoder of a tiny model with another configuration."""

    def get(kind: str, **changes):
        return encoders.load(save(tmp_path, kind, **changes))

    return get


@pytest.fixture(scope="session")
def tiny(folders):
    """tiny("bert"), tiny("gpt2", final_norm=False), ...: kept for the session; do not change them."""
    opened = {}

    def get(kind: str, **given):
        key = (kind, *sorted(given.items()))
        if key not in opened:
            opened[key] = encoders.load(folders[kind], **given)
        return opened[key]

    return get
