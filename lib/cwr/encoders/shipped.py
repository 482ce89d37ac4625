"""Names the models that are shipped with the library. Imports nothing heavy."""

from pathlib import Path

SHIPPED = ("cwr-elmo", "cwr-bert", "cwr-gpt")
# word vectors, which have no layers: `corpora.word_vectors` reads them
STATIC_MODELS = ("cwr-static",)
MODELS = Path(__file__).parent.parent / "models"
