"""Reads corpora into sentences with annotations, most of them lists with one entry per word.

    corpus             upos, xpos, heads, relations   entities                     split
    gum                yes                            yes, nested, with `chains`   official
    ud-english-ewt     yes                            no                           official
    teaching-treebank  yes, xpos empty                no                           none
    wikigold           no                             yes                          by position
    wnut-17            no                             yes                          official

GUM also has `constituents`, [first, last, category] (see `brackets`). `document` is the document's
name if it has one, `genre` the kind of text. Documents are numbered through all splits, in the
order train, dev, test.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cwr import downloads
from cwr.corpora.sentences import Sentence, joined
from cwr.corpora.treebanks import brackets, conllu, entities
from cwr.corpora.treebanks.labels import DEV, ENTITIES, SPLITS, TEST, TRAIN
from cwr.errors import UserError, quoted

HERE = Path(__file__).parent
WNUT_17 = {TRAIN: "wnut17train.conll", DEV: "emerging.dev.conll", TEST: "emerging.test.annotated"}
DOCUMENT_START = "-DOCSTART-"  # a line of its own, no word
SHARES = 0.6, 0.8  # of WikiGold's documents: train below the first, dev below the second


def gum() -> Iterator[Sentence]:
    """Reads the genres of GUM (Zeldes, 2017) that are CC BY: news, interview, court, academic."""
    files = {split: HERE / "gum" / f"{split}.conllu.gz" for split in SPLITS}
    trees = [HERE / "gum" / f"{split}.trees.gz" for split in SPLITS]
    lines = itertools.chain.from_iterable(conllu.lines(file) for file in trees)
    return with_constituents(treebank(files, has_entities=True), lines)


def with_constituents(sentences: Iterable[Sentence], trees: Iterable[str]) -> Iterator[Sentence]:
    """Adds `constituents` to sentences, from their trees in brackets, one per line.

    Raises UserError for a tree that is malformed or has other words than its sentence, and for
    unequal numbers of trees and sentences.
    """
    for sentence, tree in itertools.zip_longest(sentences, trees):
        if sentence is None or tree is None:
            raise UserError("there are not as many trees in brackets as sentences: fetch them anew")
        try:
            words, constituents = brackets.parsed(tree)
        except ValueError as error:
            raise UserError(f"the tree in brackets of {sentence.id} is none: {error}") from None
        if tuple(words) != sentence.words:
            raise UserError(
                f"the tree in brackets of {sentence.id} has other words than its sentence: "
                f"{quoted(' '.join(words))}"
            )
        annotations = {**sentence.annotations, "constituents": constituents}
        yield replace(sentence, annotations=annotations)


def ewt() -> Iterator[Sentence]:
    """Reads the English Web Treebank (Silveira et al., 2014) in Universal Dependencies 2.15.

    Raises UserError if a file is not at hand and cannot be fetched.
    """
    names = {split: f"en_ewt-ud-{split}.conllu" for split in SPLITS}
    return treebank(
        {split: downloads.fetch(downloads.row_of(name)) for split, name in names.items()}
    )


def teaching() -> Iterator[Sentence]:
    """Reads 224 sentences written for this book, each a document of its own, without a split.

    The annotation `construction` names what a sentence shows: "passive", …
    """
    file = HERE / "teaching" / "sentences.conllu.gz"
    for number, block in enumerate(conllu.blocks(conllu.lines(file), file.name)):
        annotations = {"construction": block.comments["construction"], **conllu.tree(block)}
        name, text = block.comments["sent_id"], block.comments["text"]
        yield Sentence(name, text, conllu.spans(block), number, 0, annotations)


def treebank(files: dict[str, Path], has_entities: bool = False) -> Iterator[Sentence]:
    """Reads the sentences of CoNLL-U files, {split: file}, each with its tree.

    has_entities: whether the last column has `Entity`, as in GUM.
    Raises UserError, naming the line, for a file that is cut off or no CoNLL-U, and for a sentence
    with malformed words, tree or entities.
    """
    document, paragraph, about = -1, 0, {}
    for split, file in files.items():
        for block in conllu.blocks(conllu.lines(file), file.name):
            comments = block.comments
            if "newdoc id" in comments:
                document, paragraph, about = document + 1, -1, _about(comments)
            if {"newdoc id", "newpar", "newpar id"} & comments.keys():
                paragraph += 1
            annotations = {"split": split, **about, **conllu.tree(block)}
            if has_entities:
                annotations |= _entities(block)
            yield Sentence(
                comments.get("sent_id", block.place),
                comments.get("text", ""),
                conllu.spans(block),
                max(document, 0),
                max(paragraph, 0),
                annotations,
            )


def _about(comments: dict[str, str]) -> dict[str, str]:
    """Returns the name and genre of a document; EWT's names begin with the genre."""
    name = comments["newdoc id"]
    return {"document": name, "genre": comments.get("meta::genre", name.partition("-")[0])}


def _entities(block: conllu.Block) -> dict[str, list]:
    """Returns the entities and chains of a sentence; both are empty where it has none."""
    values = [conllu.misc(row, "Entity") for row in block.words]
    try:
        spans, chains = entities.nested(values)
    except ValueError as error:
        raise block.error(str(error)) from None
    return {ENTITIES: spans, "chains": chains}


def wikigold() -> Iterator[Sentence]:
    """Reads WikiGold: persons, locations, organizations, others (Balasuriya et al., 2009).

    The source has no split: documents are divided by position, 60, 20 and 20 per cent, none in two
    parts.
    """
    file = HERE / "wikigold" / "wikigold.conll.gz"
    sentences = list(tagged_sentences(conllu.lines(file), file.name, " "))
    documents = sentences[-1].document + 1
    for sentence in sentences:
        share = sentence.document / documents
        split = SPLITS[sum(share >= bound for bound in SHARES)]
        yield replace(sentence, annotations={"split": split, **sentence.annotations})


def wnut_17() -> Iterator[Sentence]:
    """Reads WNUT-17 (Derczynski et al., 2017): new entities; train and test differ in genre.

    Raises UserError if a file is not at hand and cannot be fetched.
    """
    for number, (split, name) in enumerate(WNUT_17.items()):
        file = downloads.fetch(downloads.row_of(name))
        for sentence in tagged_sentences(conllu.lines(file), name, "\t"):
            annotations = {"split": split, **sentence.annotations}
            yield replace(sentence, document=number, annotations=annotations)


def tagged_sentences(
    lines: Iterable[str], name: str, separator: str, between: Sequence[str] = ()
) -> Iterator[Sentence]:
    """Parses sentences from lines with a word and its tag; an empty line ends a sentence.

    Such a file has no text, so its words are joined by blanks (`corpora.joined`). name: the file's
    name in errors and ids. between: the annotations in the columns between word and tag. A line of
    DOCUMENT_START begins a document.
    Raises UserError for a line with other columns, and for an invalid tag.
    """
    document, counter = -1, itertools.count()
    for line, rows in _groups(lines, name, separator, 2 + len(between)):
        if rows[0][0] == DOCUMENT_START:
            document += 1
            continue
        words, *columns, tags = zip(*rows, strict=True)
        try:
            spans = entities.tagged(tags)
        except ValueError as error:
            raise UserError(f"the sentence at line {line} of {name}: {error}") from None
        sentence = joined(words)
        others = zip(between, map(list, columns), strict=True)
        yield replace(
            sentence,
            id=f"{name} {next(counter)}",
            document=max(document, 0),
            annotations={**sentence.annotations, **dict(others), ENTITIES: spans},
        )


def _groups(
    lines: Iterable[str], name: str, separator: str, columns: int
) -> Iterator[tuple[int, list[list[str]]]]:
    """Yields runs of nonempty lines, cut at the separator, with the number of the first line."""
    numbered = enumerate(lines, 1)
    for is_empty, group in itertools.groupby(numbered, lambda item: not item[1].strip()):
        group = list(group)
        if is_empty:
            continue
        rows = [line.split(separator) for _, line in group]
        for (number, line), row in zip(group, rows, strict=True):
            if len(row) != columns or not all(row):
                raise UserError(
                    f"line {number} of {name} is no word with a tag ({line!r}): the file is damaged "
                    "or cut off; fetch it anew"
                )
        yield group[0][0], rows
