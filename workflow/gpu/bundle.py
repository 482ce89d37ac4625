"""Pack the data that a machine without network needs: python workflow/gpu/bundle.py FOLDER

    wiki_text/, words/   the training text, the held-out text, and their words (`word_files`)
    vocabulary.json      word pieces learned from the training text
    lee.jsonl            the corpus that notebooks and proof read, with its words
    wiki-text.jsonl      the sentences on which a training is looked at

There CWR_DATA names the folder. To be run once, where spaCy, gensim and the text are; twenty
seconds a million words.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from cwr import corpora, paths
from cwr.corpora import Article, wiki_text
from cwr.corpora.wiki_text import articles as files
from cwr.errors import UserError
from cwr.making.language_models import session, text, word_files

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 64 * 2**20  # bytes that go in, those of `repository` among them
SENTENCES = 600  # as workflow/ship_models.py draws them


def pack(folder: Path, words: int) -> None:
    """Fill the folder with the first so many words of the training text (0: all), and the rest.

    Raises UserError for a text that is not at hand or has fewer words.
    """
    articles = text.prefix(words)
    write_text(folder / "wiki_text", articles)
    session.tokenizer("new", articles, folder)
    lee = corpora.load("lee")
    corpora.write(lee, folder / "lee.jsonl")
    corpora.write(corpora.load("wiki-text").sample(SENTENCES, 0), folder / "wiki-text.jsonl")
    texts = [articles, list(wiki_text.load("heldout")), session.held_out("wiki-text")]
    for some in [*texts, session.read("lee")]:
        print(f"words of {len(some):,} articles", flush=True)
        word_files.write(some, folder)


def write_text(folder: Path, articles: list[Article]) -> None:
    """A folder of `wiki_text`: these articles in its first file, the held-out ones, empty files."""
    folder.mkdir(parents=True, exist_ok=True)
    first, *others = files.TRAIN_FILES
    files.write(folder / first, articles)
    for name in others:
        files.write(folder / name, [])
    files.write(folder / files.HELD_OUT_FILE, wiki_text.load("heldout"))


def size(paths: list[Path]) -> int:
    """Bytes of all these files."""
    return sum(path.stat().st_size for path in paths if path.is_file())


def repository() -> list[Path]:
    """The files of the repository, which travel too: all but the longer runs, for no script there
    reads them and they are half of it.
    """
    command = ["git", "ls-files", "--", f":!{paths.LONGER}"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines()]


def main() -> None:
    """Pack, and say how much it is; refuse more than can go in."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--words", type=int, default=12_000_000, help="of the training text; 0: all"
    )
    options = parser.parse_args()
    pack(options.folder, options.words)
    data, code = size(list(options.folder.rglob("*"))), size(repository())
    sizes = f"{data / 2**20:.1f} MiB of data and {code / 2**20:.1f} MiB of the repository"
    if data + code > LIMIT:
        raise UserError(f"{sizes} are more than the {LIMIT >> 20} MiB that go in: take fewer words")
    print(f"packed {options.folder}: {sizes}")


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(f"bundle: {error}")
