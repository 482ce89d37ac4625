"""Reads a model's token matrix from its file, without torch and without the model.

Row i of the matrix W is the vector with which token i enters the model. Where input and output are
tied, the last layer is compared with the same rows to predict the next or the hidden token.
"""

import functools
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from cwr.encoders import hub, tokenizer_file
from cwr.encoders.architectures import ARCHITECTURES, architecture_of
from cwr.encoders.configuration import is_elmo, is_tuned_for_sentences, read_config
from cwr.encoders.gguf_file import GGUFFile
from cwr.encoders.hub import ModelFolder
from cwr.encoders.pieces import refuse_ids_beyond
from cwr.encoders.tensors import TensorFiles
from cwr.encoders.token_kinds import BYTE_LEVEL, KINDS, blank, kinds
from cwr.errors import UserError, quoted

INPUTS = (  # what the token matrix is called, behind the prefix of a model
    "embeddings.word_embeddings.weight",  # BERT, RoBERTa, DeBERTa, ALBERT, ELECTRA, DistilBERT
    "embeddings.tok_embeddings.weight",  # ModernBERT
    "wte.weight",  # GPT-2
    "embed_tokens.weight",  # Llama, Mistral, Qwen, Phi, Gemma, OPT
    "embed_in.weight",  # GPT-NeoX
    "transformer.word_embeddings.weight",  # BLOOM, Falcon
)
OUTPUTS = (  # the matrix of the last layer
    "lm_head.weight",
    "generator_lm_head.weight",  # ELECTRA
    "vocab_projector.weight",  # DistilBERT
    "embed_out.weight",
    "decoder.weight",
)
HEADS = {  # of a type without a row in `architectures`: how the class that was saved is called
    "causal": ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration"),
    "masked": ("ForMaskedLM", "ForPreTraining"),
}
MOST_NAMED = 5  # names of tensors that an error repeats
TEXTS_AT_ONCE = 4096  # texts that are tokenised together; bounds the memory of a large corpus


@dataclass(frozen=True)
class Matrix:
    """The token matrix of a model and its vocabulary, read without opening the model.

    name, family: the same as those of the model's `Encoder`
    W: (rows, dim) float32, equal to the encoder's `embedding_matrix`
    tokens: the token of each row in the vocabulary's spelling; "" for a row without a token
    rows: (rows,) str, the kind of each row's token, one of `token_kinds.KINDS`
    contract: a phrase that names the tensor W was read from
    tokenizer: a tokenizer of the library tokenizers, without truncation and padding
    read_output: a function that reads the output matrix, see `output`
    """

    name: str
    family: str
    W: np.ndarray
    tokens: list[str]
    rows: np.ndarray
    contract: tuple[str]
    tokenizer: Tokenizer
    read_output: Callable[[], np.ndarray | None]
    n_layers: int = 0
    device: str = "cpu"

    @property
    def dim(self) -> int:
        """The length of a row."""
        return self.W.shape[1]

    @functools.cached_property
    def output(self) -> np.ndarray | None:
        """The matrix of the output layer, (rows, dim) float32, read on first access.

        None if the output matrix is W itself (tied), or if the file has no output layer.
        """
        return self.read_output()

    @functools.cached_property
    def fingerprint(self) -> str:
        """The sha256 over the numbers and the tokens."""
        digest = hashlib.sha256(self.W.tobytes())
        digest.update(json.dumps(self.tokens).encode())
        return digest.hexdigest()

    def is_row(self, *kinds: str) -> np.ndarray:
        """Tells whether rows are of these kinds, (rows,) bool; ValueError for an unknown kind."""
        unknown = set(kinds) - set(KINDS)
        if unknown:
            raise ValueError(
                f"there are no rows of the kind {sorted(unknown)[0]!r}; choose {KINDS}"
            )
        return np.isin(self.rows, kinds)

    def row_of(self, word: str, leading_space: bool = True) -> int | None:
        """Returns the row of a word that is exactly one token; None for other words.

        leading_space: True puts a blank before the word for byte-level BPE, as within a text; other
        tokenizers need none. The word is lower-cased if the vocabulary is.
        """
        ids = self._ids([f" {word}" if leading_space and self._is_byte_level else word])
        is_entry = len(ids) == 1 and self.rows[ids[0]] != "special"
        return int(ids[0]) if is_entry else None

    def count(self, texts: Sequence[str]) -> np.ndarray:
        """Counts each token in these texts, without special tokens, (rows,) int64.

        Raises UserError for a tokenizer with tokens that the matrix does not have.
        """
        total = np.zeros(len(self.W), np.int64)
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            ids = self._ids(texts[start : start + TEXTS_AT_ONCE])
            total += np.bincount(ids, minlength=len(total))
        return total

    @functools.cached_property
    def _is_byte_level(self) -> bool:
        return blank(self.tokens, self.tokenizer) == BYTE_LEVEL

    def _ids(self, texts: Sequence[str]) -> np.ndarray:
        """Returns the concatenated ids of texts. Raises UserError for an id without a row."""
        with tokenizer_file.that_may_panic():
            encodings = self.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        ids = np.concatenate([np.array(encoding.ids, np.int64) for encoding in encodings])
        refuse_ids_beyond(ids, len(self.W), self.name)
        return ids


def read(name: str, revision: str | None = None) -> Matrix:
    """Reads the token matrix of a model.

    name, revision: as in `cwr.encoders.load`, but any type of model is allowed. For a hub model
    only configuration, tokenizer and the file with the matrix are fetched.
    Raises UserError for a name as `load`, a model that reads words by their characters, a file that
    is missing, damaged or without a known token matrix, a matrix that is not finite or not
    two-dimensional, a folder without tokenizer.json, and a model that is neither masked nor causal.
    """
    source = hub.find(name, revision, weights=False, convert=False)
    if is_elmo(source.folder):
        raise UserError(
            f"{source.name} reads words by their characters and has no token matrix; choose a "
            "model with a vocabulary"
        )
    files = sorted(source.folder.glob("*.gguf")) if name in hub.PACKAGED else []
    return _from_gguf(files[0], source.name) if files else _from_safetensors(name, source)


def read_all(names: Sequence[str]) -> list[Matrix]:
    """Reads the token matrices of several models; returns a list.

    Raises UserError as `read`, and for two models with the same name, before any is read.
    """
    hub.refuse_namesakes(names)
    return [read(name) for name in names]


# ---- GGUF


def _from_gguf(path: Path, name: str) -> Matrix:
    file = GGUFFile(path)
    family = architecture_of({"model_type": file.field("general.architecture")}, name).family
    return _matrix(
        name,
        family,
        "token_embd.weight",
        file.tensor("token_embd.weight"),
        file.tokenizer(),
        file.roles(),
        lambda: file.tensor("output.weight"),
    )


# ---- safetensors


def _from_safetensors(name: str, source: ModelFolder) -> Matrix:
    folder, config = source.folder, read_config(source.folder, source.name)
    family = _family(folder, config, source.name)
    tokenizer = tokenizer_file.read(folder, source.name)

    def fetch(file: str) -> Path:
        """Fetches a file of the same commit, the name of the folder in the hub's cache."""
        return hub.find(name, folder.name, weights=[file], convert=False).folder / file

    files = TensorFiles(source.name, folder, fetch)
    tensor = _token_tensor(files, source.name)
    W = files.read(tensor)

    def output() -> np.ndarray | None:
        """Reads the output matrix; None if tied, by config.json or in fact, or absent."""
        tensors = [] if config.get("tie_word_embeddings") else files.named(OUTPUTS)
        matrix = files.read(tensors[0]) if tensors else None
        return None if matrix is None or np.array_equal(matrix, W) else matrix

    return _matrix(source.name, family, tensor, W, tokenizer, tokenizer_file.roles(folder), output)


def _token_tensor(files: TensorFiles, name: str) -> str:
    """Returns the name of the token matrix's tensor; UserError unless there is exactly one."""
    candidates = files.named(INPUTS)
    if len(candidates) == 1:
        return candidates[0]
    seen = candidates or sorted(files)[:MOST_NAMED]
    raise UserError(
        f"the safetensors of {name} hold {len(candidates)} tensors that are called like a token "
        f"matrix (there are: {', '.join(seen)}); cwr knows one that ends in {' or '.join(INPUTS)}"
    )


def _family(folder: Path, config: dict, name: str) -> str:
    """Returns the family, even of types that cwr cannot read; UserError if it is unknown."""
    if is_tuned_for_sentences(folder):
        return "sentence"
    if str(config.get("model_type")) in ARCHITECTURES:
        return architecture_of(config, name).family
    saved = str(config.get("architectures"))
    for family, heads in HEADS.items():
        if any(head in saved for head in heads):
            return family
    raise UserError(
        f"the config.json of {name} does not tell whether it is masked or causal (its architectures "
        f"are {quoted(saved)}); choose a model that was saved with its head"
    )


# ---- both


def _matrix(
    name: str,
    family: str,
    tensor: str,
    W: np.ndarray,
    tokenizer: Tokenizer,
    roles: set[str],
    output: Callable[[], np.ndarray | None],
) -> Matrix:
    """Builds a checked matrix with its vocabulary.

    Raises UserError for a tensor that is not two-dimensional, empty, or not finite.
    """
    if W.ndim != 2 or not W.size:
        raise UserError(
            f"{tensor} of {name} has the shape {W.shape}, which is no matrix of tokens and "
            "dimensions; get a sound copy"
        )
    if not np.isfinite(W).all():
        row = int(np.flatnonzero(~np.isfinite(W).all(axis=1))[0])
        raise UserError(
            f"row {row} of {tensor} of {name} has values that are no finite numbers; get a sound "
            "copy"
        )
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokens = _tokens(tokenizer, len(W))
    rows = kinds(tokens, tokenizer, roles)
    contract = (f"input: tokens ({tensor})",)
    return Matrix(name, family, W, tokens, rows, contract, tokenizer, output)


def _tokens(tokenizer: Tokenizer, n_rows: int) -> list[str]:
    """Returns the token of each row; "" for none. Tokens beyond the matrix have no row."""
    tokens = [""] * n_rows
    for token, row in tokenizer.get_vocab().items():
        if row < n_rows:
            tokens[row] = token
    return tokens
