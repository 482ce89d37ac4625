"""ELMo (Peters et al. 2018) in plain PyTorch, from the files that bilm-tf and AllenNLP write.

`ELMo.from_files` opens one. `files` reads options.json and weights.hdf5; `character_cnn` and
`layers` are parts of the network, which `model` joins; `encoder` gives its layers the interface of
`Encoder`.
"""

from cwr.encoders.elmo.model import ELMo

__all__ = ["ELMo"]
