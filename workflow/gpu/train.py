"""Train our models without a notebook: the recipes, or some steps of them to see how fast they go.

    python workflow/gpu/train.py cwr-bert cwr-gpt cwr-elmo --device cuda --edition large \\
        --words 0 --folder trained --out FOLDER --steps 40

The text comes from CWR_DATA, as workflow/gpu/bundle.py packs it: with the words of cwr-elmo in a
file, so that neither spaCy nor a network is needed. A run goes on from its last checkpoint, and
leaves in trained/<model> what workflow/ship_models.py needs. FOLDER/training.json gets a row for
each thing measured.
"""

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from measured import Measured

from cwr import paths
from cwr.encoders import loading
from cwr.encoders.shipped import SHIPPED
from cwr.errors import UserError
from cwr.making.language_models import session
from cwr.making.language_models.session import Session

STRETCH = 180  # seconds a model, if three of them are to fit into ten minutes
ROWS = 10  # of a curve, beside the last
EDITIONS = {
    "small": {},  # as shipped
    "large": {
        "cwr-bert": {"layers": 6, "dim": 256, "rows": 512, "rate": 1e-3},
        "cwr-gpt": {"layers": 6, "dim": 256, "rows": 512, "rate": 1e-3},
        "cwr-elmo": {"rows": 512},
    },
    "tiny": {
        "cwr-bert": {"layers": 1, "dim": 64, "rows": 2},
        "cwr-gpt": {"layers": 1, "dim": 64, "rows": 2},
        "cwr-elmo": {"dim": 8, "rows": 4, "size": 8},
    },
}


def train(name: str, options: argparse.Namespace, measured: Measured) -> None:
    """Train one model and measure how fast it went. Arguments are those of the command line."""
    articles = session.read("wiki-text", options.words)
    changes = {"epochs": options.epochs, "start": options.start, "seed": options.seed}
    changes |= EDITIONS[options.edition].get(name, {})
    prepared = session.prepare(
        name,
        articles,
        options.folder / name,
        vocabulary=options.vocabulary,
        device=options.device,
        **changes,
    )
    last = options.steps or prepared.learner.steps
    curve = session.run(
        prepared,
        last,
        max(1, last // ROWS),
        keep_snapshots=options.snapshots,
        heldout=() if options.steps else session.held_out("wiki-text"),  # it would take the time
    )
    if len(curve):
        for row in rows(prepared, curve):
            measured.add(row)


def rows(prepared: Session, curve: pd.DataFrame) -> Iterator[dict]:
    """What a curve says: how fast, how far, and how many readings fit into a stretch.

    The first part of a run is left out of its speed: there the machine warms up.
    """
    learner, first, last = prepared.learner, curve.iloc[0], curve.iloc[-1]
    keys = {"model": prepared.name}
    if len(curve) > 1:
        speed = (last["words"] - first["words"]) / (last["seconds"] - first["seconds"])
        readings = STRETCH * speed / prepared.text["words"]
        unit = f"times in {STRETCH} seconds"
        yield {"what": "training", **keys, "value": round(speed), "unit": "words a second"}
        yield {"what": "reading the whole text", **keys, "value": round(readings, 2), "unit": unit}
    done = f"after {last['step']:.0f} of {learner.steps} steps"
    losses = {"training loss": last["loss"], "held-out loss": last["heldout"]}
    for what, value in losses.items():
        if value == value:  # a number: without held-out text there is none
            yield {"what": what, **keys, "value": round(value, 3), "unit": "nats", "note": done}


def take_vocabulary(folder: Path) -> None:
    """Put the vocabulary that was packed beside the text where a run looks for its own."""
    target = folder / session.VOCABULARY
    for root in paths.data_roots():
        packed = root / session.VOCABULARY
        if packed.is_file() and not target.exists():
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(packed, target)


def main() -> None:
    """Train the models that the command line names, one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", nargs="+", choices=SHIPPED, metavar="MODEL")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--edition", choices=EDITIONS, default="small")
    parser.add_argument("--words", type=int, default=0, help="of the text; 0: all that is there")
    parser.add_argument("--epochs", type=float, default=1.0, help="how often the text is read")
    parser.add_argument("--steps", type=int, default=0, help="stop after so many; 0: at the end")
    parser.add_argument("--start", default="counts", choices=("counts", "plain"))
    parser.add_argument("--vocabulary", default="new", choices=("new", "shipped"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--snapshots", action="store_true", help="for the statistics along training"
    )
    parser.add_argument("--folder", type=Path, required=True, help="where the trainings are kept")
    parser.add_argument("--out", type=Path, required=True, help="the folder of training.json")
    options = parser.parse_args()
    device = loading.choose_device(options.device)
    measured = Measured(options.out / "training.json", device)
    take_vocabulary(options.folder)
    for name in options.models:
        print(f"train {name} on {device}", flush=True)
        train(name, options, measured)


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(f"train: {error}")
