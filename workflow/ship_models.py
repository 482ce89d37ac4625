"""From finished trainings to lib/cwr/models: python workflow/ship_models.py FOLDER --words N [--plain FOLDER]

FOLDER holds one folder a model (cwr-elmo, cwr-bert, cwr-gpt) as notebooks/models/01_training leaves it (model/,
curve.csv, at_*/) and `vocabulary.json`. Weights, curve, statistics along the training and the quality on held-out
text are written, and the card from them. The count models see exactly the words that the models saw.
"""
import argparse
import hashlib
import json
import platform
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from tokenizers import Tokenizer

from cwr import corpora, encoders
from cwr.corpora.wiki_text import load
from cwr.corpora.wiki_text.articles import count_words
from cwr.encoders.shipped import MODELS, SHIPPED
from cwr.training import bilstm, cards, session, statistics, text

HELD_OUT = 300_000          # pieces; the biLSTM's 120,000 words are about as much text
WORDS = 120_000


def quality(name: str, folder: Path, seen: list, made: Tokenizer, pieces: np.ndarray) -> pd.DataFrame:
    """Rows of quality.csv: on held-out articles and on the Lee news, the model beside a count model."""
    texts = {"held-out": list(load("heldout")), "lee": session.read("lee")}
    if name == "cwr-elmo":
        return pd.DataFrame(words_quality(folder / name, seen, texts))
    size, model, rows = made.get_vocab_size(), cards.predictor(name)[0], []
    for label, chosen in texts.items():
        for n, where in ((HELD_OUT, label), (cards.BEGINNING, f"{label}, beginning")):
            asked, characters = cards.first(chosen, made, n)
            if name == "cwr-gpt":
                found = [*cards.causal(model, asked, characters)]
                found += cards.counted(pieces, asked, characters, size) if n == HELD_OUT else []
            else:
                found, hidden = cards.masked(model, asked)
                found += cards.counted_between(pieces, asked, hidden, size) if n == HELD_OUT else []
            rows += [{"text": where, **row} for row in found]
    return pd.DataFrame(rows)


def words_quality(folder: Path, seen: list, texts: dict) -> Iterator[dict]:
    """cwr-elmo beside the trigram of its classes; needs the word vectors that are not shipped."""
    trained = text.words(seen)
    learned = torch.load(folder / "checkpoint.pt", weights_only=True)["model"]
    elmo = encoders.elmo.ELMo.from_files(*(folder / "model" / name for name in ("options.json", "weights.hdf5")))
    model = bilstm.LanguageModel(elmo, len(learned["bias"]))
    model.load_state_dict(learned)
    known = text.known(trained)
    for label, chosen in texts.items():
        made = text.words(chosen, known)
        made = replace(made, stream=made.stream[:WORDS])
        rows = [*cards.bilstm(model.eval(), made), *cards.counted_words(trained, made, len(learned["bias"]))]
        yield from ({"text": label, **row} for row in rows)


def along(name: str, run: Path, counts: np.ndarray | None) -> pd.DataFrame:
    """Statistics of the kept snapshots of one training, on the same held-out sentences."""
    corpus = corpora.load("wiki-text").sample(600, 0)
    curve = pd.read_csv(run / "curve.csv").drop_duplicates("step", keep="last").set_index("step")["words"]
    per_step = curve.iloc[-1] / curve.index[-1]

    def opened():
        for step, place in session.snapshots(run):
            encoder = encoders.load(str(place), device="cpu")
            encoder.name = name
            # without the special tokens, which are read but stand in no text
            matrix = None if counts is None else encoder.embedding_matrix()[len(text.SPECIALS):]
            yield step, step * per_step, encoder, matrix

    return statistics.along(opened(), corpus, None if counts is None else counts[len(text.SPECIALS):])


def curve(run: Path, start: str) -> pd.DataFrame:
    """A run's curve without its times; a row that a resumed run wrote again counts once."""
    found = pd.read_csv(run / "curve.csv").drop_duplicates("step", keep="last").drop(columns="seconds")
    return found.assign(start=start)


def facts(name: str, folder: Path, seen: list, weights: Path) -> dict:
    """What the card says of how the model was made."""
    found, digest = torch.load(folder / name / "checkpoint.pt", weights_only=True), hashlib.sha256()
    for article in seen:
        digest.update("\n".join((article.title, *article.paragraphs, "")).encode())
    return {"model": name, "recipe": found["recipe"], "articles": len(seen), "words": count_words(seen),
            "text_sha256": digest.hexdigest(), "steps": found["steps"], "hours": round(found["seconds"] / 3600, 2),
            "weights_sha256": hashlib.sha256(weights.read_bytes()).hexdigest(), "bytes": weights.stat().st_size,
            "torch": torch.__version__, "machine": f"{platform.machine()} CPU, one thread"}


def ship(name: str, folder: Path, plain: Path | None, seen: list, made: Tokenizer) -> None:
    """One model: weights first, then what is said of them."""
    to, runs = MODELS / name, {"counts": folder / name}
    if plain and (plain / name).exists():
        runs["plain"] = plain / name
    pieces = text.encode(made, seen)
    shutil.copytree(folder / name / "model", to, dirs_exist_ok=True)
    tables = {"curve.csv": pd.concat([curve(run, start) for start, run in runs.items()]),
              "quality.csv": quality(name, folder, seen, made, pieces)}
    counts = None if name == "cwr-elmo" else np.bincount(pieces, minlength=made.get_vocab_size())
    tables["along.csv"] = along(name, runs.get("plain", folder / name), counts)
    for file, table in tables.items():
        table.round(4).to_csv(to / file, index=False, lineterminator="\n")
    weights = next(file for file in to.iterdir() if file.suffix in (".safetensors", ".hdf5"))
    said = json.dumps(facts(name, folder, seen, weights), indent=1) + "\n"
    (to / "made.json").write_text(said, encoding="utf-8")
    (to / "README.md").write_text(cards.markdown(name), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--words", type=int, required=True, help="as 01_training was given")
    parser.add_argument("--plain", type=Path, help="trainings from plain starts, for the statistics along training")
    parser.add_argument("--models", nargs="+", default=SHIPPED, choices=SHIPPED)
    given = parser.parse_args()
    seen = text.prefix(given.words)
    made = Tokenizer.from_file(str(given.folder / "vocabulary.json"))
    for name in given.models:
        print(f"ship {name}", flush=True)
        ship(name, given.folder, given.plain, seen, made)


if __name__ == "__main__":
    main()
