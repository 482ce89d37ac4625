"""Print, as CSV, the paper's own models beside the statistics released with Ethayarajh (2019).

Reads a finished run: `python workflow/released_points.py --run _build/run/paper`.
"""

import argparse
import sys
from pathlib import Path

import pandas as pd

from cwr.errors import UserError
from cwr.papers import printed
from cwr.report import released_statistics, results

INPUTS = Path("ethayarajh2019", "09_the_gpt2_inputs")


def measured(run: Path) -> pd.DataFrame:
    """The estimates of Figures 1 to 4; those of another input are of a model of that name.

    Raises UserError for a run without results.
    """
    chapter = results.read_all(run)
    if chapter is None:
        raise UserError(f"there are no results below {run}: run the chapter in the profile paper")
    table = chapter.table
    tables = [table[table["variant"].isna()]]
    if (run / INPUTS / "results.json").exists():
        inputs = results.read(run / INPUTS).table
        inputs = inputs[inputs["variant"].notna()]
        tables.append(inputs.assign(model=inputs["model"] + ", " + inputs["variant"]))
    return pd.concat(tables, ignore_index=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, default=Path("_build/run/paper"))
    try:
        ours = measured(parser.parse_args().run)
    except UserError as error:
        print(f"released_points: {error}", file=sys.stderr)
        return 2
    points = released_statistics.point_by_point(ours, printed.load("ethayarajh2019"))
    points.to_csv(sys.stdout, index=False, float_format="%.4f")
    counts = points.dropna(subset="agrees").groupby("model")["agrees"].agg(["sum", "size"])
    for model, agreeing, every in counts.itertuples():
        print(f"{model}: {agreeing} of {every} points agree", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
