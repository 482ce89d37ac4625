"""The models that are shipped with the library. Imports nothing heavy."""

from pathlib import Path

SHIPPED = ("cwr-elmo", "cwr-bert", "cwr-gpt")
STATIC = ("cwr-static",)  # word vectors, which have no layers: `corpora.word_vectors` reads them
MODELS = Path(__file__).parent.parent / "models"
