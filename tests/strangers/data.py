"""A reader's files as the profile `paper` asks for them, small: treebanks, word vectors, an ELMo."""

import shutil
from pathlib import Path

from cwr.corpora import word_vectors
from cwr.encoders.shipped import MODELS

WORDS = ["Ann", "sold", "the", "bank", "to", "Bob", "."]
TAGS = ["NNP", "VBD", "DT", "NN", "IN", "NNP", "."]
PARSE = ["(TOP(S(NP*)", "(VP*", "(NP*", "*)", "(PP*", "(NP*)))", "*))"]
TYPES = ["(PERSON)", "*", "(ORG*", "*)", "*", "(GPE)", "*"]
CHAINS = ["(1)", "-", "(2", "2)", "-", "(1)", "-"]
ENTITIES = ["I-PER", "O", "O", "I-ORG", "O", "I-LOC", "O"]
NAMES = [
    "Ann",
    "Bob",
    "Cleo",
    "Dan",
    "Eve",
    "Finn",
    "Gwen",
    "Hal",
    "Iris",
    "Jack",
    "Kim",
    "Leo",
]
SPLITS = ["train", "train", "train", "test", "test", "development"]
VECTORS = [
    "GLOVE",
    "GLOVE-Twitter",
    "FASTTEXT",
    "GloVe",
    "fastText",
]  # files of the home folder


def treebanks(folder: Path) -> Path:
    """A folder for CWR_DATA with documents of ours in the forms of CoNLL-2012 and CoNLL-2003."""
    for number, _ in enumerate(NAMES):
        split = SPLITS[number % len(SPLITS)]
        name = f"nw/ours/00/ours_{number:04}"
        blocks = [_sentence(number + place, name) for place in range(4)]
        text = f"#begin document ({name}); part 000\n{''.join(blocks)}#end document\n"
        _write(folder / "ontonotes" / "data" / split / f"{number}.v4_gold_conll", text)
    for part in ("eng.train", "eng.testa", "eng.testb"):
        documents = [_tagged(number) for number, _ in enumerate(NAMES)]
        _write(folder / "conll-2003" / part, "".join(documents))
    return folder


def _named(number: int) -> list[str]:
    """The sentence, about two other people."""
    first, second = (NAMES[(number + step) % len(NAMES)] for step in (0, 5))
    return [{"Ann": first, "Bob": second}.get(word, word) for word in WORDS]


def _sentence(number: int, name: str) -> str:
    columns = zip(_named(number), TAGS, PARSE, TYPES, CHAINS, strict=True)
    rows = [
        f"{name} 0 {place} {word} {tag} {parse} - - - - {kind} {chain}"
        for place, (word, tag, parse, kind, chain) in enumerate(columns)
    ]
    return "\n".join(rows) + "\n\n"


def _tagged(number: int) -> str:
    text = "-DOCSTART- -X- -X- O\n\n"
    for place in range(4):
        rows = zip(_named(number + place), TAGS, ENTITIES, strict=True)
        text += (
            "\n".join(f"{word} {tag} I-NP {entity}" for word, tag, entity in rows) + "\n\n"
        )
    return text


def home(folder: Path) -> Path:
    """A home folder with an ELMo and files of word vectors: those of cwr-static, in GloVe's form."""
    shutil.copytree(MODELS / "cwr-elmo", folder / "ELMo", dirs_exist_ok=True)
    vectors = word_vectors.load("cwr-static")
    lines = [
        f"{word} {' '.join(f'{number:.4f}' for number in vector)}\n"
        for word, vector in zip(vectors.words, vectors.vectors, strict=True)
    ]
    for name in VECTORS:
        _write(folder / name, "".join(lines))
    return folder


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
