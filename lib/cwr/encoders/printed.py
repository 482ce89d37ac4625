"""Lists hub checkpoints of models for which the papers print numbers. Imports nothing heavy."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Printed:
    """A model for which a paper prints numbers.

    name: the model's name in the papers' tables, and so in results and claims
    tensor: the name of its token matrix in model.safetensors
    """

    name: str
    tensor: str


_BERT = "bert.embeddings.word_embeddings.weight"
_ROBERTA = "roberta.embeddings.word_embeddings.weight"
_GPT_2 = "wte.weight"

PRINTED = {  # by hub id; Biś et al. (2021), Table 1
    "google-bert/bert-base-uncased": Printed("BERT-base-uncased", _BERT),
    "google-bert/bert-base-cased": Printed("BERT-base-cased", _BERT),
    "google-bert/bert-large-uncased": Printed("BERT-large-uncased", _BERT),
    "google-bert/bert-large-cased": Printed("BERT-large-cased", _BERT),
    "FacebookAI/roberta-base": Printed("RoBERTa-base", _ROBERTA),
    "FacebookAI/roberta-large": Printed("RoBERTa-large", _ROBERTA),
    "openai-community/gpt2": Printed("GPT-2-small", _GPT_2),
    "openai-community/gpt2-medium": Printed("GPT-2-medium", _GPT_2),
}


def name_of(hub_id: str) -> str:
    """Returns a hub model's name in results: the papers' name, else the hub id."""
    return PRINTED[hub_id].name if hub_id in PRINTED else hub_id
