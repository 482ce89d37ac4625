"""Reads the tables of Zhao et al. (2020) into arrays.

Blocks are counted from 0, as in the paper: block 0 is the book's layer 1, the output of the first
block. The input of that block, our layer 0, was never probed and is left out. A verdict names the
layers of the paper's model by the paper's numbers, those of all other models by the book's.

The paper does not say what F1 on contexts counts; `cwr.measures.probing` has three readings,
"full", "pairs" and "words". On our models a reading is the `estimator` of a row, never a variant,
so that all three stand in one table, and a claim reads the rows of one (`f1_readings`). The printed
numbers have no estimator and are read as they are. Vectors of words (TYPE, MATRIX, STATIC) have one
F1, over all words and classes (section 3.2.1), and no estimator.

After fine-tuning, the `task` of a row is that of the tuning. A row is of the model after all its
updates; scores of earlier snapshots are other measures.

    D = draws, B = blocks, N = spaces, K = context sizes, C = classes
"""

from itertools import product

import numpy as np
import pandas as pd

from cwr.tables import Missing, Table, spelled

BERT = "BERT-base-uncased"  # the paper's model
LEVEL = (
    "A level belongs to one model, one corpus and one scale of scores. It does not say what other "
    "models should reach."
)
# One vector a word (Figure 3): AVG-BERT, the word-piece matrix (BERTw), static vectors.
TYPE, TYPE_DEV = "type_probe_f1", "type_probe_f1_dev"
TYPE_SEEDS = "type_probe_f1_seed_mean"  # of five seeds (caption of Table 5)
MATRIX, STATIC = "matrix_probe_f1", "static_probe_f1"
# One vector a context (Figure 4): BERT; means over the sentence, of word pieces or static vectors.
TOKEN, TOKEN_DEV = "token_probe_f1", "token_probe_f1_dev"
BAG, BAG_DEV, STATIC_BAG = "bag_probe_f1", "bag_probe_f1_dev", "static_bag_probe_f1"
CONTEXT_ALONE = "context_alone_probe_f1"  # ours: the target's words are replaced by one mask
# The context cut to k words a side (Figure 5), and what those dev words allow without context.
WINDOW, BAG_WINDOW = "window_probe_f1_dev", "bag_window_probe_f1_dev"
CEILING = "context_free_ceiling_dev"
# Before fine-tuning, on the contexts that are probed after it, and after it (Figures 6 and 7,
# Tables 3 and 7), a row a task.
BEFORE = "pretrained_probe_f1_dev"
OLD, NEW = "old_probe_f1_dev", "new_probe_f1_dev"  # set-ups (a) and (b)
ATTENTION = "attention_cosine"  # of a layer and head, before and after
SCORE, BAND = "finetuning_dev_score", "banded_tagging_accuracy"
BAND_EACH = "banded_tagging_accuracy_of_each"  # ours: of each training of a tagger
DEVLIN_SCORE = "finetuning_dev_score_devlin2019"
# F1 of probes on contexts, which has the three readings.
OF_CONTEXTS = (
    *(TOKEN, TOKEN_DEV, CONTEXT_ALONE, BAG, BAG_DEV, STATIC_BAG),
    *(WINDOW, BAG_WINDOW, BEFORE, OLD, NEW),
)

# What a task labels: each word of a sentence, or a sentence (a pair of them) as a whole.
WORD_TASKS, SENTENCE_TASKS = ("pos", "ner"), ("sst2", "mrpc", "relation")
TASKS = (*WORD_TASKS, *SENTENCE_TASKS)
TAGGING = "pos"
PAPER_TASKS = ("pos", "ner", "sst2", "mrpc")  # of Figure 6
DEV_ITEMS = {"sst2": 872, "mrpc": 408}  # of the GLUE dev sets

RANDOM = "Rand"  # random vectors
TRAINED_ELSEWHERE = ("GloVe", "fastText", "cwr-static")  # not on the probing corpus, as PSE is
MASKED = ("masked",)
WITH_STATIC = ("masked", "static")
ENCODERS = ("bilstm", "masked", "causal", "sentence")
ANY_ENCODER = {"families": ("static",), "compares": True, "beside": ENCODERS}  # of `General`

SEED_NOISE = 0.002  # twice the printed sd over seeds: a tie
UNBANDED = "All"  # Table 7's column without a band
WHOLE = "total"  # Table 8's row of sums
LAST_ENTRY = "last of repeated entries"  # counts by a loader that does not add
SPLITS = {"train": ("train", "dev"), "test": ("test",)}  # dev is cut out of the released train
PARTS = ("train", "dev", "test")  # of the probing data
UNITS = ("pairs", "contexts")
NAMED_PAIRS = {"france": "location", "airheads": "art"}  # whose contexts the text counts
CLASSES = 34  # section 3.1
DIM, OUTPUTS = 768, 2  # of BERT-base and of a probe (A.2)


# ---- blocks


def blocks(
    table: Table,
    measure: str,
    at_least: int = 1,
    from_first: bool = True,
    **keys: object,
) -> np.ndarray:
    """Reads a measure of one model in the outputs of its blocks, (D, B).

    from_first: whether the blocks must begin with the first (every fifth block: with the fifth).
    keys: of the rows to read, for instance `task`.
    Raises Missing for fewer blocks than `at_least`, and where a block between them is missing.
    """
    refuse_gaps(table.layers(measure, first=1, **keys), measure, at_least, from_first)
    return table.curve(measure, first=1, **keys)


def refuse_gaps(layers: np.ndarray, measure: str, at_least: int, from_first: bool = True) -> None:
    """Raises Missing for fewer than `at_least` layers (B), and where they are not evenly spaced."""
    name = spelled(measure)
    if len(layers) < at_least:
        raise Missing(f"{name} of at least {at_least} blocks; there are {len(layers)}")
    distances = np.diff(layers, prepend=0) if from_first else np.diff(layers)
    if len(set(distances)) > 1:
        shown = ", ".join(f"{layer:g}" for layer in layers)
        raise Missing(f"{name} of every block; there are those of layers {shown}")


def block_numbers(table: Table, measure: str) -> np.ndarray:
    """Lists the numbers of the blocks: the paper's for its own model, from 0, else the book's layers."""
    layers = table.layers(measure, first=1)
    is_printed = table.where(measure=measure).models == [BERT]
    return layers - 1 if is_printed else layers


def block_names(table: Table, measure: str) -> list[str]:
    """Returns the names of `blocks`: the first is "layer 0" of the paper, "layer 1" of our models."""
    return [f"layer {number}" for number in block_numbers(table, measure)]


def step_names(table: Table, measure: str) -> list[str]:
    """Returns the names of the steps from block to block: "layer 0 to 1" is the paper's first."""
    numbers = block_numbers(table, measure)
    return [f"layer {low} to {high}" for low, high in zip(numbers[:-1], numbers[1:], strict=True)]


class Depth(float):
    """A share of the way from the first block to the last."""

    @property
    def layer(self) -> float:
        """Returns the share's place among the paper's layers, which are 0 to 11."""
        return self * 11


def at_depth(scores: np.ndarray, depth: float) -> np.ndarray:
    """Interpolates scores (D, B) at a share of the way from the first block to the last, (D,).

    The interpolation is linear, so that a half of three steps is one and a half.
    """
    place = depth * (scores.shape[1] - 1)
    low = int(place)
    high = min(low + 1, scores.shape[1] - 1)
    return scores[:, low] + (place - low) * (scores[:, high] - scores[:, low])


def lower_half(scores: np.ndarray) -> np.ndarray:
    """Selects the scores (D, B) of the lower half of the blocks, at least one."""
    return scores[:, : max(1, scores.shape[1] // 2)]


def top_sixth(scores: np.ndarray) -> int:
    """Returns how many blocks of scores (D, B) the top sixth of the depth has, at least one."""
    return max(1, scores.shape[1] // 6)


# ---- spaces


def static_scores(
    table: Table, measure: str, model: str | tuple[str, ...] = TRAINED_ELSEWHERE
) -> tuple[list[str], np.ndarray]:
    """Reads static spaces trained on other text than the probing corpus: names (N), scores (D, N).

    model: the spaces to read. Raises Missing, with their names, where none of them is there.
    """
    return table.over("model", measure, at_least=1, model=model)


# ---- the context cut to k words a side


def at_size(sizes: np.ndarray, scores: np.ndarray, k: float) -> np.ndarray:
    """Selects scores (..., K) at k words a side, (...). Raises Missing if that size was not run."""
    if k not in sizes:
        raise Missing(f"scores at {k:g} words a side")
    return scores[..., sizes == k][..., 0]


# ---- after fine-tuning


def tasks_at_hand(table: Table, measure: str, tasks: tuple[str, ...] = TASKS) -> list[str]:
    """Selects tasks after which a measure was taken. Raises Missing, with their names, for none."""
    rows = table.where(measure=measure, task=tasks).rows
    names = [task for task in tasks if task in rows.distinct("task")]
    if not names:
        raise Missing(f"{spelled(measure)} of {' or '.join(tasks)}")
    return names


def pairs_of_tasks(
    table: Table, measure: str, tasks: tuple[str, ...] = TASKS
) -> list[tuple[str, str]]:
    """Pairs every task about words with every one about sentences, of those that are there (P).

    Raises Missing where there is none about words, or none about sentences.
    """
    words, sentences = (
        tasks_at_hand(table, measure, tuple(task for task in kind if task in tasks))
        for kind in (WORD_TASKS, SENTENCE_TASKS)
    )
    return list(product(words, sentences))


def drops(table: Table, measure: str, task: str, at_least: int = 1) -> np.ndarray:
    """Computes the loss by tuning on a task in each block, dev F1 before minus after, (D, B).

    measure: OLD or NEW probes.
    Raises Missing where the two have different blocks, or fewer than `at_least`.
    """
    after = blocks(table, measure, at_least, task=task)
    before = blocks(table, BEFORE, at_least)
    layers = table.layers(BEFORE, first=1)
    if not np.array_equal(layers, table.layers(measure, first=1, task=task)):
        names = spelled(measure), spelled(BEFORE)
        raise Missing(f"{names[0]} ({task}) in the layers of {names[1]}")
    return before - after


def last_score(table: Table) -> np.ndarray:
    """Reads dev F1 of the last block before tuning, (D,): the paper prints this block alone."""
    return table.curve(BEFORE, first=1)[:, -1]


def last_drop(table: Table, measure: str, task: str) -> np.ndarray:
    """Computes the loss by tuning on a task in the last block, (D,).

    Raises Missing without a score of the last block after tuning.
    """
    last = int(table.layers(BEFORE, first=1)[-1])
    return last_score(table) - table.value(measure, layer=last, task=task)


def score_difference(table: Table, task: str) -> np.ndarray:
    """Subtracts the dev score of Devlin et al. (Table 3) from that after tuning, (D,)."""
    return table.value(SCORE, task=task) - table.value(DEVLIN_SCORE, task=task)


def standard_error(table: Table, task: str) -> np.ndarray:
    """Computes the standard error of an accuracy on the dev set of a task of DEV_ITEMS, (D,).

    Undefined in draws where the accuracy is not between 0 and 1.
    """
    accuracy = table.value(SCORE, task=task)
    variance = accuracy * (1 - accuracy) / DEV_ITEMS[task]
    table.undefined(variance <= 0, f"the accuracy on {task} has no standard error")
    return np.sqrt(np.maximum(variance, 0))


def band_losses(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Reads the reach of attention, words a side, ascending, (K,), and accuracy lost, (D, K).

    Table 7, on TAGGING. Raises Missing where there is no accuracy without a band.
    """
    labels, accuracies = table.where(not_k=UNBANDED).over("k", BAND, task=TAGGING)
    sizes = np.array(labels, dtype=float)
    order = np.argsort(sizes)
    without = table.value(BAND, k=UNBANDED, task=TAGGING)
    return sizes[order], without[:, None] - accuracies[:, order]


# ---- counts of the probing data


def per_class(
    table: Table, unit: str, split: str, released: bool = False
) -> tuple[list[str], np.ndarray]:
    """Reads pairs or contexts of each class, from Table 8 or from the released lists.

    unit: of UNITS. Returns the classes (C) and their counts (D, C).
    Raises Missing for fewer than the paper's 34 classes.
    """
    measure = f"{'released' if released else 'probing'}_{unit}"
    rows = table.where(not_class=WHOLE, not_variant=LAST_ENTRY)
    return rows.over("class", measure, at_least=CLASSES, dataset=f"Wiki-PSE {split}")


def table_8_total(table: Table, unit: str, split: str) -> np.ndarray:
    """Reads Table 8's own sum of pairs or contexts in a split, (D,)."""
    return table.value(f"probing_{unit}", dataset=f"Wiki-PSE {split}", **{"class": WHOLE})


def table_2(table: Table, unit: str, split: str) -> np.ndarray:
    """Reads Table 2's number of words, pairs or contexts in a split, (D,)."""
    without_class = table.at(~table.rows.has("class"))
    return without_class.value(f"probing_{unit}", dataset=f"Wiki-PSE {split}")


def probe_parameters(table: Table) -> np.ndarray:
    """Counts the parameters of all probes, (D,): per class a hidden layer and two outputs."""
    hidden = table.value("probe_hidden_units")
    return table.value("probing_classes") * ((DIM + 1) * hidden + (hidden + 1) * OUTPUTS)


def annotated_tokens(table: Table) -> np.ndarray:
    """Adds up the released numbers of labelled occurrences, of train and of test words, (D,)."""
    return table.over("dataset", "released_tokens")[1].sum(axis=1)


def printed_contexts(table: Table, word: str) -> np.ndarray:
    """Reads the contexts of the pair that the text counts for a word, (D,)."""
    return table.value("pair_contexts", word=f"@{word}@")


def released_contexts(table: Table, word: str, name: str) -> np.ndarray:
    """Reads how often the released lists count a word with a class, (D,)."""
    return table.value("released_frequency", word=f"@{word}@", **{"class": name})


# ---- as frames, for the checks and the notebook


def class_sums(published: pd.DataFrame) -> pd.DataFrame:
    """Tabulates six sums of Table 8 (`computed`), its row `total`, and Table 2 (`printed`)."""
    table = Table(published)
    columns = [(split, unit) for split in PARTS for unit in UNITS]
    rows = {
        f"{split} {unit}": {
            "printed": table_2(table, unit, split)[0],
            "total": table_8_total(table, unit, split)[0],
            "computed": per_class(table, unit, split)[1][0].sum(),
        }
        for split, unit in columns
    }
    return pd.DataFrame(rows).T


def with_release(
    published: pd.DataFrame, unit: str, split: str, empty_name: bool = True
) -> pd.DataFrame:
    """Compares Table 8 (`printed`) with the released list (`computed`), per class, (C, 2).

    split: of SPLITS; the printed train and dev together are the released training words.
    empty_name: keep the training word "@@", whose name is empty; it has 19 classes.
    """
    table = Table(published)
    printed = sum(_counts(table, unit, name) for name in SPLITS[split])
    computed = _counts(table, unit, split, released=True)
    if split == "train" and not empty_name:
        classes, contexts = table.over("class", "released_contexts_of_the_empty_name")
        rows = pd.Series(contexts[0], classes)
        computed = computed.sub(rows.clip(upper=1) if unit == "pairs" else rows, fill_value=0)
    return pd.DataFrame({"printed": printed, "computed": computed})


def _counts(table: Table, unit: str, split: str, released: bool = False) -> pd.Series:
    classes, counts = per_class(table, unit, split, released)
    return pd.Series(counts[0], pd.Index(classes, name="class"))


def named_pairs(published: pd.DataFrame) -> pd.DataFrame:
    """Returns the contexts of the pairs that the text names, printed and released."""
    table = Table(published)
    rows = {
        f"@{word}@-{name}": {
            "printed": printed_contexts(table, word)[0],
            "computed": released_contexts(table, word, name)[0],
        }
        for word, name in NAMED_PAIRS.items()
    }
    return pd.DataFrame(rows).T
