"""Make the files of `corpora/treebanks/gum`, each .conllu.gz and .trees.gz, from the source's.

python workflow/tables/gum.py FOLDER     (dep/GUM_news_*.conllu, const/GUM_news_*.ptb, other GENRES)

Kept: the four genres whose texts are CC BY. Left out: enhanced dependencies, what else the last
column says, most of what is said about documents and sentences.
"""

import gzip
import sys
from collections.abc import Callable
from pathlib import Path

import cwr.corpora

TABLES = Path(cwr.corpora.__file__).parent / "treebanks" / "gum"
GENRES = ("academic", "court", "interview", "news")
OFFICIAL = {  # the source's splits.md; all other documents are for training
    "dev": """academic_exposure academic_librarians court_loan court_negligence interview_cyclone
              interview_gaming news_homeopathic news_iodine""",
    "test": """academic_discrimination academic_eegimaa court_insanity court_mitigation
               interview_hill interview_libertarian news_nasa news_sensitive""",
}
ABOUT = ("newdoc id", "global.Entity", "meta::genre", "meta::sourceURL", "meta::title")
COMMENTS = (*ABOUT, "sent_id", "text")
MISC = ("Entity", "SpaceAfter")
EMPTY = "_"


def split_of(document: str) -> str:
    """The official split of a document, by the name of its file."""
    name = document.removeprefix("GUM_")
    splits = [split for split, names in OFFICIAL.items() if name in names.split()]
    return splits[0] if splits else "train"


def thinned(line: str) -> str | None:
    """A line without what is left out; None for a comment that is."""
    if line.startswith("#"):
        return line if line[1:].partition("=")[0].strip() in COMMENTS else None
    if not line:
        return line
    *columns, _, misc = line.split("\t")
    kept = [entry for entry in misc.split("|") if entry.partition("=")[0] in MISC]
    return "\t".join([*columns, EMPTY, "|".join(kept) or EMPTY])


def dependencies(text: str) -> str:
    """A document of `dep`, thinned."""
    lines = text.rstrip("\n").split("\n")
    kept = [line for line in map(thinned, lines) if line is not None]
    return "\n".join(kept) + "\n\n"


def constituents(text: str) -> str:
    """A document of `const`, one tree a line."""
    trees = [" ".join(tree.split()) for tree in text.split("\n\n") if tree.strip()]
    return "".join(f"{tree.replace(' )', ')')}\n" for tree in trees)


def documents(folder: Path, suffix: str, thin: Callable[[str], str]) -> dict[str, list[str]]:
    """{split: its documents, thinned}, in the order of their names."""
    splits = {"train": [], "dev": [], "test": []}
    files = [file for genre in GENRES for file in folder.glob(f"GUM_{genre}_*.{suffix}")]
    for file in sorted(files):
        splits[split_of(file.stem)].append(thin(file.read_text(encoding="utf-8")))
    return splits


def write(splits: dict[str, list[str]], suffix: str) -> None:
    for split, texts in splits.items():
        content = gzip.compress("".join(texts).encode(), compresslevel=9, mtime=0)
        (TABLES / f"{split}.{suffix}.gz").write_bytes(content)


if __name__ == "__main__":
    source = Path(sys.argv[1])
    write(documents(source / "dep", "conllu", dependencies), "conllu")
    write(documents(source / "const", "ptb", constituents), "trees")
