"""Make the derived table of Biś et al. (2021) in lib/cwr/papers/tables from public files.

bis2021_public.csv holds what public files say about BERT's unused tokens: counts from the uncased vocabulary, which
travels with minilm, and what was read once from the cased vocabulary, BERT's script and the paper's released code.

    CWR_DATA=folder python workflow/tables/bis2021.py        (without CWR_DATA the files are downloaded)
"""
import pandas as pd

from cwr.tables import TABLES
from cwr.encoders import hub

# masked_lm_prob = 0.15, of which 10 % random entries of the vocabulary: create_pretraining_data.py,
# google-research/bert at eedf5716ce1268e56f0a50264a88cafad334ac61
MASKED, RANDOM = 0.15, 0.1
# vis.py and embeddings_benchmark.py, danielbis/tooMuchInCommon at 659857383f391816d4ee2e519b37420d63d83b36
ROWS_AVERAGED, COMPONENTS_REMOVED = 1000 - 5, 2


def bis2021_public() -> pd.DataFrame:
    """BERT's unused tokens: how many, at which places of the vocabulary, and how often they are inputs."""
    words = (hub.find("minilm").folder / "vocab.txt").read_text(encoding="utf8").splitlines()
    unused = sum(word.startswith("[unused") for word in words)
    counted = [("vocabulary_size", None, len(words)), ("unused_tokens", None, unused)]
    counted += [("vocabulary_index", word, words.index(word)) for word in ("the", "of", "and", "in", "to")]
    rows = [("Vocabulary file", "BERT-base-uncased", *row) for row in counted]
    rows += [("Vocabulary file", "BERT-base-cased", "vocabulary_size", None, 28996),        # read from that file
             ("Vocabulary file", "BERT-base-cased", "unused_tokens", None, 101),
             ("Vocabulary file", "BERT-base-cased", "vocabulary_index", "to", 1106),
             ("Pre-training script", "BERT-base-uncased", "unused_input_share", None,
              f"{MASKED * RANDOM * unused / len(words):.8f}"),
             ("Pre-training script", "BERT-base-uncased", "unused_target_share", None, 0),  # targets are words of texts
             ("Released code", "BERT-base-uncased", "unused_rows_averaged", None, ROWS_AVERAGED),
             ("Released code", None, "removed_components_released", None, COMPONENTS_REMOVED)]
    frame = pd.DataFrame(rows, columns=["artifact", "model", "measure", "word", "printed"])
    frame.insert(2, "family", frame["model"].notna().map({True: "masked", False: None}))
    return frame


if __name__ == "__main__":
    bis2021_public().to_csv(TABLES / "bis2021_public.csv", index=False, lineterminator="\n")
