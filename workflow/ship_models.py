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
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from tokenizers import Tokenizer

from cwr import corpora, encoders
from cwr.encoders.places import MODELS, SHIPPED
from cwr.training import bilstm, cards, session, statistics, text
from cwr.training.language_models import RECIPES
from cwr.wiki_text import articles

HELD_OUT = 300_000          # pieces; the biLSTM's 120,000 words are about as much text
WORDS = 120_000


def quality(folder: Path, words: int) -> dict[str, pd.DataFrame]:
    """Rows of quality.csv by model: held-out articles and the Lee news, models beside count models."""
    made = Tokenizer.from_file(str(folder / "vocabulary.json"))
    seen = text.prefix(words)
    pieces, size = text.encode(made, seen), made.get_vocab_size()
    rows = {name: [] for name in SHIPPED}
    texts = {"held-out": list(articles("heldout")), "lee": session.read("lee")}
    causal, masked = (cards.predictor(name)[0] for name in ("cwr-gpt", "cwr-bert"))
    for name, chosen in texts.items():
        for n in (HELD_OUT, cards.BEGINNING):
            asked, characters = cards.first(chosen, made, n)
            label = name if n == HELD_OUT else f"{name}, beginning"
            own, hidden = cards.masked(masked, asked)
            found = {"cwr-gpt": [*cards.causal(causal, asked, characters)], "cwr-bert": own}
            if n == HELD_OUT:
                found["cwr-gpt"] += cards.counted(pieces, asked, characters, size)
                found["cwr-bert"] += cards.counted_between(pieces, asked, hidden, size)
            for model, more in found.items():
                rows[model] += [{"text": label, **row} for row in more]
    rows["cwr-elmo"] = [*words_quality(folder / "cwr-elmo", seen, texts)]
    return {name: pd.DataFrame(found) for name, found in rows.items()}


def words_quality(folder: Path, seen: list, texts: dict):
    """cwr-elmo beside the trigram of its classes; needs the word vectors that are not shipped."""
    trained = text.words(seen)
    learner = torch.load(folder / "checkpoint.pt", weights_only=True)["model"]
    elmo = encoders.elmo.ELMo.from_files(*(folder / "model" / name for name in ("options.json", "weights.hdf5")))
    model = bilstm.LanguageModel(elmo, len(learner["bias"]))
    model.load_state_dict(learner)
    known = [trained.types[i] for i in np.argsort(trained.classes, kind="stable") if trained.classes[i] > text.BOUNDARY]
    for name, chosen in texts.items():
        made = text.words(chosen, known)
        made = text.Words(made.types, made.stream[:WORDS], made.classes)
        rows = [*cards.bilstm(model.eval(), made), *cards.counted_words(trained, made, len(learner["bias"]))]
        yield from ({"text": name, **row} for row in rows)


def along(name: str, run: Path, counts: np.ndarray | None) -> pd.DataFrame:
    """Statistics of the kept snapshots of one training, on the same held-out sentences."""
    corpus = corpora.load("wiki-text").sample(600, 0)
    curve = pd.read_csv(run / "curve.csv").drop_duplicates("step", keep="last").set_index("step")["words"]
    per_step = curve.iloc[-1] / curve.index[-1]

    def opened():
        for step, place in session.snapshots(run):
            encoder = encoders.load(str(place), device="cpu")
            encoder.name = name
            yield step, step * per_step, encoder, None if counts is None else encoder.embedding_matrix()

    return statistics.along(opened(), corpus, counts)


def curve(run: Path, start: str) -> pd.DataFrame:
    """A run's curve without its times; a row that a resumed run wrote again counts once."""
    found = pd.read_csv(run / "curve.csv").drop_duplicates("step", keep="last").drop(columns="seconds")
    return found.assign(start=start)


def facts(name: str, folder: Path, words: int, weights: Path) -> dict:
    """What the card says of how the model was made."""
    found = torch.load(folder / name / "checkpoint.pt", weights_only=True)
    seen, digest = text.prefix(words), hashlib.sha256()
    for article in seen:
        digest.update("\n".join((article.title, *article.paragraphs, "")).encode())
    return {"model": name, "recipe": repr(RECIPES[name]), "articles": len(seen), "words": text.count_words(seen),
            "text_sha256": digest.hexdigest(), "steps": found["steps"], "hours": round(found["seconds"] / 3600, 2),
            "weights_sha256": hashlib.sha256(weights.read_bytes()).hexdigest(), "bytes": weights.stat().st_size,
            "torch": torch.__version__, "machine": f"{platform.machine()} CPU, one thread"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--words", type=int, required=True, help="as 01_training was given")
    parser.add_argument("--plain", type=Path, help="trainings from plain starts, for the statistics along training")
    given = parser.parse_args()
    made = Tokenizer.from_file(str(given.folder / "vocabulary.json"))
    for name in SHIPPED:
        shutil.copytree(given.folder / name / "model", MODELS / name, dirs_exist_ok=True)
        curves = [curve(run / name, start) for run, start in ((given.folder, "counts"), (given.plain, "plain"))
                  if run and (run / name).exists()]
        pd.concat(curves).round(4).to_csv(MODELS / name / "curve.csv", index=False, lineterminator="\n")
    for name, rows in quality(given.folder, given.words).items():
        rows.round(4).to_csv(MODELS / name / "quality.csv", index=False, lineterminator="\n")
    for name in SHIPPED:
        run = next(run / name for run in (given.plain, given.folder) if run and (run / name).exists())
        counts = None
        if name != "cwr-elmo":
            counts = np.bincount(text.encode(made, text.prefix(given.words)), minlength=made.get_vocab_size())
        along(name, run, counts).round(4).to_csv(MODELS / name / "along.csv", index=False, lineterminator="\n")
        weights = next(file for file in (MODELS / name).iterdir() if file.suffix in (".safetensors", ".hdf5"))
        (MODELS / name / "made.json").write_text(json.dumps(facts(name, given.folder, given.words, weights), indent=1)
                                                 + "\n", encoding="utf-8")
        (MODELS / name / "README.md").write_text(cards.markdown(name), encoding="utf-8")


if __name__ == "__main__":
    main()
