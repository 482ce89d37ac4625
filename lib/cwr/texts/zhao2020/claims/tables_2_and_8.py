"""Claims of Zhao et al. (2020) about Tables 1, 2 and 8, and about counts in the text.

D = draws
"""

from dataclasses import replace

import numpy as np

from cwr.papers.claims import Claim, Needs
from cwr.papers.predicates import above, every, near
from cwr.tables import Table
from cwr.texts.zhao2020.claims.readings import (
    PARTS,
    UNITS,
    WITH_STATIC,
    annotated_tokens,
    per_class,
    printed_contexts,
    probe_parameters,
    released_contexts,
    table_2,
)

NEIGHBOURS = "suit_neighbours_shared"


def of_counts(*measures: str, datasets: tuple[str, ...] = ()) -> Needs:
    """Returns the `Needs` of a claim about counts, which are of no model."""
    return Needs(measures=measures, families=(), compares=True, datasets=datasets)


def classes_add_up(table: Table) -> np.ndarray:
    """Tests whether in each split and unit the classes of Table 8 add up to Table 2's number."""
    columns = [(split, unit) for split in PARTS for unit in UNITS]
    sums = [per_class(table, unit, split)[1].sum(axis=1) for split, unit in columns]
    printed = [table_2(table, unit, split) for split, unit in columns]
    differences = np.stack(sums, axis=1) - np.stack(printed, axis=1)
    names = [f"{split} {unit}, sum minus Table 2" for split, unit in columns]
    return every(table, differences == 0, names, differences)


def probe_size_follows(table: Table) -> np.ndarray:
    """Tests whether the printed parameters are those of a hidden layer and two outputs a class."""
    difference = probe_parameters(table) - table.value("probe_parameters")
    return near(table, difference, 0, 0, "computed minus printed")


def france_is_counted(table: Table) -> np.ndarray:
    """Tests whether France as a location has as many contexts as the released list counts."""
    difference = released_contexts(table, "france", "location") - printed_contexts(table, "france")
    return near(table, difference, 0, 0, "released minus printed")


def more_than_17_million(table: Table) -> np.ndarray:
    """Tests whether the released frequencies add up to more than 17 million."""
    return above(table, annotated_tokens(table), 17e6, "annotated tokens")


def airheads_needs_half(table: Table) -> np.ndarray:
    """Tests whether Airheads as art has the contexts of the released list, and needs half."""
    contexts = printed_contexts(table, "airheads")
    difference = released_contexts(table, "airheads", "art") - contexts
    needed = table.value("pair_contexts_needed") - np.ceil(contexts / 2)
    counted = near(table, difference, 0, 0, "released minus printed")
    return counted & near(table, needed, 0, 0, "printed need minus half, rounded up")


def neighbours_are_shared(table: Table, least: int = 4) -> np.ndarray:
    """Tests whether each matrix shares at least `least` of the 7 printed neighbours of "suit"."""
    matrices, shared = table.over("model", NEIGHBOURS)
    return every(table, shared >= least, matrices, shared)


COUNTS = [
    Claim(
        id="zha-t2-t8",
        place="Tables 2 and 8",
        says="The classes of Table 8 add up to Table 2.",
        needs=of_counts(
            "probing_pairs",
            "probing_contexts",
            datasets=("Wiki-PSE train", "Wiki-PSE dev", "Wiki-PSE test"),
        ),
        holds=classes_add_up,
        tolerance="all six sums agree exactly",
    ),
    Claim(
        id="zha-params",
        place="A.2",
        says="The probes have 26,843,204 parameters.",
        needs=of_counts("probe_parameters", "probe_hidden_units", "probing_classes"),
        holds=probe_size_follows,
        tolerance="34 (769 x 1024 + 1025 x 2) is exactly this number",
        because="By this formula a probe has one hidden layer with biases, and two outputs.",
    ),
    Claim(
        id="zha-france",
        place="section 3.1",
        says="The word France, as a location, has 98,582 contexts.",
        needs=of_counts("pair_contexts", "released_frequency", datasets=("Wiki-PSE",)),
        holds=france_is_counted,
        tolerance="the released list has exactly this number",
    ),
    Claim(
        id="zha-17m",
        place="section 3.1",
        says="More than 17 million tokens are annotated.",
        needs=of_counts("released_tokens", datasets=("Wiki-PSE train", "Wiki-PSE test")),
        holds=more_than_17_million,
        tolerance="the sum of the released frequencies exceeds this number",
    ),
    Claim(
        id="zha-airheads",
        place="section 3.2.2",
        says="The word Airheads, as art, has 47 contexts, of which 24 must be right.",
        needs=of_counts(
            "pair_contexts", "pair_contexts_needed", "released_frequency", datasets=("Wiki-PSE",)
        ),
        holds=airheads_needs_half,
        tolerance="the released list has exactly 47, and half of them, rounded up, is 24",
    ),
    Claim(
        id="zha-suit-neighbours",
        place="Table 1",
        says=(
            'At least four of the seven nearest words to "suit" in each matrix are those that '
            "the paper prints."
        ),
        needs=Needs(measures=(NEIGHBOURS,), families=WITH_STATIC, compares=True, models=("GloVe",)),
        holds=neighbours_are_shared,
        tolerance="at least {least} of 7 words are shared with the printed lists",
        because=(
            "In both matrices the printed lists mix law and clothes, which is the paper's point."
        ),
        unprinted="a test needs the two matrices",
    ),
]
COUNTS = [replace(each, general="It is about the paper's own tables.") for each in COUNTS]
