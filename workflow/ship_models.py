"""From finished trainings to lib/cwr/models.

    python workflow/ship_models.py FOLDER --words N [--plain FOLDER]

FOLDER holds one folder a model (cwr-elmo, cwr-bert, cwr-gpt) as notebooks/models/01_training
leaves it (model/, curve.csv, at_*/), and `vocabulary.json`. Weights, curve, statistics along the
training and the quality on held-out text are written, and the card from them.
"""
import argparse
from pathlib import Path

from tokenizers import Tokenizer

from cwr import corpora
from cwr.corpora import wiki_text
from cwr.encoders.shipped import MODELS, SHIPPED
from cwr.report import model_cards
from cwr.training.language_models import session, ship, text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--words", type=int, required=True, help="as 01_training was given")
    parser.add_argument("--plain", type=Path,
                        help="trainings from plain starts, for the statistics along training")
    parser.add_argument("--models", nargs="+", default=SHIPPED, choices=SHIPPED)
    arguments = parser.parse_args()
    articles = text.prefix(arguments.words)
    tokenizer = Tokenizer.from_file(str(arguments.folder / session.VOCABULARY))
    texts = {"held-out": list(wiki_text.load("heldout")), "lee": session.read("lee")}
    corpus = corpora.load("wiki-text").sample(600, 0)
    for name in arguments.models:
        print(f"ship {name}", flush=True)
        plain = arguments.plain / name if arguments.plain else None
        if plain and not plain.exists():
            plain = None
        training = ship.Training(name, arguments.folder / name, plain, articles, tokenizer)
        ship.ship(training, MODELS / name, texts, corpus)
        (MODELS / name / "README.md").write_text(model_cards.markdown(name), encoding="utf-8")


if __name__ == "__main__":
    main()
