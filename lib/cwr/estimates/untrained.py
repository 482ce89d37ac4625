"""Makes untrained copies of models, and computes estimates on them as controls.

There are two kinds, with several seeds each: weights as training begins, and the trained input
under random orthonormal blocks (`encoders.load`, random_init). A copy's rows stand under the name
of its trained model, with the kind as `variant` and its seed; `report.untrained` judges both.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cwr import encoders
from cwr.corpora import Corpus
from cwr.estimates import samples
from cwr.estimates.samples import Samples
from cwr.tables import UNTRAINED

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

RANDOM_INIT = dict(zip(UNTRAINED, (True, "blocks"), strict=True))  # variant: `encoders.load`'s word
Estimate = Callable[["Encoder", Samples], list[dict]]


@dataclass(frozen=True)
class Copy:
    """An untrained copy of a model, and its samples of a corpus.

    encoder: under the name of the trained model. variant: the kind, one of `cwr.tables.UNTRAINED`.
    seed: for the copy's weights.
    """

    encoder: "Encoder"
    variant: str
    seed: int
    samples: Samples


def copies(
    models: Sequence[str],
    corpus: Corpus,
    seeds: int,
    without: Sequence[str] = (),
    *,
    final_norm: bool = True,
    **options,
) -> Iterator[Copy]:
    """Yields each untrained copy of these models with its samples of a corpus, one at a time.

    models, final_norm: as in `encoders.load`. seeds: how many copies of each kind; 0: none.
        without: models that are not copied. options: passed to `samples.extract`, as for the
        trained models.
    """
    for encoder, marks in loaded(models, seeds, without, final_norm=final_norm):
        extracted = samples.extract(encoder, corpus, **options)
        yield Copy(encoder, marks["variant"], marks["seed"], extracted)


def loaded(
    models: Sequence[str], seeds: int, without: Sequence[str] = (), *, final_norm: bool = True
) -> Iterator[tuple["Encoder", dict]]:
    """Yields each untrained copy of these models, one at a time, with its `variant` and `seed`.

    Arguments as in `copies`.
    """
    left_out = set(map(encoders.called, without))
    for name in models:
        if encoders.called(name) in left_out:
            continue
        for variant, random_init in RANDOM_INIT.items():
            for seed in range(seeds):
                encoder = encoders.load(
                    name, random_init=random_init, seed=seed, final_norm=final_norm
                )
                yield encoder, {"variant": variant, "seed": seed}


def rows(of_copies: Iterator[Copy], estimate: Estimate) -> list[dict]:
    """Computes an estimate on each copy, as rows with the copy's kind (`variant`) and seed.

    estimate: a function of an encoder and its samples that returns rows, as for a trained model.
    """
    marked = []
    for copy in of_copies:
        marks = {"variant": copy.variant, "seed": copy.seed}
        marked += [{**row, **marks} for row in estimate(copy.encoder, copy.samples)]
    return marked
