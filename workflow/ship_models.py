"""From finished trainings to lib/cwr/models.

    python workflow/ship_models.py FOLDER [--plain FOLDER]

FOLDER holds one folder a model (cwr-elmo, cwr-bert, cwr-gpt) as notebooks/models/01_training or
workflow/gpu/train.py leaves it. What was not measured yet is measured: quality on held-out text,
statistics along the training. Then weights, curve and tables are copied, and the card is written
from them. With --measure nothing is shipped: for the machine on which the models were trained,
where the snapshots lie.

    python workflow/ship_models.py --static

trains and ships cwr-static on the words that the three have read: some minutes on one core.
"""

import argparse
from pathlib import Path

from cwr import corpora
from cwr.corpora import wiki_text, word_benchmarks
from cwr.encoders.shipped import MODELS, SHIPPED
from cwr.making import model_cards, static_card
from cwr.making.language_models import session, ship, shipped_files, text, word_files
from cwr.making.static_vectors import ship as static_ship
from cwr.training.static_vectors import skip_gram

SENTENCES = 600  # on which the snapshots are measured


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("folder", type=Path, nargs="?")
    what.add_argument("--static", action="store_true", help="train and ship cwr-static")
    parser.add_argument(
        "--plain", type=Path, help="trainings from plain starts, for the statistics along training"
    )
    parser.add_argument("--models", nargs="+", default=SHIPPED, choices=SHIPPED)
    parser.add_argument("--measure", action="store_true", help="measure, and ship nothing")
    parser.add_argument("--device", default="cpu", help="on which to measure (default: cpu)")
    parser.add_argument("--news", default="lee", help="the news corpus, or a .jsonl file of it")
    parser.add_argument(
        "--sentences", default="wiki-text", help="sentences to look along with, or a .jsonl file"
    )
    options = parser.parse_args()
    if options.static:
        return ship_static()
    for name in options.models:
        plain = options.plain / name if options.plain else None
        plain = plain if plain and plain.exists() else None
        training = ship.Training(name, options.folder / name, plain)
        if options.measure or not (training.folder / ship.QUALITY).exists():
            print(f"measure {name}", flush=True)
            measure(training, options)
        if not options.measure:
            print(f"ship {name}", flush=True)
            ship.ship(training, MODELS / name)
            (MODELS / name / "README.md").write_text(model_cards.markdown(name), encoding="utf-8")


def measure(training: ship.Training, options: argparse.Namespace) -> None:
    """Quality and statistics of a training, on the texts that the options name."""
    articles = text.prefix(training.record["words"])
    texts = {"held-out": list(wiki_text.load("heldout")), "lee": session.read(options.news)}
    corpus = corpora.load(options.sentences).sample(SENTENCES, 0)
    ship.measure(training, articles, texts, corpus, options.device)


def ship_static() -> None:
    """Train cwr-static on the words of the other three, and ship it."""
    articles = text.prefix(shipped_files.facts("cwr-gpt")["words"])
    benchmarks = [word_benchmarks.load(name) for name in word_benchmarks.NAMES]
    needed = {word for benchmark in benchmarks for word in benchmark.words}
    sentences = word_files.sentences(articles)
    folder = MODELS / skip_gram.NAME
    static_ship.ship(sentences, session.about(articles), needed, folder)
    (folder / "README.md").write_text(static_card.markdown(), encoding="utf-8")


if __name__ == "__main__":
    main()
