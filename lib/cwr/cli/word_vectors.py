"""Makes two sets of word vectors from a model and a text (`cwr vectors`), and compares them."""

from pathlib import Path

from cwr import corpora
from cwr.encoders import hub
from cwr.errors import UserError
from cwr.training.static_vectors import export


def check(teacher: str, corpus: str, folder: Path, threshold: float) -> None:
    """Raises UserError for arguments that can be refused before torch is imported.

    Refused are a model, corpus or file that does not exist, a folder that exists, and a threshold
    that is not above 0.
    """
    if not threshold > 0:
        raise UserError(f"the threshold {threshold:g} leaves no target: give a number above 0")
    hub.find(teacher, weights=False)
    corpora.stream(corpus)
    export.refuse_existing(folder)


def write(
    teacher: str, corpus: str, folder: Path, least: int, threshold: float, updates: int
) -> list[str]:
    """Writes the folders x2static and ase into a new folder; returns lines that describe them.

    teacher: a shipped name, a hub id or a folder. corpus: a name or a text file. least: the fewest
        occurrences of a word. threshold: thins out frequent targets of X2Static. updates: the most
        steps of X2Static. The text is streamed: it may be larger than the memory.
    Raises UserError as `check`, as `streamed_contexts.read` and as `x2static.train`.
    """
    check(teacher, corpus, folder, threshold)
    text = corpora.stream(corpus)

    from cwr import encoders
    from cwr.estimates import streamed_contexts, vector_files
    from cwr.training.static_vectors import stopping, x2static
    from cwr.training.static_vectors.cached import cached

    encoder = encoders.load(teacher)
    read = streamed_contexts.read(encoder, text, least)
    vocabulary = read.vocabulary
    settings = x2static.Settings(threshold=threshold, steps=updates)
    recipe = (x2static.train, read.matrix, vocabulary, settings, encoder.name)
    distilled = cached(*recipe, until=stopping.FLAT)
    averages = vector_files.Averages(read)
    compared = vector_files.compared(distilled, averages)
    files = {
        vector_files.X2STATIC: distilled,
        vector_files.ASE: averages[compared.chosen],
    }
    export.write_all(files, folder)
    size = f"{len(vocabulary.words):,} words of {text.name}, {encoder.name}"
    return [
        f"{folder / vector_files.X2STATIC}: {size}, {distilled.course.end}",
        f"{folder / vector_files.ASE}: {size}, {compared.chosen}",
        compared.sentence,
    ]
