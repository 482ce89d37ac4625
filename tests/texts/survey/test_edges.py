"""Edge probes in one product: against plain torch, on planted and shuffled labels, and as kept."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from cwr import encoders
from cwr.corpora import edge_tasks
from cwr.corpora.edge_tasks import EdgeTask
from cwr.corpora.sentences import Corpus, fingerprint, joined
from cwr.errors import UserError
from cwr.extraction import cache
from cwr.texts.survey import edge_bank, edge_probes, edges, spans
from cwr.texts.survey.edge_probes import SIGMOIDS, SOFTMAX
from cwr.texts.survey.edges import Settings
from cwr.texts.survey.spans import Words

TAGS = ("ADJ", "NOUN", "VERB")
LAYERS, DIM, DOCUMENTS, LENGTH = 3, 5, 8, 6
SHORT = Settings(hidden=4, epochs=3, batch=16, rate=1e-2, most=60, most_tested=80)
KINDS = [("cumulative", 0), ("cumulative", 2), ("single", 1), ("lex",), ("mix",)]


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))


@pytest.fixture(scope="module")
def corpus():
    """Documents of four sentences, whose words have classes and heads drawn from a seed."""
    random, sentences = np.random.default_rng(0), []
    for document in range(DOCUMENTS):
        about = {
            "document": f"text {document}",
            "genre": "ab"[document % 2],
            "split": "train",
        }
        for number in range(4):
            tags = random.choice(TAGS, LENGTH).tolist()
            heads = [-1, *random.integers(0, 1, LENGTH - 1).tolist()]
            relations = ["root", *random.choice(["left", "right"], LENGTH - 1).tolist()]
            notes = {**about, "upos": tags, "heads": heads, "relations": relations}
            words = [f"w{word}" for word in range(LENGTH)]
            name = f"{document}.{number}"
            sentence = replace(
                joined(words), id=name, document=document, annotations=notes
            )
            sentences.append(sentence)
    return Corpus("toy", tuple(sentences), fingerprint(sentences), "ours")


def drawn(corpus, planted=0.0, seed=1):
    """Vectors of all words; in layer 1 a dimension for each tag is `planted` higher for it."""
    n = LENGTH * len(corpus.sentences)
    layers = np.random.default_rng(seed).normal(size=(LAYERS, n, DIM)).astype(np.float32)
    tags = [tag for sentence in corpus.sentences for tag in sentence.annotations["upos"]]
    layers[1, np.arange(n), np.searchsorted(TAGS, tags)] += planted
    return Words(list(layers), np.arange(0, n + 1, LENGTH))


def both_products(pairs):
    """[a; b; a * b; |a - b|] of pairs [a; b], number by number, (L, n, 2 d) -> (L, n, 4 d)."""
    wide = np.empty((*pairs.shape[:2], 2 * pairs.shape[2]), np.float32)
    for layer, row in np.ndindex(pairs.shape[:2]):
        numbers = pairs[layer, row].tolist()
        half = len(numbers) // 2
        for number in range(half):
            one, other = numbers[number], numbers[half + number]
            wide[layer, row, number], wide[layer, row, half + number] = one, other
            wide[layer, row, 2 * half + number] = one * other
            wide[layer, row, 3 * half + number] = (
                one - other if one > other else other - one
            )
    return wide


def alone(vectors, task, settings, seed, fold, layers):
    """One probe by torch's own modules: its logits of the tested targets, and its weights."""
    low, high = layers
    rows, tested = task.trained(fold, settings.most), task.tested(settings.most_tested)
    lengths = [np.linalg.norm(layer, axis=1).mean() for layer in vectors.layers]
    divisor = np.array(lengths)[:, None, None] if settings.scaled else 1.0
    x, asked = (
        (spans.pooled(vectors, task, part).swapaxes(0, 1) / divisor).astype(np.float32)
        for part in (rows, tested)
    )
    if settings.products and task.is_of_pairs:
        x, asked = both_products(x), both_products(asked)
    seed = edges.training_seed(seed, fold)
    torch.manual_seed(seed)
    labels = len(task.labels)
    first = torch.nn.Linear(x.shape[2], settings.hidden or labels)
    last = (
        torch.nn.Linear(settings.hidden, labels)
        if settings.hidden
        else torch.nn.Identity()
    )
    mixing = torch.zeros(high - low + 1, requires_grad=True)
    gamma = torch.ones(1, requires_grad=True)
    mean = x.mean(axis=1, keepdims=True)
    unit = 1 / (x - mean)[low : high + 1].mean(axis=0).std(axis=0)  # (D,)

    def read(part):
        shares = torch.softmax(settings.mixing * mixing, dim=0)
        chosen = torch.from_numpy((part - mean)[low : high + 1])
        mixed = torch.einsum("l,lnd->nd", shares, chosen) * torch.from_numpy(unit) * gamma
        mapped = mixed @ first.weight.T + first.bias
        return last(torch.tanh(mapped)) if settings.hidden else mapped

    weights = [*first.parameters(), *last.parameters(), mixing, gamma]
    optimiser = torch.optim.Adam(weights, lr=settings.rate)
    steps_an_epoch = -(-len(rows) // settings.batch)
    gold = torch.from_numpy(task.gold[rows])
    for step in range(settings.epochs * steps_an_epoch):
        epoch, number = divmod(step, steps_an_epoch)
        order = np.random.default_rng((seed, epoch)).permutation(len(rows))
        batch = order[number * settings.batch :][: settings.batch]
        share = (1 + np.cos(np.pi * step / (settings.epochs * steps_an_epoch))) / 2
        if step:
            share = (
                1 + np.cos(np.pi * (step - 1) / (settings.epochs * steps_an_epoch - 1))
            ) / 2
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * (0.05 + 0.95 * share)
        optimiser.zero_grad()
        logits = read(x[:, batch])
        if settings.answers == SIGMOIDS:
            truth = torch.nn.functional.one_hot(gold[batch], len(task.labels)).float()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, truth)
        else:
            loss = torch.nn.functional.cross_entropy(logits, gold[batch])
        loss.backward()
        optimiser.step()
    with torch.no_grad():
        shares = np.zeros(LAYERS)
        shares[low : high + 1] = torch.softmax(settings.mixing * mixing, dim=0).numpy()
        return read(asked).numpy(), shares


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("pos", {"answers": SIGMOIDS, "scaled": False}),
        ("dependencies", {"answers": SIGMOIDS}),
        ("dependencies", {"products": False}),
        ("pos", {}),
        ("pos", {"hidden": 0}),
    ],
)
def test_probes_trained_together_are_those_trained_one_by_one(corpus, name, change):
    task, vectors = edge_tasks.load(name, corpus, 2), drawn(corpus, 1.0)
    settings = replace(SHORT, **change)
    said = edges.scored(vectors, task, KINDS, settings, seeds=(0, 3))
    for run, seed in enumerate((0, 3)):
        for column, kind in enumerate(KINDS):
            layers = edges.range_of(kind, LAYERS)
            for fold in task.folds:
                logits, shares = alone(vectors, task, settings, seed, fold, layers)
                own = said.fold == fold
                got = said.logits[run, column, own].astype(float)
                assert got == pytest.approx(logits[own], abs=5e-3)  # float16
                assert said.weights[run, fold, column] == pytest.approx(shares, abs=1e-4)


def test_a_layer_that_tells_is_learned_by_who_may_read_it(corpus):
    task, vectors = edge_tasks.load("pos", corpus, 2), drawn(corpus, 8.0)
    learning = replace(SHORT, epochs=20, rate=2e-2, most=0, most_tested=0)
    said = edges.scored(vectors, task, KINDS, learning)
    lex, top, single, _, mix = edge_probes.scores(said, KINDS)[0]
    assert single > 97 and top == mix > 85 and lex < 60
    assert edge_probes.mix_weights(said)[:, 1].min() > 0.5


def test_a_mix_of_equal_layers_is_one_of_them(corpus):
    """So a stack of equal layers needs no probes of ranges."""
    task = edge_tasks.load("pos", corpus, 2)
    one = drawn(corpus, 2.0).of([1])
    stack = Words([one.layers[0]] * 3, one.starts)
    whole = edges.scored(stack, task, [("cumulative", layer) for layer in range(3)], SHORT)
    alone = edges.scored(one, task, [("single", 0)], SHORT).logits[:, 0]
    for layer in range(3):
        assert whole.logits[:, layer] == pytest.approx(alone, abs=5e-3)  # float16


def test_what_random_labels_teach_is_at_chance(corpus):
    vectors = drawn(corpus, 8.0)
    scores = []
    for seed in range(5):
        task = edge_tasks.shuffled(edge_tasks.load("pos", corpus, 2), seed)
        settings = replace(SHORT, answers=SOFTMAX, most=0, most_tested=0)
        scores.append(
            edge_probes.scores(
                edges.scored(vectors, task, [("single", 1)], settings), [("single", 1)]
            )
        )
    assert np.mean(scores) == pytest.approx(100 / 3, abs=6)


def test_no_probe_learns_from_a_document_it_is_tested_on(corpus):
    task = edge_tasks.load("pos", corpus, 4)
    document = task.table["document"].to_numpy()
    for resampled in (False, True):
        groups = [(seed, fold) for seed in (0, 1) for fold in task.folds]
        rows = edges._learned(task, groups, replace(SHORT, resampled=resampled))
        for (_, fold), learned in zip(groups, rows, strict=True):
            tested = document[task.table["fold"] == fold]
            assert len(learned) == SHORT.most and not set(document[learned]) & set(tested)


def test_resampled_documents_differ_between_seeds_and_repeat_themselves(corpus):
    task = edge_tasks.load("pos", corpus, 2)
    settings = replace(SHORT, resampled=True, most=0)
    one, other = edges._learned(task, [(0, 0), (1, 0)], settings)
    assert sorted(one) != sorted(other) and len(set(one)) < len(one)
    plain = edges._learned(task, [(0, 0), (1, 0)], replace(settings, resampled=False))
    assert (plain[0] == plain[1]).all() and len(set(plain[0])) == len(plain[0])


def test_what_was_trained_is_read_again_whatever_is_asked_beside_it(corpus, monkeypatch):
    task, vectors = edge_tasks.load("pos", corpus, 2), drawn(corpus, 1.0)
    first = edges.scored(vectors, task, KINDS, SHORT)
    n = len(cache.entries())
    assert n == len({edges.range_of(kind, LAYERS) for kind in KINDS})
    monkeypatch.setattr(edge_bank, "train", None)  # nothing may be trained
    again = edges.scored(vectors, task, [("mix",)], SHORT)
    assert (again.logits[:, 0] == first.logits[:, 4]).all()
    assert (again.weights[:, :, 0] == first.weights[:, :, 4]).all()


def test_further_trainings_of_the_mix_give_its_weights_and_no_score(corpus):
    task, vectors = edge_tasks.load("pos", corpus, 2), drawn(corpus, 1.0)
    once = edges.scored(vectors, task, KINDS, SHORT)
    often = edges.scored(vectors, task, KINDS, SHORT, mixes=3)
    assert (often.logits == once.logits).all() and once.mixes is None
    assert often.mixes.shape == (2, 2, LAYERS)
    weights = edge_probes.mix_weights(often)
    assert len(np.unique(weights.round(6), axis=0)) == 6  # no two trainings are one
    assert weights[:2] == pytest.approx(edge_probes.mix_weights(once))
    as_seeds = edges.scored(vectors, task, [("mix",)], SHORT, seeds=edges._further([0], 3))
    assert weights[2:] == pytest.approx(edge_probes.mix_weights(as_seeds))
    assert edges.scored(vectors, task, KINDS[:1], SHORT, mixes=3).mixes is None


def test_a_probe_is_the_same_whatever_is_trained_beside_it(corpus):
    task, vectors = edge_tasks.load("pos", corpus, 2), drawn(corpus, 1.0)
    beside = edges.scored(vectors, task, KINDS, SHORT, seeds=(0, 1)).logits[1, 1]
    cache.empty()
    own = edges.scored(vectors, task, [KINDS[1]], SHORT, seeds=(1,)).logits[0, 0]
    assert own.astype(float) == pytest.approx(beside.astype(float), abs=2e-3)


@pytest.mark.parametrize(
    "change",
    [
        {"rate": 2e-2},
        {"resampled": True},
        {"most": 50},
        {"scaled": False},
        {"products": False},
    ],
)
def test_other_settings_train_anew(corpus, change):
    task, vectors = edge_tasks.load("dependencies", corpus, 2), drawn(corpus)
    edges.scored(vectors, task, [("mix",)], SHORT)
    edges.scored(vectors, task, [("mix",)], replace(SHORT, **change))
    edges.scored(drawn(corpus, seed=2), task, [("mix",)], SHORT)
    edges.scored(vectors, edge_tasks.shuffled(task), [("mix",)], SHORT)
    assert len(cache.entries()) == 4


def test_spans_are_means_of_their_words_and_pairs_two_of_them(corpus):
    vectors, task = drawn(corpus), edge_tasks.load("dependencies", corpus, 2)
    table = task.table.assign(last=lambda rows: rows["last"].clip(upper=4) + 1)
    task = replace(task, table=table)
    rows = np.array([0, 7, 30])
    got = spans.pooled(vectors, task, rows)
    for number, row in enumerate(rows):
        target = table.iloc[row]
        start = vectors.starts[target["sentence"]]
        for layer in range(LAYERS):
            words = vectors.layers[layer][
                start + target["first"] : start + target["last"] + 1
            ]
            head = vectors.layers[layer][start + target["first_2"]]
            expected = np.concatenate([words.mean(axis=0), head])
            assert got[number, layer] == pytest.approx(expected, abs=1e-6)
    first, last = (
        spans.pooled(vectors, task, rows, how)[..., :DIM] for how in ("first", "last")
    )
    begin = vectors.starts[table["sentence"]] + table["first"].to_numpy()
    assert (first[:, 2] == vectors.layers[2][begin[rows]]).all()
    end = vectors.starts[table["sentence"]] + table["last"].to_numpy()
    assert (last[:, 2] == vectors.layers[2][end[rows]]).all()


def test_products_and_differences_stand_beside_the_two_vectors():
    pairs = np.random.default_rng(0).normal(size=(3, 4, 2 * DIM)).astype(np.float32)
    assert np.array_equal(spans.with_products(pairs), both_products(pairs))


def test_products_are_no_matter_to_a_probe_of_one_span(corpus):
    task, vectors = edge_tasks.load("pos", corpus, 2), drawn(corpus)
    edges.scored(vectors, task, [("mix",)], SHORT)
    edges.scored(vectors, task, [("mix",)], replace(SHORT, products=False))
    assert len(cache.entries()) == 1


def test_whether_two_words_are_alike_is_learned_from_products_alone(corpus):
    """A linear probe: two words have one class or not, and neither class alone tells which."""
    task, vectors = edge_tasks.load("dependencies", corpus, 2), drawn(corpus, 6.0)
    tags = [note for sentence in corpus.sentences for note in sentence.annotations["upos"]]
    starts = LENGTH * task.table["sentence"]
    sides = [
        [tags[word] for word in starts + task.table[side]] for side in ("first", "first_2")
    ]
    labels = [
        "left" if one == other else "right" for one, other in zip(*sides, strict=True)
    ]
    task = replace(task, table=task.table.assign(label=labels))
    learning = replace(SHORT, hidden=0, epochs=40, most=0, most_tested=0, answers=SOFTMAX)
    alike, beside = (
        edges.scored(vectors, task, [("single", 1)], replace(learning, products=products))
        for products in (True, False)
    )
    most_frequent = 100 * max(labels.count(name) for name in set(labels)) / len(labels)
    got, without = (
        edge_probes.scores(said, [("single", 1)]).item() for said in (alike, beside)
    )
    assert got > 90 and without < most_frequent + 10


def test_layers_of_another_scale_and_mean_are_learned_alike(corpus):
    task, vectors = edge_tasks.load("pos", corpus, 2), drawn(corpus, 1.0)
    moved = replace(vectors, layers=[30 * layer + 7 for layer in vectors.layers])
    kinds, raw = [("single", 1), ("mix",)], replace(SHORT, scaled=False)
    one, other = (edges.scored(part, task, kinds, raw).logits for part in (vectors, moved))
    assert other.astype(float) == pytest.approx(one.astype(float), abs=1e-2)


def test_a_layer_of_short_vectors_is_mixed_like_the_others_once_scaled(corpus):
    task, vectors = edge_tasks.load("pos", corpus, 2), drawn(corpus, 1.0)
    layers = [
        layer * size for layer, size in zip(vectors.layers, (1, 0.01, 50), strict=True)
    ]
    short = replace(vectors, layers=layers)
    one, other = (edges.scored(part, task, [("mix",)], SHORT) for part in (vectors, short))
    assert other.logits.astype(float) == pytest.approx(one.logits.astype(float), abs=1e-2)
    by_norm = edge_probes.mix_weights(other, by_norm=True)
    assert by_norm == pytest.approx(edge_probes.mix_weights(one, by_norm=True), abs=1e-3)
    raw = edge_probes.mix_weights(other)
    assert raw[:, 1].min() > raw[:, 2].max()  # what is short needs more weight


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"epochs": 0}, "at least 1 epoch"),
        ({"answers": "maybe"}, "answers are"),
        ({"pooling": "sum"}, "pooling is one of"),
    ],
)
def test_settings_that_train_nothing_are_refused(corpus, change, says):
    task = edge_tasks.load("pos", corpus, 2)
    with pytest.raises(UserError, match=says):
        edges.scored(drawn(corpus), task, [("mix",)], replace(SHORT, **change))


def test_a_fold_without_a_tested_target_is_refused(corpus):
    """One target lies in one of two folds."""
    task = edge_tasks.load("pos", corpus, 2)
    with pytest.raises(UserError, match="the task pos has a fold without a tested target"):
        edges.scored(drawn(corpus), task, [("mix",)], replace(SHORT, most_tested=1))


def test_layers_and_vectors_that_are_not_there_are_refused(corpus):
    task, vectors = edge_tasks.load("pos", corpus, 2), drawn(corpus)
    with pytest.raises(UserError, match="no layer 3"):
        edges.scored(vectors, task, [("single", 3)], SHORT)
    with pytest.raises(UserError, match="read that corpus"):
        edges.scored(replace(vectors, starts=vectors.starts[1:]), task, [("mix",)], SHORT)
    vectors.layers[1][:] = np.nan
    with pytest.raises(UserError, match="no finite number"):
        edges.scored(vectors, task, [("mix",)], SHORT)


def test_an_official_split_tests_the_test_documents_alone(corpus):
    splits = ["train"] * 5 + ["dev"] + ["test"] * 2
    sentences = [
        replace(one, annotations={**one.annotations, "split": splits[one.document]})
        for one in corpus.sentences
    ]
    task: EdgeTask = edge_tasks.load("pos", replace(corpus, sentences=tuple(sentences)), 0)
    said = edges.scored(drawn(corpus), task, [("mix",)], SHORT)
    assert set(said.document) == {6, 7}
    assert set(task.table["document"][task.trained(0, 0)]) == set(range(5))


def test_layers_beside_the_input_are_layer_0_and_themselves(corpus):
    vectors = drawn(corpus)
    both = spans.beside_input(vectors)
    assert (both.layers[2][:, :DIM] == vectors.layers[0]).all()
    assert (both.layers[2][:, DIM:] == vectors.layers[2]).all()
    assert both.identity != vectors.identity != vectors.of([0, 1]).identity


def test_without_positions_a_word_has_one_vector_wherever_it_stands():
    encoder, text = encoders.load("cwr-bert"), joined("We saw a saw and a saw .".split())
    toy = Corpus("toy", (text,), "one", "ours")
    (bare,) = spans.without_positions(encoder, toy).layers
    layer_0 = spans.words(encoder, toy).layers[0]
    same = [1, 3, 6]  # saw
    assert np.ptp(bare[same], axis=0).max() < 1e-6 < np.ptp(layer_0[same], axis=0).max()
    matrix = encoder.embedding_matrix()[encoder.vocabulary.index("saw")]
    expected = (matrix - matrix.mean()) / matrix.std()
    assert bare[1] == pytest.approx(expected, abs=1e-5)
    with pytest.raises(UserError, match="has no positions"):
        spans.without_positions(encoders.load("cwr-elmo"), toy)
