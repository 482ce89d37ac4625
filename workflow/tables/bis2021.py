"""Make the derived table of Biś et al. (2021) in lib/cwr/texts/bis2021/claims from public files.

public.csv holds what public files say about BERT's unused tokens: counts from the uncased
vocabulary, which travels with minilm, and what was read once from the cased vocabulary, BERT's
script and the paper's released code.

    python workflow/tables/bis2021.py
"""

from pathlib import Path

import pandas as pd

from cwr.encoders import hub
from cwr.texts.bis2021 import claims

FOLDER = Path(claims.__file__).parent
CASED, UNCASED = "BERT-base-cased", "BERT-base-uncased"
VOCABULARY, SCRIPT, CODE = "Vocabulary file", "Pre-training script", "Released code"

# masked_lm_prob = 0.15, of which 10 % random entries of the vocabulary: create_pretraining_data.py,
# google-research/bert at eedf5716ce1268e56f0a50264a88cafad334ac61
MASKED, RANDOM = 0.15, 0.1
# vis.py and embeddings_benchmark.py, danielbis/tooMuchInCommon at
# 659857383f391816d4ee2e519b37420d63d83b36
ROWS_AVERAGED, COMPONENTS_REMOVED = 1000 - 5, 2
# read once from the cased vocabulary file
CASED_SIZE, CASED_UNUSED, CASED_INDEX_OF_TO = 28996, 101, 1106


def public() -> pd.DataFrame:
    """BERT's unused tokens: how many, where in the vocabulary, and how often they are inputs."""
    file = hub.find("minilm").folder / "vocab.txt"
    words = file.read_text(encoding="utf8").splitlines()
    unused = sum(word.startswith("[unused") for word in words)
    inputs = f"{MASKED * RANDOM * unused / len(words):.8f}"
    rows = [
        (VOCABULARY, UNCASED, "vocabulary_size", None, len(words)),
        (VOCABULARY, UNCASED, "unused_tokens", None, unused),
    ]
    for word in ("the", "of", "and", "in", "to"):
        rows.append((VOCABULARY, UNCASED, "vocabulary_index", word, words.index(word)))
    rows += [
        (VOCABULARY, CASED, "vocabulary_size", None, CASED_SIZE),
        (VOCABULARY, CASED, "unused_tokens", None, CASED_UNUSED),
        (VOCABULARY, CASED, "vocabulary_index", "to", CASED_INDEX_OF_TO),
        (SCRIPT, UNCASED, "unused_input_share", None, inputs),
        (SCRIPT, UNCASED, "unused_target_share", None, 0),  # targets are words of texts
        (CODE, UNCASED, "unused_rows_averaged", None, ROWS_AVERAGED),
        (CODE, None, "removed_components_released", None, COMPONENTS_REMOVED),
    ]
    frame = pd.DataFrame(rows, columns=["artifact", "model", "measure", "word", "printed"])
    frame.insert(2, "family", frame["model"].notna().map({True: "masked", False: None}))
    return frame


if __name__ == "__main__":
    public().to_csv(FOLDER / "public.csv", index=False, lineterminator="\n")
