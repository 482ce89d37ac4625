"""Scores of structural probes: sums over sentences by hand, draws of documents, the choice of a layer
on other folds; and the answers that need no vectors.
"""

import itertools

import numpy as np
import pytest

from cwr import corpora
from cwr.errors import UserError
from cwr.measures import structural as measures
from cwr.measures.trees import ROOT, depths, refuse_no_tree, tree_distances
from cwr.texts.survey import structural_probes, treebanks
from cwr.texts.survey.structural_probes import Score
from cwr.texts.survey.treebanks import Treebank, TreePredictions

HEADS = [
    [1, 2, ROOT, 4, 2, 2],  # the dog saw a cat .
    [1, ROOT, 1, 1, 3, 1],  # he gave up on it .
    [ROOT, 0],  # stop .
    [1, ROOT, 4, 4, 1],  # we like the red one
]
KEEP = [[True] * 5 + [False], [True] * 5 + [False], [True, False], [True] * 5]


def small(unit=(0, 0, 1, 2), fold=(0, 0, 1, 1)) -> Treebank:
    return Treebank(
        HEADS,
        [np.array(keep) for keep in KEEP],
        [tuple("abcdef"[: len(heads)]) for heads in HEADS],
        [["VERB" if head == ROOT else "NOUN" for head in heads] for heads in HEADS],
        np.array(unit),
        np.array(fold),
    )


def stacked(*parts: TreePredictions) -> TreePredictions:
    """Several answers as inputs of one."""
    lists = [zip(*(getattr(part, name) for part in parts), strict=True) for name in FIELDS]
    return TreePredictions(*([np.concatenate(of) for of in name] for name in lists))


FIELDS = ("distances", "depths")


def gold(trees: Treebank) -> TreePredictions:
    return TreePredictions(
        [tree_distances(heads)[None] for heads in trees.heads],
        [depths(heads)[None] for heads in trees.heads],
    )


# ---- scores


def test_scores_are_sums_over_sentences_not_means():
    trees = small()
    both = stacked(gold(trees), treebanks.chain(trees))
    scores = structural_probes.scores(trees, both)
    once = np.ones((1, 3))
    assert scores["uuas_percent"].values(once)[0] == pytest.approx([100, 100 * 8 / 12])
    assert scores["root_percent"].values(once)[0] == pytest.approx([100, 100 * 1 / 4])
    assert scores["dspr_full"].values(once)[0, 0] == scores["nspr"].values(once)[0, 0] == 1


def test_correlations_are_means_over_lengths():
    trees = small()
    chain = treebanks.chain(trees)
    rows = [
        measures.distance_correlations(distances, heads)[0]
        for distances, heads in zip(chain.distances, HEADS, strict=True)
    ]
    of_six, of_five = (
        np.concatenate(rows[:2]).mean(),
        rows[3].mean(),
    )  # two words are too few
    score = structural_probes.scores(trees, chain)["dspr_full"]
    assert score.values(np.ones((1, 3)))[0, 0] == pytest.approx((of_six + of_five) / 2)
    assert structural_probes.undefined_share(score, trees) == pytest.approx(0)


def test_a_document_that_is_drawn_twice_counts_twice():
    trees = small()
    score = structural_probes.scores(trees, treebanks.chain(trees))["uuas_percent"]
    doubled = score.values(np.array([[2.0, 0, 1]]))[0, 0]
    common = [
        measures.uuas(d[0], h, k)[0]
        for d, h, k in zip(treebanks.chain(trees).distances, HEADS, KEEP, strict=True)
    ]
    assert doubled == pytest.approx(100 * (2 * (common[0] + common[1]) + common[3]) / 20)


def test_distances_alone_have_no_depths():
    trees = small()
    alone = TreePredictions(gold(trees).distances, [None] * 4)
    scores = structural_probes.scores(trees, alone)
    assert scores["uuas_percent"].values(np.ones((1, 3)))[0, 0] == 100
    assert np.isnan(scores["root_percent"].values(np.ones((1, 3)))).all()


# ---- the best layer, on other folds


def of_folds(*shares: tuple[float, float]) -> Score:
    """A share of 100 edges for each input and fold; two documents a fold."""
    sums = np.repeat(np.array(shares, dtype=float), 2, axis=1)[:, :, None] * 50
    return Score(sums, np.full_like(sums, 50), np.array([0, 0, 1, 1]), True)


def test_a_layer_is_scored_where_it_was_not_chosen():
    score = of_folds((0.9, 0.1), (0.2, 0.8))  # each input is best in one fold
    value, best = score.chosen(np.ones((1, 4)))
    assert best.tolist() == [[1, 0]]  # by fold: the one that is best in the other
    assert value[0] == pytest.approx(100 * (0.2 + 0.1) / 2)


def test_one_input_is_what_it_is_and_one_fold_is_refused():
    score = of_folds((0.4, 0.6))
    assert score.chosen(np.ones((1, 4)))[0][0] == score.values(np.ones((1, 4)))[0, 0] == 50
    alone = Score(score.sums[:, :2], score.counts[:, :2], score.fold[:2], True)
    with pytest.raises(ValueError, match="chosen on other folds"):
        alone.chosen(np.ones((1, 2)))


def test_rows_share_their_draws_so_that_differences_are_paired():
    scores = {"uuas_percent": of_folds((0.4, 0.6), (0.5, 0.7))}
    keys = {"draws": 50, "seed": 3, "model": "m", "family": "masked"}
    low, high = structural_probes.layer_rows(scores, [0, 1], **keys)
    assert (low["layer"], low["value"], high["value"]) == (0, 50, 60)
    assert high["replicates"] - low["replicates"] == pytest.approx(10)
    (best,) = structural_probes.best_rows(scores, [0, 1], **keys)
    is_drawn = ~np.isnan(
        best["replicates"]
    )  # draws without a document of a fold choose nothing
    assert is_drawn.mean() > 0.6 and "layer" not in best
    assert np.array_equal(best["replicates"][is_drawn], high["replicates"][is_drawn])
    (base,) = structural_probes.baseline_rows(scores, {"chain": [0], "copy": []}, **keys)
    assert base["measure"] == "structural_probe_uuas_percent_baseline"
    assert base["estimator"] == "chain" and base["value"] == 50


def test_selectivity_is_the_paired_difference_to_the_control():
    task, control = of_folds((0.4, 0.6)), of_folds((0.1, 0.3))
    rows = structural_probes.control_rows(task, control, draws=20)
    values = {row["measure"]: row["value"] for row in rows}
    assert values == {
        "structural_probe_control_uuas_percent": pytest.approx(20),
        "structural_probe_selectivity": pytest.approx(30),
    }
    drawn = rows[1]["replicates"]
    assert drawn[~np.isnan(drawn)] == pytest.approx(30)


# ---- treebanks


def test_folds_share_no_document_and_each_sentence_is_tested_once():
    trees = treebanks.treebank(corpora.load("gum"), 2)
    tested = np.concatenate([test for _, test in trees.parts()])
    assert sorted(tested) == list(range(3038))
    for train, test in trees.parts():
        assert not set(trees.unit[train]) & set(trees.unit[test])
        assert abs(len(set(trees.unit[test])) - 35) <= 1


def test_the_official_split_tests_the_test_and_dev_part():
    gum = corpora.load("gum")
    trees = treebanks.treebank(gum, treebanks.OFFICIAL)
    assert len(trees.tested) == 347 + 304 and len(set(trees.unit[trees.tested])) == 16
    with pytest.raises(UserError, match="teaching-treebank has no test and dev part"):
        treebanks.treebank(corpora.load("teaching-treebank"), treebanks.OFFICIAL)


def test_punctuation_is_a_class_of_either_set():
    gum = corpora.load("gum")
    upos, ptb = (
        treebanks.treebank(gum, punctuation=name)
        for name in (treebanks.UPOS, treebanks.PTB)
    )
    left_out = [sum((~keep).sum() for keep in trees.keep) for trees in (upos, ptb)]
    assert left_out[0] != left_out[1] and min(left_out) > 5000
    with pytest.raises(UserError, match="teaching-treebank has no Penn classes"):
        treebanks.treebank(corpora.load("teaching-treebank"), punctuation="ptb")


def test_a_corpus_without_trees_is_refused():
    with pytest.raises(UserError, match="lee has no trees"):
        treebanks.treebank(corpora.load("lee").sample(3))


def test_the_chain_of_the_teaching_treebank_has_the_edges_of_the_notes():
    trees = treebanks.treebank(corpora.load("teaching-treebank"))
    score = structural_probes.scores(trees, treebanks.chain(trees))["uuas_percent"]
    assert (score.sums.sum(), score.counts.sum()) == (675, 1237)


def test_the_star_hangs_all_words_on_the_first_verb():
    trees = small()
    star = treebanks.star(trees)
    assert star.depths[0].tolist() == [[1, 1, 0, 1, 1, 1]]
    assert star.distances[0][0][2].tolist() == [1, 1, 0, 1, 1, 1]
    assert star.distances[0][0][0].tolist() == [0, 2, 1, 2, 2, 2]


def test_gold_trees_come_back_whole():
    for name, number in (("gum", 3038), ("teaching-treebank", 224)):
        trees = treebanks.treebank(corpora.load(name))
        assert len(trees) == number and treebanks.rebuilt(trees) == (1, 1)


# ---- the control task


def test_a_type_hangs_on_the_same_word_everywhere_and_the_result_is_a_tree():
    trees = treebanks.treebank(corpora.load("gum"))
    control = treebanks.control(trees, seed=0)
    ways = {}
    for heads, words, keep in zip(control.heads, trees.words, trees.keep, strict=True):
        refuse_no_tree(heads)
        kept = np.flatnonzero(keep)
        for before, place in itertools.pairwise(kept[:-1]):
            options = {"first": kept[0], "last": kept[-1], "before": before}
            fits = {name for name, head in options.items() if heads[place] == head}
            ways[words[place]] = ways.get(words[place], fits) & fits
    assert all(ways.values()) and set.union(*ways.values()) == {"first", "last", "before"}


def test_another_seed_gives_another_control():
    trees = treebanks.treebank(corpora.load("teaching-treebank"))
    first, again, other = (treebanks.control(trees, seed).heads for seed in (0, 0, 1))
    assert first == again != other


def test_seen_are_words_whose_type_is_in_the_training_part():
    trees = small(
        fold=(0, 1, 1, 1)
    )  # the words a to f: all of the first are in the second
    assert treebanks.seen_share(trees) == 1
    assert treebanks.seen_share(
        Treebank(**{**trees.__dict__, "words": [tuple("uvwxyz"), *trees.words[1:]]})
    ) == pytest.approx(0)
