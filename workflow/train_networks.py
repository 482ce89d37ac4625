"""Train the networks that survey/02 compares: `python workflow/train_networks.py FOLDER`.

Five trainings, one after the other, on the first words of the training text; what is cut off goes
on from its checkpoint. The notebook reads the folder by its parameter `trained`: a path, or the
name of a folder below one of CWR_DATA. `curves.csv` there is what the book keeps of them.
"""

from pathlib import Path

import click
import torch

from cwr.errors import UserError
from cwr.training.language_models import networks, session


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--words", default=1_000_000, show_default=True, help="Read from wiki-text.")
@click.option("--only", multiple=True, help="One training; may be given again. Default: all.")
def main(folder: Path, words: int, only: tuple[str, ...]) -> None:
    torch.set_num_threads(1)  # the same weights on every machine of a kind
    try:
        articles, heldout = session.read("wiki-text", words), session.held_out("wiki-text")
        for name in only or networks.TRAININGS:
            if (folder / name / session.RECORD).is_file():
                continue
            prepared = networks.prepare(name, articles, folder)
            curve = session.run(prepared, row_every=50, heldout=heldout, progress=True)
            kept = networks.curves(folder).round(4)
            kept.to_csv(folder / "curves.csv", index=False, lineterminator="\n")
            print(f"{name}: {curve['heldout'].iloc[-1]:.3f} nats on held-out text", flush=True)
    except UserError as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
