"""Folders of tiny random models, to be spoilt: what the tables of models share."""

import functools
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch
import transformers
from bad_inputs.row import Row

from cwr import encoders
from cwr.encoders import hub
from cwr.encoders.quiet import quiet

TESTS = Path(__file__).parents[1]
SIZE = dict(
    hidden_size=16,
    num_hidden_layers=3,
    num_attention_heads=4,
    intermediate_size=24,
    max_position_embeddings=64,
)


@functools.cache
def sources() -> tempfile.TemporaryDirectory:
    """Folders bert and llama, with MiniLM's tokenizer, and elmo, AllenNLP's tiny one; they go with
    the process."""
    folder = tempfile.TemporaryDirectory()
    tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(
        hub.find("minilm").folder
    )
    settings = {"bert": {}, "llama": {"attention_bias": True}}
    with quiet(), torch.random.fork_rng(devices=[]):
        for kind, changes in settings.items():
            sizes = SIZE | changes | {"vocab_size": len(tokenizer)}
            config = transformers.AutoConfig.for_model(kind, **sizes)
            transformers.AutoModel.from_config(config).save_pretrained(
                f"{folder.name}/{kind}"
            )
            tokenizer.save_pretrained(f"{folder.name}/{kind}")
    fixtures = TESTS / "data" / "elmo_fixtures"
    os.mkdir(f"{folder.name}/elmo")
    shutil.copy(fixtures / "options.json", f"{folder.name}/elmo")
    shutil.copy(fixtures / "lm_weights.hdf5", f"{folder.name}/elmo/weights.hdf5")
    return folder


def copied(kind: str, checkout: Path, name: str = "mine") -> Path:
    """A folder of the checkout with a copy of a source."""
    return Path(shutil.copytree(f"{sources().name}/{kind}", checkout / name))


def opening(
    number: int, what: str, sentence: str, spoil: Callable, kind: str = "bert", **settings
) -> Row:
    """A row: open a copy of a source that was spoilt; number: the row's class."""

    def prepare(checkout: Path) -> None:
        spoil(copied(kind, checkout))

    def open_it(checkout: Path) -> None:
        encoders.load(str(checkout / "mine"), **settings)

    return Row(number, f"{kind}: {what}", open_it, sentence, prepare=prepare)


def edit(file: Path, **changes) -> None:
    """Change keys of a JSON file."""
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


def with_fields(**changes) -> Callable[[Path], None]:
    """What changes fields of config.json."""
    return lambda folder: edit(folder / "config.json", **changes)


def with_file(name: str, content: bytes) -> Callable[[Path], None]:
    """What writes a file of the folder anew."""
    return lambda folder: (folder / name).write_bytes(content)
