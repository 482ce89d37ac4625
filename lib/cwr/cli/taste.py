"""A taste of the book: the five texts held against their own numbers, with NumPy and pandas alone.

    python -m cwr.cli.taste [FOLDER]          (`make taste` does it in an environment of its own)
"""
import importlib
import sys
from pathlib import Path

import pandas as pd

from cwr import report
from cwr.report import checked, scoreboard, verdicts

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Five texts against their own numbers</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: auto; padding: 1rem; overflow-wrap: anywhere; }}
div {{ overflow-x: auto; }} table {{ border-collapse: collapse; }} tr {{ border-top: 1px solid #8888; }}
th, td {{ border: 0; padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; min-width: 6rem; }}
</style></head><body><h1>Five texts against their own numbers</h1><p>No model was run: every claim is judged, and every
number recomputed, from what the texts print or what was released with them. <code>make book</code> adds models.</p>
{body}</body></html>
"""


def tables(paper: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The claims of a paper on its published numbers, and the checks of these numbers."""
    rows = verdicts.check(paper=paper)
    claims = pd.DataFrame([{"claim": row["claim"], "says": row["says"], "place": row["place"],
                            "published": row["published"],
                            "why": row["reason"] if row["published"] != report.HOLDS else ""} for row in rows])
    checks = pd.DataFrame([{"check": row.check.id, "asks": row.check.asks, "printed": row.found.printed,
                            "recomputed": f"{checked.verdict(row)}: {row.found.should_be}",
                            "a fair reading": row.check.charitable} for row in checked.rows(paper)])
    return claims, checks


def main(folder: str = "_build/taste") -> None:
    """Print each text's counts and headlines, write the whole as one page, and print its address."""
    page = Path(folder).resolve() / "index.html"
    body = []
    for paper in verdicts.PAPERS:
        claims, checks = tables(paper)
        found = checks["recomputed"].str.partition(":")[0]
        head = (f"{len(claims)} claims: {report.counted(claims['published'])}; {len(checks)} checks of numbers: "
                f"{report.counted(found, (report.AGREES, report.DIFFERS))}")
        headlines = importlib.import_module(f"cwr.papers.{paper}").HEADLINES
        print(f"\n{scoreboard.TITLES[paper]}\n  {head}")
        for _, row in claims[claims["claim"].isin(headlines)].iterrows():
            print(f"  {row['published']:>13}  {row['says']}")
        body += [f"<h2>{scoreboard.TITLES[paper]}</h2><p>{head}.</p>",
                 *(f"<div>{table.to_html(index=False)}</div>" for table in (claims, checks))]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(PAGE.format(body="\n".join(body)), encoding="utf-8")
    print(f"\nAll of it on one page: {page.as_uri()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
