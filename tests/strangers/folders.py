"""Models that are none of ours: random weights, small widths, real depths, real tokenizers.

`three` are folders as a stranger would name them; `hub` is a cache of the hub in which the models of
the profile `paper` lie under their own names and commits, so that the profile runs as it stands.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
import transformers
from tokenizers import ByteLevelBPETokenizer, Tokenizer
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from cwr import corpora
from cwr.encoders import hub as hubs

WIDTH, HEADS, POSITIONS = 64, 4, 512
OWNERS = (
    "google-bert",
    "FacebookAI",
    "openai-community",
)  # of the models of the profile `paper`
COMMIT = (
    "0123456789abcdef0123456789abcdef01234567"  # of models that the profile pins by none
)
WORDPIECE = {"cased": "cwr-bert", "uncased": "minilm"}  # whose tokenizers are taken


def three(folder: Path) -> dict[str, str]:
    """{title: path} of a BERT of 12 layers, a GPT-2 of 1 and a Llama of 2; made once."""
    makers = {
        "bert-12": lambda place: bert(place, 12, "uncased"),
        "gpt2-1": lambda place: gpt2(place, 1),
        "llama-2": lambda place: llama(place, 2),
    }
    return {
        title: _made(folder / f"stranger-{title}", maker)
        for title, maker in makers.items()
    }


def hub(folder: Path, named: list[str]) -> None:
    """A cache of the hub with a stand-in for each `id` or `id@commit`; made once."""
    for name in named:
        hub_id, _, commit = name.partition("@")
        place = folder / f"models--{hub_id.replace('/', '--')}"
        snapshot = place / "snapshots" / (commit or COMMIT)
        _made(snapshot, lambda at, hub_id=hub_id: _stand_in(at, hub_id))
        (place / "refs").mkdir(exist_ok=True)
        (place / "refs" / "main").write_text(snapshot.name)


def _stand_in(place: Path, hub_id: str) -> None:
    """A model of the same kind and depth as one of the hub's, with the same tensor names."""
    depth = 24 if "large" in hub_id or "medium" in hub_id else 12
    if "gpt2" in hub_id:
        gpt2(place, depth)
    elif "roberta" in hub_id:
        roberta(place, depth)
    else:
        bert(place, depth, "uncased" if "uncased" in hub_id else "cased")


def _made(folder: Path, maker: Callable[[Path], None]) -> str:
    """A folder that a maker fills, aside first: a half one is made anew."""
    if not folder.is_dir():
        scratch = folder.with_name(f"{folder.name}.part")
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        torch.manual_seed(0)
        maker(scratch)
        scratch.rename(folder)
    return str(folder)


def bert(place: Path, layers: int, letters: str) -> None:
    """A BERT with one of our tokenizers; saved with its head, as on the hub."""
    tokenizer = AutoTokenizer.from_pretrained(hubs.find(WORDPIECE[letters]).folder)
    config = transformers.BertConfig(vocab_size=len(tokenizer), **_size(layers))
    _save(transformers.BertForMaskedLM(config), tokenizer, place)


def roberta(place: Path, layers: int) -> None:
    """A RoBERTa with a byte-level BPE of some English."""
    specials = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>"}
    specials |= {"cls_token": "<s>", "sep_token": "</s>"}
    specials |= {"unk_token": "<unk>", "mask_token": "<mask>"}
    tokenizer = transformers.RobertaTokenizerFast(**_trained(specials), **specials)
    size = _size(layers) | {"max_position_embeddings": POSITIONS + 2}
    config = transformers.RobertaConfig(vocab_size=len(tokenizer), **size)
    _save(transformers.RobertaForMaskedLM(config), tokenizer, place)


def gpt2(place: Path, layers: int) -> None:
    """A GPT-2 with smollm2's pieces, which are byte-level, too, and no token for padding."""
    pieces = AutoTokenizer.from_pretrained(hubs.find("smollm2").folder).backend_tokenizer
    end = "<|endoftext|>"
    specials = dict.fromkeys(["bos_token", "eos_token", "unk_token"], end)
    tokenizer = transformers.GPT2TokenizerFast(**_merges(pieces), **specials)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer),
        n_embd=WIDTH,
        n_layer=layers,
        n_head=HEADS,
        n_positions=POSITIONS,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    _save(transformers.GPT2Model(config), tokenizer, place)


def llama(place: Path, layers: int) -> None:
    """A Llama with smollm2's tokenizer."""
    tokenizer = AutoTokenizer.from_pretrained(hubs.find("smollm2").folder)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        num_key_value_heads=2,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        **_size(layers),
    )
    _save(transformers.LlamaModel(config), tokenizer, place)


def _size(layers: int) -> dict[str, int]:
    return dict(
        hidden_size=WIDTH,
        num_hidden_layers=layers,
        num_attention_heads=HEADS,
        intermediate_size=2 * WIDTH,
        max_position_embeddings=POSITIONS,
    )


def _trained(specials: dict[str, str]) -> dict:
    """Vocabulary and merges of a byte-level BPE, trained on `lee`, as tokenizers take them."""
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(
        _texts(), vocab_size=4000, special_tokens=list(dict.fromkeys(specials.values()))
    )
    return _merges(trained)


def _merges(tokenizer: ByteLevelBPETokenizer | Tokenizer) -> dict:
    """Vocabulary and merges of a byte-level BPE, as tokenizers take them."""
    model = json.loads(tokenizer.to_str())["model"]
    return {"vocab": model["vocab"], "merges": [tuple(merge) for merge in model["merges"]]}


def _texts() -> Iterator[str]:
    return (sentence.text for sentence in corpora.load("lee").sentences)


def _save(model: torch.nn.Module, tokenizer: PreTrainedTokenizerFast, place: Path) -> None:
    model.eval().save_pretrained(place)
    tokenizer.save_pretrained(place)
