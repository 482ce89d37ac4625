"""The models and texts of the sweep: random folders of other depths, and small parts of corpora."""

import dataclasses
from pathlib import Path

from strangers import folders

from cwr import corpora


def made(folder: Path) -> dict[str, str]:
    """{title: path} of what the settings and edges name; made once."""
    texts = {
        "text": lambda: corpora.load("lee").sample(120, 0),
        "more": lambda: corpora.load("lee").sample(900, 0),
        "gum": lambda: _part(corpora.load("gum"), 8, 6),
        "anchors": lambda: _part(corpora.load("wiki-anchors"), 10, 10**6),
    }
    files = {}
    for title, load in texts.items():
        file = folder / f"{title}.jsonl"
        if not file.exists():
            corpora.write(load(), file)
        files[title] = str(file)
    plain = folder / "plain.txt"
    plain.write_text("\n".join(s.text for s in corpora.load("lee").sentences[:40]))
    short = folder / "short.txt"
    short.write_text("Dogs bark.\nCats do.\n" * 20)
    three = folders.three(folder)
    named = {"plain": str(plain), "short": str(short), "byte_level": three["gpt2-1"]}
    return files | three | named


def _part(corpus: corpora.Corpus, documents: int, paragraphs: int) -> corpora.Corpus:
    """The first paragraphs of the first documents, with all that their sentences carry."""
    kept = (
        s for s in corpus.sentences if s.document < documents and s.paragraph < paragraphs
    )
    return dataclasses.replace(corpus, sentences=tuple(kept))
