"""Live figures: data that a reader moves in the page, with a table for readers without scripts.

`book/_static/live.js` draws every figure of the class "live" in a page; to add one, give it a kind
here, a function of that name there, and a test in tests/book/test_live.py.
"""

import json

import pandas as pd
from IPython.display import display

from cwr import paths
from cwr.figures.style import COLOURS

COMPACT = (",", ":")


def live(kind: str, data: dict, table: pd.DataFrame) -> None:
    """Show a live figure, and leave its data beside the notebook's results as KIND.json.

    kind: which figure live.js draws. data: for JSON, as that figure reads it.
    table: the same in plain numbers, for the page without scripts and the test of the notebook.
    """
    if file := paths.figure_file(f"{kind}.json"):
        file.write_text(json.dumps(data, separators=COMPACT), encoding="utf-8")
    output = {"text/html": live_html(kind, data, table), "text/plain": table.to_string()}
    display(output, raw=True)


def live_html(kind: str, data: dict, table: pd.DataFrame) -> str:
    """The same as HTML without empty lines, which would end it in a page of Markdown."""
    payload = json.dumps(data | {"kind": kind, "colours": COLOURS}, separators=COMPACT)
    payload = payload.replace("<", "\\u003c")  # a name could end the script
    plain = table.to_html(border=0)
    return (
        f'<div class="live"><script type="application/json">{payload}</script>\n'
        f'<div class="live-table">{plain}</div></div>'
    )
