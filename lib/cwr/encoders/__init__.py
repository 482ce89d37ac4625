"""Gives one interface to every model whose layers the book reads. `load` opens a model."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

Named = TypeVar("Named")  # an encoder, a token matrix: what has the `name` of its model


def load(
    name: str,
    *,
    device: str = "auto",
    dtype: str = "float32",
    revision: str | None = None,
    random_init: bool | Literal["blocks"] = False,
    seed: int = 0,
    final_norm: bool = True,
) -> "Encoder":
    """Opens a model for reading its layers.

    name: a shipped model ("cwr-elmo", "cwr-bert", "cwr-gpt"), a packaged one ("minilm", "smollm2"),
        a folder saved in Hugging Face's form, a folder with an ELMo's options.json and
        weights.hdf5, or a hub id, also "id@revision". Weights are read from safetensors (an ELMo's
        from HDF5) only, and no code that comes with a model is ever run.
    device: "cpu", "cuda", "cuda:1", ...; "auto" takes the environment variable DEVICE if it is set,
        else a GPU if there is one, else the CPU.
    dtype: "float32", "bfloat16" or "float16": the model's number format (an ELMo's is float32
        only); vectors are always returned as float32.
    revision: branch, tag or commit of a hub model.
    random_init: True gives the same architecture with untrained weights; "blocks" gives the trained
        input (layer 0) under random orthonormal blocks (`random_blocks`).
    seed: the seed of random weights; ignored without random_init.
    final_norm: whether the last layer is taken after the model's final norm, if it has one
        (see `Encoder.contract`).

    Results name a folder by the last part of its path. A folder named as a model of the book
    gets "folder" in front; characters that are special in HTML or a shell become "_". Raises
    UserError for an unknown name, a model type without a row in `architectures`, sizes that no
    model has, a model that lacks a fast tokenizer, vocabulary or safetensors, weights that are
    missing, left over or not finite, a model that cannot read a plain English sentence, a hub model
    out of reach, a device, dtype or random_init that cannot be used, and files of an ELMo that are
    damaged or do not fit together.
    """
    # in the function, because torch and transformers take seconds to import
    from cwr.encoders.hub import find
    from cwr.encoders.loading import open_encoder

    source = find(name, revision, weights=random_init is not True)
    return open_encoder(
        source,
        device=device,
        dtype=dtype,
        random_init=random_init,
        seed=seed,
        final_norm=final_norm,
    )


def called(name: str) -> str:
    """Returns the name that a model has in results, without opening or fetching the model.

    name: as for `load`. A folder has the last part of its path as its name, and a hub id its own
    text without the revision. A model of a paper's tables has the name that the paper uses.
    Raises UserError for a text that cannot name a model.
    """
    from cwr.encoders import hub

    return hub.results_name(name)


def load_all(names: Sequence[str], **settings: Any) -> "list[Encoder]":
    """Opens several models; returns a list. settings: as in `load`.

    Raises UserError as `load`, and for two models with the same name, before any is opened.
    """
    from cwr.encoders.hub import refuse_namesakes

    refuse_namesakes(names)
    return [load(name, **settings) for name in names]


def among(opened: "Iterable[Named]", names: Iterable[str]) -> "list[Named]":
    """Selects the encoders or matrices of the named models, in the order of `opened`.

    names: as `load` takes them; a folder's path and its name in results mean the same model.
    Raises UserError as `called`.
    """
    wanted = set(map(called, names))
    return [each for each in opened if each.name in wanted]
