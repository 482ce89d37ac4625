"""Writes live figures: data that a reader moves in the page, and a table for those without scripts.

`book/_static/live.js` draws every figure of the class "live" in a page; to add one, give it a kind
here, a function of that name there, and a test in tests/book/test_live.py.
"""

import html
import json

import pandas as pd
from IPython.display import display

from cwr import paths
from cwr.figures.style import COLOURS

COMPACT = (",", ":")


def live(kind: str, data: dict, table: pd.DataFrame, note: str) -> None:
    """Shows a live figure, and leaves its data beside the notebook's results as KIND.json.

    kind: names the figure that live.js draws. data: its input, written as JSON.
    table: the data in plain numbers, for a page without scripts and for the test of the notebook.
        note: explains the table.
    """
    if file := paths.figure_file(f"{kind}.json"):
        file.write_text(json.dumps(data, separators=COMPACT), encoding="utf-8")
    plain = f"{note}\n{table.to_string(index=False)}"
    output = {"text/html": live_html(kind, data, table, note), "text/plain": plain}
    display(output, raw=True)


def live_html(kind: str, data: dict, table: pd.DataFrame, note: str) -> str:
    """Formats a live figure as HTML; arguments as `live`.

    It has no empty lines: in a page of Markdown an empty line would end the HTML.
    """
    payload = json.dumps(data | {"kind": kind, "colours": COLOURS}, separators=COMPACT)
    payload = payload.replace("<", "\\u003c")  # a name could end the script
    rows = table.to_html(index=False, border=0)
    return (
        f'<div class="live"><script type="application/json">{payload}</script>\n'
        f'<div class="live-table"><p>{html.escape(note)}</p>\n{rows}</div></div>'
    )
