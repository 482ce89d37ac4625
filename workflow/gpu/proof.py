"""Does this machine's GPU give the CPU's numbers, and how fast? One row a measured thing.

    python workflow/gpu/proof.py --corpus data/lee.jsonl --out FOLDER

Writes FOLDER/proof.json, whole after each row. Needs neither network nor spaCy. With --device cpu
--tiny the same code runs on small models in a minute: a rehearsal. Whoever adds torch code to the
library adds what has to be proven of it to PARTS.
"""

import argparse
import contextlib
import functools
import gc
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from measured import Measured
from transformers import BertConfig, GPT2Config

from cwr import corpora, encoders, extraction
from cwr.corpora import Corpus
from cwr.encoders import hub, loading
from cwr.encoders.encoder import Encoder
from cwr.encoders.shipped import SHIPPED
from cwr.errors import UserError
from cwr.extraction import Extraction, cache, targets
from cwr.making.language_models import optimiser
from cwr.making.language_models.recipes import EMBEDDINGS
from cwr.measures.contextuality import anisotropy_baseline
from cwr.training.loop import Schedule

SENTENCES = 300  # of the corpus, by a fixed draw
ONE_BY_ONE = 60  # sentences that are read one at a time
REPEATS = 3
UPDATES = 3  # of an embedding matrix
LARGE_BUDGET = 1 << 20  # padded tokens: all sentences at once
SHAPES = {
    "bert-base": BertConfig(),
    "gpt2": GPT2Config(),
    "bert-large": BertConfig(
        hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096
    ),
}
SMALLER = {
    "bert": {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    | {"intermediate_size": 128},
    "gpt2": {"n_embd": 64, "n_layer": 2, "n_head": 2},
}


@dataclass(frozen=True)
class Subject:
    """A model to be tried: its name in the rows, its folder or shipped name, and its dtypes."""

    name: str
    source: str
    is_random: bool
    dtypes: tuple[str, ...]

    def open(self, device: str, dtype: str = "float32") -> Encoder:
        return encoders.load(self.source, device=device, dtype=dtype, random_init=self.is_random)


@dataclass(frozen=True)
class Trial:
    """What every part gets: a model, the sentences, and the device to be proven."""

    subject: Subject
    corpus: Corpus
    device: torch.device

    @functools.cached_property
    def expected(self) -> np.ndarray:
        """(layers, words, dim) in float32 on this machine's CPU."""
        return vectors(self.subject.open("cpu"), self.corpus)


def subjects(folder: Path, tiny: bool) -> list[Subject]:
    """The shipped models, and random ones of well-known shapes, whose files go into `folder`."""
    both = ("float32", "bfloat16")
    shipped = [
        Subject(name, name, False, ("float32",) if name == "cwr-elmo" else both) for name in SHIPPED
    ]
    shapes = []
    for name, config in SHAPES.items():
        model_type = config.model_type
        settings = config.to_dict() | (SMALLER[model_type] if tiny else {})
        save_shape(
            folder / name, type(config), settings, "cwr-gpt" if "gpt" in name else "cwr-bert"
        )
        shapes.append(Subject(f"random {name}", str(folder / name), True, both))
    return shipped + shapes


def save_shape(folder: Path, kind: type, settings: dict, tokenizer_of: str) -> None:
    """A folder with a configuration and the tokenizer of a shipped model, but without weights."""
    folder.mkdir(parents=True)
    shipped = hub.find(tokenizer_of).folder
    for file in shipped.glob("tokenizer*.json"):
        shutil.copy(file, folder)
    ours = json.loads((shipped / "config.json").read_text(encoding="utf-8"))
    tokens = {
        key: value
        for key, value in ours.items()
        if key == "vocab_size" or key.endswith("_token_id")
    }
    kind(**settings | tokens).save_pretrained(folder)


def vectors(encoder: Encoder, corpus: Corpus, max_tokens: int | None = None) -> np.ndarray:
    """(layers, words, dim) of all words, in the order of the corpus."""
    batches = list(encoder.encode(corpus.sentences, max_tokens=max_tokens))
    sentence, position = (
        np.concatenate([getattr(batch, name) for batch in batches])
        for name in ("sentence", "position")
    )
    hidden = np.concatenate([batch.hidden for batch in batches], axis=1)
    return hidden[:, np.lexsort((position, sentence))]


# ---- what is measured: each part gives rows of one model


def layers(trial: Trial) -> Iterator[dict]:
    """Vectors and anisotropy in every layer, against the same machine's CPU in float32."""
    random = targets.random_tokens(trial.corpus, 1000, 0)
    words = targets.occurrences(trial.corpus).reset_index()
    drawn = words.merge(random, on=["sentence", "first"])["index"].to_numpy()
    for dtype in trial.subject.dtypes:
        tables = vectors(trial.subject.open(str(trial.device), dtype), trial.corpus)
        for layer, (ours, right) in enumerate(zip(tables, trial.expected, strict=True)):
            keys = {"model": trial.subject.name, "dtype": dtype, "layer": layer}
            distance = np.linalg.norm(ours - right, axis=1) / np.linalg.norm(right, axis=1)
            cosines = [anisotropy_baseline(table[drawn]) for table in (ours, right)]
            shift = abs(cosines[0] - cosines[1])
            yield row(
                "difference of a vector from the CPU's", distance.max(), "of its length", keys
            )
            yield row("difference of the anisotropy from the CPU's", shift, "in cosine", keys)


def speed(trial: Trial) -> Iterator[dict]:
    """Words a second of extraction, the bare model's share of it, and one sentence at a time."""
    for dtype in trial.subject.dtypes:
        keys = {"model": trial.subject.name, "dtype": dtype}
        encoder = trial.subject.open(str(trial.device), dtype)
        yield from speed_of(encoder, trial.corpus, keys)


def speed_of(encoder: Encoder, corpus: Corpus, keys: dict) -> Iterator[dict]:
    """The rows of `speed` for an opened model."""
    few = corpus.sentences[:ONE_BY_ONE]
    words, few_words = (sum(len(each.spans) for each in some) for some in (corpus.sentences, few))
    inputs = [encoder.input(batch) for batch in encoder.batches(corpus.sentences)]
    reducers = {"vectors": extraction.vectors(), "sums": extraction.sums()}
    *whole, bare, single = seconds(
        *(functools.partial(extracted, encoder, corpus, each) for each in reducers.values()),
        lambda: bare_forward(encoder, inputs),
        lambda: [list(encoder.encode([sentence])) for sentence in few],
    )
    for name, taken in zip(reducers, whole, strict=True):
        yield row(f"extracting {name}", words / taken, "words a second", keys)
        yield row(f"the bare forward pass takes of {name}", 100 * bare / taken, "%", keys)
    yield row("encoding one sentence at a time", few_words / single, "words a second", keys)


def extracted(
    encoder: Encoder, corpus: Corpus, reducer: extraction.vectors | extraction.sums
) -> Extraction:
    """All words in every layer, on the disk and in no cache: the next call begins anew."""
    made = extraction.run(encoder, corpus, reducers=[reducer])
    cache.remove(made.key)
    return made


def repeated_sums(trial: Trial) -> Iterator[dict]:
    """Sums of every word's vectors, which the device adds up, in two runs and against the CPU's."""
    keys = {"model": trial.subject.name, "dtype": "float32"}
    ours = trial.subject.open(str(trial.device))
    one, other, right = (
        extracted(encoder, trial.corpus, extraction.sums()).arrays
        for encoder in (ours, ours, trial.subject.open("cpu"))
    )
    sums = [name for name in one if name != "count"]
    repeat = max(np.abs(one[name] - other[name]).max() for name in sums)
    shift = max(
        np.linalg.norm(one[name] - right[name]) / np.linalg.norm(right[name]) for name in sums
    )
    yield row("difference of a sum between two runs", repeat, None, keys)
    yield row("difference of the sums from the CPU's", shift, "of their length", keys)


def out_of_memory(trial: Trial) -> Iterator[dict]:
    """A real shortage: the budget is halved until it fits, and the vectors stay the same."""
    what, keys = "out of memory, and gone on", {"model": trial.subject.name, "dtype": "float32"}
    if trial.device.type != "cuda":
        yield row(what, None, None, keys, "only a GPU's memory can be made short")
        return
    gc.collect()  # the models of the parts before
    encoder = trial.subject.open(str(trial.device))
    torch.cuda.empty_cache()
    weights = torch.cuda.memory_reserved(trial.device)
    torch.cuda.reset_peak_memory_stats(trial.device)
    expected = vectors(encoder, trial.corpus, LARGE_BUDGET)
    peak = torch.cuda.max_memory_reserved(trial.device)
    with memory(weights + (peak - weights) // 3, trial.device):
        before = torch.cuda.memory_stats(trial.device)["num_ooms"]
        halved = vectors(encoder, trial.corpus, LARGE_BUDGET)
        times = torch.cuda.memory_stats(trial.device)["num_ooms"] - before
    if not times:
        raise RuntimeError("a third of the memory was enough: nothing is proven")
    yield row(what, times, "times", keys)
    distance = np.linalg.norm(halved - expected, axis=2) / np.linalg.norm(expected, axis=2)
    yield row("difference that a shortage makes", distance.max(), "of a vector's length", keys)


def embedding_updates(trial: Trial) -> Iterator[dict]:
    """An embedding matrix after three updates by each rule, against the same machine's CPU."""
    what, keys = "difference of an updated matrix from the CPU's", {"model": trial.subject.name}
    encoder = trial.subject.open("cpu")
    if encoder.family == "bilstm":
        yield row(what, None, None, keys, "a model that reads letters has no such matrix")
        return
    start = torch.from_numpy(encoder.embedding_matrix())
    gradients = [torch.randn(start.shape, generator=torch.manual_seed(n)) for n in range(UPDATES)]
    for rule in EMBEDDINGS:
        ours, right = (updated(start, gradients, rule, device) for device in (trial.device, "cpu"))
        distance = (ours - right).norm() / (right - start).norm()
        yield row(what, distance.item(), "of its way", {**keys, "rule": rule})


def updated(
    start: torch.Tensor, gradients: Sequence[torch.Tensor], rule: str, device: torch.device | str
) -> torch.Tensor:
    """A matrix (tokens, dim) behind its updates by one rule of `language_models.optimiser`."""
    layer = torch.nn.Embedding.from_pretrained(start.clone().to(device), freeze=False)
    updates = optimiser.new(layer, Schedule(rate=1e-3), [layer.weight], rule)
    for gradient in gradients:
        layer.weight.grad = gradient.to(device)
        updates.step()
    return layer.weight.detach().cpu()


PARTS: tuple[Callable[[Trial], Iterator[dict]], ...] = (
    layers,
    speed,
    repeated_sums,
    out_of_memory,
    embedding_updates,
)


# ---- how it is measured


def row(what: str, value: float | None, unit: str | None, keys: dict, note: str = "") -> dict:
    """A row of `measured`, with four significant digits."""
    value = None if value is None else float(f"{value:.4g}")
    return {"what": what, **keys, "value": value, "unit": unit} | ({"note": note} if note else {})


def seconds(*actions: Callable[[], object]) -> list[float]:
    """Median seconds of each action after a first run, the actions taking turns."""
    times = np.empty((REPEATS + 1, len(actions)))
    for repeat in range(REPEATS + 1):
        for number, action in enumerate(actions):
            started = time.perf_counter()
            action()
            times[repeat, number] = time.perf_counter() - started
    return np.median(times[1:], axis=0).tolist()


def bare_forward(encoder: Encoder, inputs: list) -> None:
    """The model alone on these inputs, every layer out, until the device has finished."""
    with torch.inference_mode():
        for batch in inputs:
            if encoder.family == "bilstm":
                encoder.model(batch.ids, batch.mask)
            else:
                encoder.model(
                    input_ids=batch.ids,
                    attention_mask=batch.mask,
                    position_ids=batch.positions,
                    output_hidden_states=True,
                )
    if encoder.device.type == "cuda":
        torch.cuda.synchronize(encoder.device)


@contextlib.contextmanager
def memory(most: int, device: torch.device) -> Iterator[None]:
    """Inside, this process may hold so many bytes of the device's memory."""
    torch.cuda.empty_cache()
    total = torch.cuda.get_device_properties(device).total_memory
    number = torch.cuda.current_device() if device.index is None else device.index
    torch.cuda.set_per_process_memory_fraction(most / total, number)
    try:
        yield
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0, number)
        torch.cuda.empty_cache()


def prove(trials: Iterable[Trial], measured: Measured) -> list[str]:
    """All rows of all parts; a part that fails gives a row that says so. The failures' names."""
    failures = []
    for trial in trials:
        for part in PARTS:
            try:
                for measurement in part(trial):
                    measured.add(measurement)
            except Exception as error:  # whatever it is, the other parts are wanted
                first_line = str(error).partition("\n")[0]
                reason = f"failed: {type(error).__name__}: {first_line}"
                failures.append(f"{part.__name__} of {trial.subject.name}")
                measured.add(row(part.__name__, None, None, {"model": trial.subject.name}, reason))
    return failures


def main() -> int:
    """Measure and write; 0, or 1 if a part failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", required=True, help="a .jsonl file, or a corpus of the book")
    parser.add_argument("--out", type=Path, required=True, help="the folder of proof.json")
    parser.add_argument("--device", default="auto", help='"cuda", "cpu", ... (default: auto)')
    parser.add_argument("--tiny", action="store_true", help="small shapes: a rehearsal")
    options = parser.parse_args()
    device = loading.choose_device(options.device)
    sentences = 40 if options.tiny else SENTENCES
    corpus = corpora.load(options.corpus).sample(sentences, 0)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CWR_CACHE"] = f"{folder}/cache"
        tried = subjects(Path(folder), options.tiny)
        trials = (Trial(subject, corpus, device) for subject in tried)  # one at a time in memory
        failures = prove(trials, Measured(options.out / "proof.json", device))
    print(f"failed: {', '.join(failures)}" if failures else "all parts ran")
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"proof: {error}")
