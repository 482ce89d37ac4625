"""Rates of reversals beyond their placebo: against loops, and on layers that are planted to be equal."""

import numpy as np
import pytest

from cwr.errors import UserError
from cwr.measures import stats
from cwr.texts.survey import decisions as estimates
from cwr.texts.survey import reversals as decisions

LABELS, DOCUMENTS = 4, 20


def planted(seed=0, n=1200, trainings=5, layers=5, changing=0.0, noise=0.6, bias=0.4):
    """Readings of a model whose layers tell the same, but for a share of items that change halfway.

    noise: of each training on an item. bias: of each training on a label, in all items.
    """
    generator = np.random.default_rng(seed)
    gold = generator.integers(0, LABELS, n)
    scores = generator.normal(size=(n, LABELS)) + 2.5 * np.eye(LABELS)[gold]
    truth = np.repeat(scores[None], layers, axis=0)  # (K, n, C)
    is_changing = generator.random(n) < changing
    truth[: layers // 2, is_changing] = np.roll(truth[0, is_changing], 1, axis=-1)
    shape = trainings, layers, n, LABELS
    logits = truth + noise * generator.normal(size=shape)
    logits += bias * generator.normal(size=(trainings, layers, 1, LABELS))
    probabilities = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    return estimates.read(probabilities, gold, generator.integers(0, DOCUMENTS, n))


def rows(readings, **options):
    """{measure: row} of what has neither a layer nor a class."""
    every = estimates.rate_rows(readings, **{"draws": 200, **options})
    return {
        row["measure"]: row for row in every if "layer" not in row and "class" not in row
    }


def interval(row):
    return stats.interval(row["replicates"])


# ---- against loops


def test_a_rate_is_the_share_of_items_over_all_paths():
    readings = planted(n=150, changing=0.2)
    runs = estimates.drawn_runs(5, 5)
    shares, placebos = [], []
    for run in runs:
        for layers, collected in [
            (range(5), shares),
            *(([k] * 5, placebos) for k in range(5)),
        ]:
            decided = np.stack(
                [readings.decided[s, k] for s, k in zip(run, layers, strict=True)]
            )
            margin = np.stack(
                [readings.margins[s, k] for s, k in zip(run, layers, strict=True)]
            )
            kinds = decisions.reversals(decided, margin, readings.gold)
            collected.append(100 * np.mean(kinds != decisions.NONE))
    by_measure = rows(readings)
    assert by_measure["reversal_rate"]["value"] == pytest.approx(np.mean(shares))
    assert by_measure["placebo_reversal_rate"]["value"] == pytest.approx(np.mean(placebos))
    net = by_measure["net_reversal_rate_beyond_resampling"]["value"]
    assert net == pytest.approx(np.mean(shares) - np.mean(placebos))


def test_a_replicate_is_one_path_on_resampled_documents():
    readings = planted(n=150, changing=0.2)
    documents = np.unique(readings.documents)
    by_measure = rows(readings, draws=12)
    kinds = [
        decisions.reversals(*estimates.along(readings, run[None]), readings.gold)[0]
        for run in estimates.drawn_runs(5, 5)
    ]
    for draw, pick in enumerate(stats.resample(documents, 12)):
        items = np.concatenate(
            [np.flatnonzero(readings.documents == documents[k]) for k in pick]
        )
        possible = [100 * np.mean(of_path[items] != decisions.NONE) for of_path in kinds]
        drawn = by_measure["reversal_rate"]["replicates"][draw]
        assert np.isclose(possible, drawn).any()


def test_kinds_sum_to_the_rate_and_layers_to_the_placebo():
    every = estimates.rate_rows(planted(changing=0.1), draws=20)

    def total(measure):
        chosen = [row for row in every if row["measure"] == measure]
        return np.sum([[row["value"], *row["replicates"]] for row in chosen], axis=0)

    np.testing.assert_allclose(total("reversal_kind_rate"), total("reversal_rate"))
    net = total("net_reversal_rate_beyond_resampling")
    np.testing.assert_allclose(total("net_reversal_kind_rate"), net, atol=1e-9)
    of_layers = total("layer_placebo_reversal_rate") / 5
    np.testing.assert_allclose(of_layers, total("placebo_reversal_rate"))


def test_no_path_reads_by_one_training_twice_and_all_are_drawn():
    runs = estimates.drawn_runs(7, 5, number=200)
    assert all(len(set(run)) == 5 for run in runs.tolist())
    assert (
        set(runs[:, 0]) == set(range(7))
        and len({tuple(run) for run in runs.tolist()}) > 150
    )


def test_as_many_trainings_as_layers_are_enough_and_nought_means_as_many():
    assert [estimates.enough_trainings(layers) for layers in (2, 5, 49)] == [2, 5, 49]
    assert estimates.enough_trainings(5, 7) == 7
    with pytest.raises(
        UserError, match="^a path of 13 layers .* are 5 trainings: take 13 or more"
    ):
        estimates.enough_trainings(13, 5)
    with pytest.raises(UserError, match="a path of 5 layers"):
        estimates.drawn_runs(4, 5)


# ---- the exact null


def test_a_stack_is_one_layer_with_trainings_of_its_own_in_each_place():
    """Its rates by a loop over paths: what stands in place k of training s is training k S + s."""
    layers, trainings, n = 3, 4, 60
    generator = np.random.default_rng(3)
    logits = generator.normal(size=(layers * trainings, n, LABELS)) * 2
    shares = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    gold, documents = generator.integers(0, LABELS, n), np.arange(n) % DOCUMENTS
    stack = estimates.stack(shares, layers)
    assert stack.shape == (trainings, layers, n, LABELS)
    rates = rows(estimates.read(stack, gold, documents))

    def rate(numbers):
        """In per cent, of a path that these trainings read in turn."""
        turned = 0
        for item in range(n):
            firm = []
            path = [shares[number, item] for number in numbers]
            for place, share in enumerate(path):
                second, first = np.sort(share)[-2:]
                is_last = place == layers - 1
                if first - second >= 0.2 and (
                    is_last or path[place + 1].argmax() == share.argmax()
                ):
                    firm.append(share.argmax())
            turned += len(set(firm)) > 1
        return 100 * turned / n

    runs = estimates.drawn_runs(trainings, layers)
    path = [rate([k * trainings + s for k, s in enumerate(run)]) for run in runs]
    placebo = [
        [rate([k * trainings + s for s in run]) for run in runs] for k in range(layers)
    ]
    assert (
        rates["reversal_rate"]["value"] == pytest.approx(np.mean(path))
        and np.mean(path) > 5
    )
    assert rates["placebo_reversal_rate"]["value"] == pytest.approx(np.mean(placebo))
    net = rates["net_reversal_rate_beyond_resampling"]["value"]
    assert net == pytest.approx(np.mean(path) - np.mean(placebo))
    with pytest.raises(ValueError, match="7 trainings cannot be divided among 3 layers"):
        estimates.stack(shares[:7], 3)


@pytest.mark.parametrize("layers", [3, 5])
def test_a_stack_of_equal_layers_has_a_net_rate_of_nought(layers):
    nets, missed = [], 0
    for seed in range(25):
        read = planted(seed, n=400, trainings=layers * layers, layers=1)
        decided = estimates.stack(read.decided[:, 0], layers)
        margins = estimates.stack(read.margins[:, 0], layers)
        net = rows(estimates.Readings(decided, margins, read.gold, read.documents))
        net = net["net_reversal_rate_beyond_resampling"]
        low, high = interval(net)
        missed += not low <= 0 <= high
        nets.append(net["value"])
    assert missed <= 3
    assert abs(np.mean(nets)) < 3 * np.std(nets) / np.sqrt(len(nets))


# ---- calibration


def test_a_placebo_of_one_probe_against_itself_is_nought():
    readings = planted(trainings=1)
    same = estimates.Readings(
        np.repeat(readings.decided, 5, axis=0),
        np.repeat(readings.margins, 5, axis=0),
        readings.gold,
        readings.documents,
    )
    by_measure = rows(same)
    for measure in (
        "placebo_reversal_rate",
        "pair_disagreement_rate",
        "placebo_decision_churn",
    ):
        assert (
            by_measure[measure]["value"] == 0
            and not by_measure[measure]["replicates"].any()
        )
    assert by_measure["reversal_rate"]["value"] > 0  # its layers do differ


@pytest.mark.parametrize("layers", [5, 9])
def test_equal_layers_have_a_net_rate_of_nought_within_its_interval(layers):
    """Of 95 % intervals some may miss."""
    missed = 0
    for seed in range(25):
        readings = planted(seed, trainings=layers, layers=layers, n=600)
        low, high = interval(rows(readings)["net_reversal_rate_beyond_resampling"])
        missed += not low <= 0 <= high
    assert missed <= 3


def test_the_net_rate_of_equal_layers_is_nought_on_average():
    nets = [
        rows(planted(seed), draws=2)["net_reversal_rate_beyond_resampling"]["value"]
        for seed in range(40)
    ]
    error = np.std(nets) / np.sqrt(len(nets))
    assert abs(np.mean(nets)) < 3 * error and error < 0.12  # of rates of some 5 %


def test_two_probes_are_a_placebo_for_no_path_of_nine_equal_layers():
    """The more readings, the more chances to change: against two every stack seems to revise."""
    nine = rows(planted(trainings=9, layers=9))
    assert interval(nine["net_reversal_rate"])[0] > 0.5
    low, high = interval(nine["net_reversal_rate_beyond_resampling"])
    assert low <= 0 <= high


def test_a_path_that_shares_its_training_set_is_no_match_for_the_placebo():
    """Documents drawn anew for the placebo alone: equal layers then seem to reverse too seldom."""
    tied = planted(noise=0.6)
    of_one = np.repeat(tied.decided[:1], 5, axis=0), np.repeat(tied.margins[:1], 5, axis=0)
    decided, margins = tied.decided.copy(), tied.margins.copy()
    runs = estimates.drawn_runs(5, 5)
    decided[:, 1:], margins[:, 1:] = (
        decided[:, :1],
        margins[:, :1],
    )  # all layers: the very same
    readings = estimates.Readings(decided, margins, tied.gold, tied.documents)
    net = rows(readings)["net_reversal_rate_beyond_resampling"]
    assert net["value"] == pytest.approx(
        0, abs=1e-9
    )  # each path is then one of the placebo's
    shared = estimates.Readings(*of_one, tied.gold, tied.documents)
    path = estimates.quantities(shared, runs, 0, 0.2)[..., estimates.REVERSALS]
    placebo = estimates.quantities(readings, runs, 0, 0.2)[..., estimates.REVERSALS]
    assert path.sum() == 0 < placebo.sum()


@pytest.mark.parametrize("share", [0.05, 0.2])
def test_a_planted_share_of_changing_items_is_recovered(share):
    """Most that change are firm on both sides; some are unsure, or were wrong by chance."""
    net = rows(planted(n=4000, changing=share))["net_reversal_rate_beyond_resampling"]
    assert 40 * share < net["value"] < 100 * share
    assert interval(net)[0] > 0


def test_a_model_exceeds_equal_layers_in_paired_draws():
    measure, name = "net_reversal_rate_beyond_resampling", "beyond_equal"
    keys = {"model": "m", "task": "t", "estimator": "single", "draws": 100}
    equal, changing = (
        estimates.rate_rows(planted(changing=share), **keys) for share in (0, 0.1)
    )
    (row,) = estimates.beyond(changing, equal, measure, name)
    values = [
        next(r["value"] for r in of if r["measure"] == measure) for of in (changing, equal)
    ]
    assert row["value"] == values[0] - values[1] and interval(row)[0] > 0
    assert row["measure"] == name and row["task"] == "t"
    (none,) = estimates.beyond(equal, equal, measure, name)
    assert not none["replicates"].any()


# ---- which settles first


def settling(times, gold, layers=5, trainings=5):
    """Readings of items that are right from these layers on, and firmly wrong before."""
    is_right = np.arange(layers)[:, None] >= times  # (K, n)
    decided = np.where(is_right, gold, (gold + 1) % LABELS)
    decided = np.repeat(decided[None], trainings, axis=0)
    documents = np.arange(len(gold)) % DOCUMENTS
    return estimates.Readings(decided, np.ones(decided.shape), gold, documents)


def test_a_planted_order_is_found_and_none_is_not():
    generator = np.random.default_rng(0)
    gold, labels = generator.integers(0, LABELS, 2000), generator.integers(0, 2, 2000)
    pairs = np.stack([np.arange(2000)] * 2, axis=1)
    late = generator.integers(2, 5, 2000)
    second = settling(late, gold)
    following = settling(
        late - generator.integers(0, 2, 2000), labels
    )  # just before, or with it
    unrelated = settling(generator.integers(1, 5, 2000), labels)
    found = estimates.precedence_row(following, second, pairs, draws=100)
    none = estimates.precedence_row(unrelated, second, pairs, draws=100)
    assert interval(found)[0] > 0.05 and interval(none)[0] < 0 < interval(none)[1]


def test_precedence_equals_the_mean_over_permutations():
    generator = np.random.default_rng(1)
    gold, labels = generator.integers(0, LABELS, 60), generator.integers(0, 2, 60)
    early, late = generator.integers(0, 5, 60), generator.integers(2, 5, 60)
    first, second = settling(early, labels), settling(late, gold)
    pairs = np.stack([np.arange(60)] * 2, axis=1)
    value = estimates.precedence_row(first, second, pairs, draws=2)["value"]

    def q(times):
        return np.mean(times <= late) - np.mean(times == late) / 2

    permuted = []
    for _ in range(5000):
        moved = early.copy()
        for label in (0, 1):
            moved[labels == label] = generator.permutation(early[labels == label])
        permuted.append(q(moved))
    assert value == pytest.approx(
        q(early) - np.mean(permuted), abs=0.005
    )  # drawn, not all


def test_only_pairs_that_were_wrong_and_end_right_count():
    gold = np.array([0, 0])
    first = settling(np.array([0, 0]), gold)
    never = settling(np.array([0, 0]), gold)  # never wrong
    pairs = np.array([[0, 0], [1, 1]])
    assert estimates.precedence_row(first, never, pairs, draws=5) is None
    wrong_at_last = settling(np.array([5, 5]), gold)
    late = settling(np.array([3, 4]), gold)
    assert estimates.precedence_row(wrong_at_last, late, pairs, draws=5) is None
    assert estimates.precedence_row(first, late, pairs, draws=5)["value"] is not None
    nothing = np.empty((0, 2), dtype=int)
    assert estimates.precedence_row(first, late, nothing, draws=5) is None


def test_decisions_that_can_settle_in_one_layer_only_have_no_order():
    gold = np.array([0, 0, 0])
    pairs = np.stack([np.arange(3)] * 2, axis=1)
    first, at_the_top = (
        settling(np.array([1, 2, 3]), gold),
        settling(np.array([4, 4, 4]), gold),
    )
    assert estimates.precedence_row(first, at_the_top, pairs, draws=5) is None
    spread = settling(np.array([3, 4, 4]), gold)
    assert estimates.precedence_row(first, spread, pairs, draws=5) is not None


# ---- refusals


def test_five_layers_with_a_placebo_of_two_trainings_are_refused():
    with pytest.raises(UserError, match="a path of 5 layers needs a placebo of 5 probes"):
        estimates.rate_rows(planted(trainings=2))
