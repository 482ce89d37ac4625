"""Train the networks that survey/02 compares: `python workflow/train_networks.py FOLDER`.

Five trainings for each amount of text, one after the other, on the first words of the training text:
FOLDER/<words>/<training>. What is cut off goes on from its checkpoint. The notebook reads the folder
by its parameter `trained`: a path, or the name of a folder below one of CWR_DATA. `ends.csv` there is
what the book keeps of them.
"""

from pathlib import Path

import click
import torch

from cwr.encoders import loading
from cwr.errors import UserError
from cwr.making.language_models import session
from cwr.texts.survey import networks


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--words", default=networks.WORDS, multiple=True, show_default=True,
              help="Read from wiki-text; may be given again.")  # fmt: skip
@click.option("--only", multiple=True, help="One training; may be given again. Default: all.")
@click.option("--device", default="cpu", show_default=True, help="cpu, cuda or auto.")
def main(folder: Path, words: tuple[int, ...], only: tuple[str, ...], device: str) -> None:
    torch.set_num_threads(1)  # the same weights on every machine of a kind
    try:
        device, heldout = str(loading.choose_device(device)), session.held_out("wiki-text")
        for size in words:
            articles = session.read("wiki-text", size)
            for name in only or networks.TRAININGS:
                if (folder / str(size) / name / session.RECORD).is_file():
                    continue
                prepared = networks.prepare(name, articles, folder / str(size), device=device)
                every = max(50, prepared.learner.steps // 40)
                curve = session.run(prepared, row_every=every, heldout=heldout, progress=True)
                nats = curve["heldout"].iloc[-1]
                print(f"{name}, {size:,} words: {nats:.3f} nats on held-out text", flush=True)
                kept = networks.ends(folder).round(4)
                kept.to_csv(folder / "ends.csv", index=False, lineterminator="\n")
    except UserError as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
