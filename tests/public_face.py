"""Signatures of the names that notebooks, students and outside checks rely on.

python tests/public_face.py > tests/public_face.txt
"""

import dataclasses
import importlib
import importlib.util
import inspect

NAMES = [
    "cwr.vectors",
    "cwr.self_similarity",
    "cwr.anisotropy",
    "cwr.isotropy",
    "cwr.encoders.load",
    "cwr.encoders.encoder.Encoder",
    "cwr.encoders.encoder.Encoder.encode",
    "cwr.encoders.encoder.Encoder.embedding_matrix",
    "cwr.encoders.encoder.Encoder.forward",
    "cwr.encoders.batches.Batch",
    "cwr.encoders.matrices.read",
    "cwr.encoders.matrices.Matrix",
    "cwr.encoders.matrices.Matrix.row_of",
    "cwr.encoders.matrices.Matrix.count",
    "cwr.encoders.elmo.ELMo.from_files",
    "cwr.encoders.elmo.ELMo.forward_words",
    "cwr.corpora.load",
    "cwr.corpora.Corpus",
    "cwr.corpora.Sentence",
    "cwr.extraction.run",
    "cwr.extraction.Extraction",
    "cwr.measures.contextuality.mean_pairwise_cosine",
    "cwr.measures.contextuality.self_similarity",
    "cwr.measures.contextuality.anisotropy_baseline",
    "cwr.measures.contextuality.self_similarity_released",
    "cwr.measures.contextuality.intra_sentence_similarity",
    "cwr.measures.contextuality.maximum_explainable_variance",
    "cwr.measures.isotropy.partition_isotropy",
    "cwr.measures.isotropy.center",
    "cwr.measures.isotropy.scaled_center",
    "cwr.measures.isotropy.all_but_the_top",
    "cwr.measures.isotropy.isoscore",
    "cwr.measures.static_vectors.first_principal_vector",
    "cwr.measures.benchmarks.word_similarity",
    "cwr.measures.benchmarks.analogy",
    "cwr.measures.benchmarks.categorisation",
    "cwr.measures.classification.smallest_macro_f1",
    "cwr.measures.probing.micro_f1",
    "cwr.measures.structural.uuas",
    "cwr.measures.stats.bootstrap",
    "cwr.measures.stats.interval",
    "cwr.texts.ethayarajh2019.claims.CLAIMS",
    "cwr.texts.ethayarajh2019.claims.published",
    "cwr.report.judge",
    "cwr.report.Verdict",
    "cwr.report.verdicts.check",
    "cwr.report.results.write",
    "cwr.parameters.read",
    "cwr.parameters.validate",
    "cwr.parameters.check",
]


def signature(name: str) -> str | None:
    """One line for a name: its parameters, a dataclass's fields, or a value's type; None for what is not built."""
    parts, module = name.split("."), None
    for length in range(1, len(parts)):
        try:
            module, rest = (
                importlib.import_module(".".join(parts[:length])),
                parts[length:],
            )
        except ModuleNotFoundError as error:
            if error.name and error.name.split(".")[0] == "cwr":
                break
            raise
    held = module
    for part in rest:
        held = getattr(held, part, None)
    if held is None:
        return None
    if dataclasses.is_dataclass(held) or inspect.isclass(held):
        public = (
            [field.name for field in dataclasses.fields(held)]
            if dataclasses.is_dataclass(held)
            else []
        )
        public += sorted(
            key for key in vars(held) if not key.startswith("_") and key not in public
        )
        return f"{name}: {', '.join(public)}"
    return (
        f"{name}{inspect.signature(held)}"
        if callable(held)
        else f"{name}: {type(held).__name__}"
    )


def face() -> str:
    """All lines of the public face as it stands."""
    return "".join(f"{line}\n" for name in NAMES if (line := signature(name)))


if __name__ == "__main__":
    print(face(), end="")
