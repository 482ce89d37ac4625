"""The models that travel with the library, and where; how they were made is in `training`. Imports nothing heavy."""
from pathlib import Path

SHIPPED = ("cwr-elmo", "cwr-bert", "cwr-gpt")
MODELS = Path(__file__).parent.parent / "models"
