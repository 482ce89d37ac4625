"""Encoders: one interface to every model whose layers the book reads. `load` opens one by name."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder


def load(name: str, *, device: str = "auto", dtype: str = "float32", revision: str | None = None,
         random_init: bool = False, final_norm: bool = True) -> "Encoder":
    """Open a model for reading its layers.

    name: a shipped model ("cwr-elmo", "cwr-bert", "cwr-gpt"), a packaged one ("minilm", "smollm2"), a folder
        with a model saved in Hugging Face's form, a folder with an ELMo's options.json and weights.hdf5, or a hub
        id, also "id@revision". Weights are read from
        safetensors (an ELMo's from HDF5) only, and no code that comes with a model is ever run.
    device: "cpu", "cuda", "cuda:1", ...; "auto" takes the environment variable DEVICE if it is set, else a
        GPU if there is one, else the CPU.
    dtype: "float32", "bfloat16" or "float16": what the model computes in (an ELMo in float32 only);
        vectors always come out as float32.
    revision: branch, tag or commit of a hub model.
    random_init: the same architecture with random weights from a fixed seed instead of the trained ones.
    final_norm: whether the last layer is taken after the model's final norm, if it has one
        (see `Encoder.contract`).

    Refuses with one sentence (`UserError`): an unknown name, a model type without a row in `architectures`,
    a model without fast tokenizer, without safetensors, with weights missing, a hub model out of reach, and
    files of an ELMo that are damaged or do not fit together.
    """
    from cwr.encoders import opening, places  # torch and transformers take seconds to import

    place = places.find(name, revision, weights=not random_init)
    return opening.open_encoder(place, device=device, dtype=dtype, random_init=random_init,
                                final_norm=final_norm)
