"""Reads licensed corpora from the reader's own folders `ptb`, `ontonotes` or `conll-2003`.

The folder lies below a folder in CWR_DATA and is named like the corpus. Nothing is fetched.

    corpus       files, in any folders below                    it has                      split
    ptb          wsj_0001.mrg, … (LDC99T42), trees in brackets  xpos, constituents          sections
    ontonotes    *gold_conll of CoNLL-2012 (LDC2013T19)         xpos, constituents,         folders
                                                                entities, mentions, chains
    conll-2003   eng.train, eng.testa, eng.testb                xpos, entities              files

No corpus has universal word classes, dependencies or a text: words are joined by blanks. The
mentions of OntoNotes, [first, last, "mention"], are separate spans, to which `chains` belong. The
sections of the Penn Treebank are divided as for parsers: 2 to 21 train, 22 dev, 23 test, others
left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cwr import paths
from cwr.corpora.sentences import Sentence, joined
from cwr.corpora.treebanks import brackets, conllu, entities, sources
from cwr.corpora.treebanks.labels import DEV, ENTITIES, MENTIONS, SPLITS, TEST, TRAIN
from cwr.errors import UserError


@dataclass(frozen=True)
class Files:
    """The pattern and the origin of the files that a reader has to provide."""

    pattern: str
    origin: str


FILES = {
    "ptb": Files("wsj_*.mrg", "the trees of the Penn Treebank 3, LDC99T42"),
    "ontonotes": Files(
        "*gold_conll", "what CoNLL-2012's skeleton2conll makes of OntoNotes 5, LDC2013T19"
    ),
    "conll-2003": Files("eng.t*", "eng.train, eng.testa and eng.testb of CoNLL-2003"),
}
SECTIONS = {**{f"{number:02}": TRAIN for number in range(2, 22)}, "22": DEV, "23": TEST}
CONLL_2003 = {TRAIN: "eng.train", DEV: "eng.testa", TEST: "eng.testb"}
BEGIN = re.compile(r"#begin document \((?P<name>[^()]+)\); part (?P<part>\d+)")
OTHER_LANGUAGES = ("arabic", "chinese")
# columns of CoNLL-2012: 11 that each line has, one for each predicate, and coreference
WORD, XPOS, PARSE, ENTITY, COREFERENCE = 3, 4, 5, 10, -1
FEWEST = 12
STARRED = re.compile(r"(\([^()*\s]+)*\*\)*|\([^()*\s]+\)")  # "(NP*", "*)", "(NP*)"; or "(GPE)"
CHAIN = re.compile(r"\((\d+)")


def find(name: str) -> Path | None:
    """Finds the reader's first folder with files of a licensed corpus; None without one."""
    folders = [root / name for root in paths.data_roots()]
    return next((folder for folder in folders if any(folder.rglob(FILES[name].pattern))), None)


def lack(name: str) -> str:
    """Advises where to put the files of a licensed corpus, as the end of an error message."""
    wanted = FILES[name]
    return (
        f"put {wanted.pattern} ({wanted.origin}) into a folder {name} below one that CWR_DATA names"
    )


def _files(name: str) -> dict[Path, Path]:
    """Lists {path below the folder: file} of a licensed corpus. Raises UserError without files."""
    folder = find(name)
    if folder is None:
        raise UserError(f"the corpus {name} is licensed and no part of this book: {lack(name)}")
    return {file.relative_to(folder): file for file in sorted(folder.rglob(FILES[name].pattern))}


def ptb() -> Iterator[Sentence]:
    """Reads the Wall Street Journal of the Penn Treebank (Marcus et al., 1993), without traces.

    Raises UserError without files of sections 2 to 23, and for a malformed tree.
    """
    parts = {split: [] for split in SPLITS}
    for file in _files("ptb").values():
        split = SECTIONS.get(file.stem[4:6])  # of wsj_2301
        if split:
            parts[split].append(file)
    if not any(parts.values()):
        raise UserError(f"the corpus ptb has no file of the sections 02 to 23: {lack('ptb')}")
    numbered = enumerate((split, file) for split, files in parts.items() for file in files)
    for document, (split, file) in numbered:
        about = {"split": split, "document": file.stem, "genre": "news"}
        content = "\n".join(conllu.lines(file))
        starts = re.split(r"^(?=\()", content, flags=re.MULTILINE)  # a tree begins a line
        trees = [tree for tree in map(brackets.without_traces, starts) if tree.strip()]
        sentences = [
            _of_tree(tree, f"{file.name} {number}", document, about)
            for number, tree in enumerate(trees)
        ]
        yield from sources.with_constituents(sentences, trees)


def _of_tree(tree: str, name: str, document: int, about: dict[str, str]) -> Sentence:
    leaves = brackets.leaves(tree)
    sentence = joined([word for word, _ in leaves])
    annotations = {**about, **sentence.annotations, "xpos": [label for _, label in leaves]}
    return replace(sentence, id=name, document=document, annotations=annotations)


def conll_2003() -> Iterator[Sentence]:
    """Reads news with four classes of entities (Tjong Kim Sang and De Meulder, 2003).

    The classes are persons, locations, organisations, others. UserError without its files, and for
    a malformed line or tag.
    """
    files = {file.name: file for file in _files("conll-2003").values()}
    lacking = [name for name in CONLL_2003.values() if name not in files]
    if lacking:
        raise UserError(f"the corpus conll-2003 lacks {lacking[0]}: {lack('conll-2003')}")
    before = 0
    for split, name in CONLL_2003.items():
        document = before
        lines = conllu.lines(files[name])
        for sentence in sources.tagged_sentences(lines, name, " ", ("xpos", "chunks")):
            document = before + sentence.document
            about = {"split": split, "document": f"{name} {sentence.document}", "genre": "news"}
            annotations = {**about, **sentence.annotations}
            yield replace(sentence, document=document, annotations=annotations)
        before = document + 1


def ontonotes() -> Iterator[Sentence]:
    """Reads OntoNotes 5 in English (Weischedel et al., 2013), in the split of CoNLL-2012.

    A chain of coreference belongs to one part of a document, as in CoNLL-2012.
    Raises UserError without its files, for a file of no split, and for a file that is cut off or
    has other columns, brackets or numbers.
    """
    parts = {split: [] for split in SPLITS}
    for below, file in _files("ontonotes").items():
        if not set(OTHER_LANGUAGES) & set(below.parts):
            parts[_split_of(below)].append(file)
    documents: dict[str, int] = {}
    for split, files in parts.items():
        for file in files:
            for block in _blocks(file):
                number = documents.setdefault(block.document, len(documents))
                yield _of_block(block, number, split)


def _split_of(file: Path) -> str:
    """Returns the split in the name of a file or its nearest folder: "train.english", …"""
    for part in reversed(file.parts):
        for split in SPLITS:
            if part.startswith(split):
                return split
    raise UserError(
        f"{file} is in no split of ontonotes: put it into a folder train, development or test there"
    )


@dataclass(frozen=True)
class Block:
    """A sentence as its CoNLL-2012 lines. place: the position of its last line."""

    document: str
    part: int
    number: int
    rows: list[list[str]]
    place: str

    def column(self, number: int) -> list[str]:
        """Returns a column of the block's rows."""
        return [row[number] for row in self.rows]


def _blocks(file: Path) -> Iterator[Block]:
    """Yields the sentences of a file. Raises UserError for one that is cut off or damaged."""
    begin, rows, count = None, [], 0
    for number, line in enumerate(conllu.lines(file), 1):
        if line.startswith("#begin"):
            begin, count = BEGIN.match(line), 0
        elif line.startswith("#end"):
            begin = None
        elif line.strip():
            rows.append(line.split())
            _refuse_columns(rows, begin, f"line {number} of {file.name}")
        elif rows:
            place = f"line {number - 1} of {file.name}"
            yield Block(begin["name"], int(begin["part"]), count, rows, place)
            rows, count = [], count + 1
    if begin or rows:
        raise UserError(f"{file} ends in the middle of a document: replace it with a whole copy")


def _refuse_columns(rows: Sequence[Sequence[str]], begin: re.Match | None, place: str) -> None:
    """Raises UserError for a last row outside a document, or of another length than the first."""
    columns, wanted = len(rows[-1]), len(rows[0])
    if begin is None:
        raise UserError(f"{place} is in no document (#begin document (NAME); part 000): mend it")
    if columns != wanted or columns < FEWEST:
        raise UserError(
            f"{place} has {columns} columns, not the {max(wanted, FEWEST)} of its sentence in "
            "CoNLL-2012's form: the file is damaged or cut off; replace it"
        )


def _of_block(block: Block, document: int, split: str) -> Sentence:
    """Builds a sentence from its columns. Raises UserError for brackets that do not close."""
    try:
        constituents, types = (_starred(block.column(column)) for column in (PARSE, ENTITY))
        mentions, chains = entities.nested(
            [_as_entities(value) for value in block.column(COREFERENCE)]
        )
    except ValueError as error:
        raise UserError(f"the sentence that ends at {block.place}: {error}") from None
    sentence = joined([brackets.unescaped(word) for word in block.column(WORD)])
    annotations = {
        **sentence.annotations,
        "split": split,
        "document": block.document,
        "genre": block.document.partition("/")[0],
        "xpos": block.column(XPOS),
        "constituents": constituents,
        ENTITIES: types,
        MENTIONS: mentions,
        "chains": [f"{block.part}.{chain}" for chain in chains],
    }
    name = f"{block.document} {block.part}.{block.number}"
    return replace(
        sentence, id=name, document=document, paragraph=block.part, annotations=annotations
    )


def _starred(values: Sequence[str]) -> list[list]:
    """Parses spans [first, last, label] of a column in which a star, or nothing, is the word.

    Raises ValueError for other signs, and for brackets that do not close.
    """
    tree = []
    for word, value in enumerate(values, 1):
        if not STARRED.fullmatch(value):
            raise ValueError(f"word {word} has {value!r}, which opens or closes no span")
        leaf = value.replace("*", "(W w)")
        tree.append(leaf if "*" in value else leaf.replace(")", "(W w))"))
    return brackets.parsed(f"(TOP {''.join(tree)})")[1]


def _as_entities(value: str) -> str:
    """Translates a word's entry in the column of coreference into GUM's form (see `entities`).

    Ends are put before beginnings, or their number would be read as that of a beginning.
    """
    signs = sorted(value.split("|"), key=lambda sign: sign.startswith("("))
    return "" if value == "-" else CHAIN.sub(r"(\1-mention-", "".join(signs))
