"""Extraction against plain loops: vectors, sums, numbers per sentence, samples, groups, missing words."""

import os

import numpy as np
import pandas as pd
import pytest

from cwr import corpora, extraction
from cwr.errors import UserError
from cwr.extraction import cache, reducers, targets

# fp32 sums in another batch shape; on a GPU each shape has its own kernel
ON_CPU = os.environ["DEVICE"] == "cpu"
CLOSE = dict(rtol=1e-5, atol=1e-6) if ON_CPU else dict(rtol=1e-4, atol=1e-4)


def whole_sentences(corpus):
    """One target a sentence, all its words, grouped by the sentence's id."""
    last = [len(sentence.spans) - 1 for sentence in corpus.sentences]
    names = [sentence.id for sentence in corpus.sentences]
    return pd.DataFrame(
        {"sentence": range(len(last)), "first": 0, "last": last, "group": names}
    )


def test_vectors_are_those_of_the_encoder_in_the_order_of_the_targets(
    encoder, corpus, by_hand
):
    wanted = targets.occurrences(corpus, ["bank", "Unbelievably", "."]).sample(
        frac=1, random_state=1
    )
    got = extraction.run(encoder, corpus, wanted)
    assert got.table.equals(wanted.reset_index(drop=True).astype(got.table.dtypes))
    expected = by_hand(corpus, wanted)
    assert (got.n_layers, got.dim, got.missing) == (2, 16, 0)
    for layer in range(3):
        np.testing.assert_allclose(got.vectors(layer), expected[layer], **CLOSE)
        assert (
            got.vectors(layer).dtype == np.float32
            and not got.vectors(layer).flags.writeable
        )


def test_a_target_of_several_words_is_the_mean_of_its_words(encoder, corpus, by_hand):
    wanted = pd.DataFrame(
        {
            "sentence": [1, 1, 0],
            "first": [2, 0, 1],
            "last": [4, 0, 5],
            "group": ["a", "b", "a"],
        }
    )
    whole = whole_sentences(corpus)
    got = extraction.run(encoder, corpus, pd.concat([wanted, whole]))
    expected = by_hand(corpus, pd.concat([wanted, whole]))
    np.testing.assert_allclose(got.vectors(2), expected[2], **CLOSE)


def test_sums_equal_the_loop_over_all_targets_even_where_vectors_are_capped(
    encoder, corpus, by_hand
):
    wanted = targets.occurrences(corpus)
    got = extraction.run(
        encoder, corpus, reducers=(extraction.sums(), extraction.vectors(cap=2))
    )
    assert got.groups() == tuple(sorted(set(wanted["group"])))
    assert got.table.groupby("group").size().max() == 2
    expected = by_hand(corpus, wanted)
    for layer in range(3):
        unit_sum, total, count = got.sums(layer)
        for number, group in enumerate(got.groups()):
            rows = expected[layer][(wanted["group"] == group).to_numpy()].astype(float)
            units = [row / np.sqrt(sum(x * x for x in row)) for row in rows]
            np.testing.assert_allclose(total[number], sum(rows), **CLOSE)
            np.testing.assert_allclose(unit_sum[number], sum(units), **CLOSE)
            assert count[number] == len(rows)


def test_words_without_a_piece_are_counted_as_missing_and_left_out(encoder):
    text = "the \u200d bank"  # a zero-width joiner: the tokenizer drops it
    spans = ((0, 3), (4, 5), (6, 10))
    sentences = (
        corpora.Sentence("0", text, spans),
        corpora.Sentence("1", "\u200d", ((0, 1),)),
    )
    odd = corpora.Corpus("odd", sentences, corpora.fingerprint(sentences), "none")
    got = extraction.run(encoder, odd, reducers=(extraction.vectors(), extraction.sums()))
    assert got.missing == 2 and list(got.table["group"]) == ["the", "bank"]
    assert got.vectors(1).shape == (2, 16)
    assert dict(zip(got.groups(), got.sums(1).count, strict=True)) == {
        "the": 1,
        "bank": 1,
        "\u200d": 0,
    }
    two = pd.DataFrame(
        {"sentence": [0, 0], "first": [1, 2], "last": [2, 2], "group": "both"}
    )
    pair = extraction.run(encoder, odd, two)
    np.testing.assert_array_equal(pair.vectors(2)[0], pair.vectors(2)[1])
    assert extraction.run(encoder, odd, words=["\u200d"]).vectors(0).shape == (0, 16)


def test_the_first_position_can_be_left_out(encoder, corpus):
    kept = extraction.run(encoder, corpus, targets.pieces(encoder, corpus), unit="piece")
    marks = pd.DataFrame(
        {
            "sentence": [0, 0, 1],
            "first": [0, 1, 0],
            "last": [0, 1, 0],
            "group": ["cls", "the", "cls"],
        }
    )
    cut = extraction.run(encoder, corpus, marks, unit="piece", skip_first_position=True)
    assert cut.missing == 2 and list(cut.table["group"]) == ["the"] and kept.missing == 0


def test_pieces_are_targets_with_the_tokens_of_the_vocabulary(encoder, corpus, by_hand):
    wanted = targets.pieces(encoder, corpus)
    text = corpus.sentences[0].text
    tokens = encoder.tokenizer.convert_ids_to_tokens(encoder.tokenizer(text)["input_ids"])
    first = wanted[wanted["sentence"] == 0]
    assert list(first["group"]) == tokens[1:-1] and list(first["first"]) == list(
        range(1, len(tokens) - 1)
    )
    got = extraction.run(encoder, corpus, first, unit="piece")
    np.testing.assert_allclose(
        got.vectors(1), by_hand(corpus, first, unit="piece")[1], **CLOSE
    )


def test_order_of_sentences_batches_and_budget_leave_the_result_unchanged(encoder, corpus):
    reducers = (extraction.vectors(cap=3, seed=2), extraction.sums())
    plain = extraction.run(
        encoder, corpus, words=["bank", "rate", "the"], reducers=reducers
    )
    (small, reverse) = (
        in_other_order(encoder, corpus, reducers, size) for size in (16, 4096)
    )
    assert small.plan["batches"] > plain.plan["batches"] >= reverse.plan["batches"] >= 1
    for other in (small, reverse):
        assert contexts(other, reversed_corpus(corpus)) == contexts(plain, corpus)
        for layer in range(3):
            for a, b in zip(plain.sums(layer), other.sums(layer), strict=True):
                np.testing.assert_allclose(a, b, **CLOSE)
        np.testing.assert_allclose(sorted_rows(plain), sorted_rows(other), **CLOSE)


def reversed_corpus(corpus):
    sentences = corpus.sentences[::-1]
    return corpora.Corpus("reversed", sentences, corpora.fingerprint(sentences), "none")


def in_other_order(encoder, corpus, reducers, max_tokens):
    cache.empty()
    backwards, words = reversed_corpus(corpus), ["the", "rate", "bank"]
    return extraction.run(
        encoder, backwards, words=words, reducers=reducers, max_tokens=max_tokens
    )


def contexts(made, corpus):
    rows = made.table.itertuples()
    return sorted(
        (row.group, corpus.sentences[row.sentence].text, row.first) for row in rows
    )


def sorted_rows(made):
    rows = np.concatenate([made.vectors(layer) for layer in range(3)], axis=1)
    return rows[np.lexsort(rows[:, :3].round(3).T)]


def test_only_the_sentences_of_kept_targets_are_encoded(encoder, corpus):
    one = extraction.run(
        encoder, corpus, words=["bank"], reducers=(extraction.vectors(cap=1),)
    )
    assert one.plan["sentences"] == 1 and len(one.table) == 1
    assert 0 < one.plan["tokens"] < 64 and one.plan["batches"] == 1


def test_a_sample_is_seeded_spread_over_repetitions_and_every_target_has_the_same_chance():
    sentences = tuple(
        corpora.joined(["the", "bank", str(number // 2)]) for number in range(40)
    )
    twice = corpora.Corpus("twice", sentences, corpora.fingerprint(sentences), "none")
    table = targets.check_targets(twice, targets.occurrences(twice, ["bank"]))
    texts = [sentence.text for sentence in sentences]
    assert list(reducers.repetition(texts, table)) == [0, 1] * 20
    drawn = np.zeros((400, 40), int)
    for seed in range(400):
        reducer = extraction.vectors(cap=10, seed=seed)
        priority = reducer.priority(twice, table)
        drawn[seed, reducers.smallest(table.group, priority, 10)] = 1
    assert (drawn.sum(axis=1) == 10).all() and len({tuple(row) for row in drawn}) == 400
    # 400 draws with chance 1/4: mean 100, standard deviation 8.7; 5 of them never happens by chance
    assert np.abs(drawn.sum(axis=0) - 100).max() < 44
    both = (drawn[:, ::2] & drawn[:, 1::2]).sum(axis=1).mean()
    assert both == pytest.approx(
        20 * (10 / 40) * (9 / 39), abs=0.25
    )  # repetitions are drawn independently


def test_random_tokens_are_seeded_and_follow_their_sampling(corpus):
    one, other = (targets.random_tokens(corpus, 8, seed) for seed in (1, 2))
    assert one.equals(targets.random_tokens(corpus, 8, seed=1)) and not one.equals(other)
    assert one["sentence"].is_unique and one["sentence"].is_monotonic_increasing
    assert set(one["group"]) == {"random"}
    targets.check_targets(corpus, one)
    places = targets.random_tokens(corpus, 10**6, sampling="occurrence")
    assert len(places) == sum(len(sentence.spans) for sentence in corpus.sentences)
    assert not places.duplicated().any()
    words = np.array([len(sentence.spans) for sentence in corpus.sentences])
    long = {"sentence": words > 6, "occurrence": np.repeat(words > 6, words)}
    for sampling, expected in long.items():
        drawn = [
            targets.random_tokens(corpus, 5, seed, sampling)["sentence"]
            for seed in range(200)
        ]
        # 1000 draws: standard deviation below 0.016
        assert (words[np.concatenate(drawn)] > 6).mean() == pytest.approx(
            expected.mean(), abs=0.06
        )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"last": 99}, "does not exist"),
        ({"sentence": 99}, "does not exist"),
        ({"first": -1}, "does not exist"),
        ({"sentence": -1}, "does not exist"),
        ({"first": 1}, "does not exist"),
    ],
)
def test_targets_outside_the_corpus_are_refused(encoder, corpus, change, says):
    wrong = pd.DataFrame({"sentence": [0, 1], "first": 0, "last": 0, "group": "x"})
    wrong.loc[1, list(change)] = list(change.values())
    with pytest.raises(ValueError, match=f"target 1 .*{says}"):
        extraction.run(encoder, corpus, wrong)


def test_calls_that_make_no_sense_are_refused(encoder, corpus):
    some = targets.random_tokens(corpus, 3)
    with pytest.raises(
        UserError, match=r"none of the words \['Bank'\] occurs in .*case counts"
    ):
        extraction.run(encoder, corpus, words=["Bank"])
    with pytest.raises(ValueError, match="columns sentence, first, last, group"):
        extraction.run(encoder, corpus, some.drop(columns="last"))
    with pytest.raises(ValueError, match="at least one row"):
        extraction.run(encoder, corpus, some[:0])
    with pytest.raises(ValueError, match="not both"):
        extraction.run(encoder, corpus, some, words=["bank"])
    with pytest.raises(ValueError, match="one of each kind"):
        extraction.run(
            encoder, corpus, some, reducers=(extraction.vectors(1), extraction.vectors(2))
        )
    with pytest.raises(ValueError, match="at least 1 vector"):
        extraction.vectors(cap=0)
    with pytest.raises(ValueError, match="sentence.*occurrence"):
        targets.random_tokens(corpus, 3, sampling="uniform")
    got = extraction.run(encoder, corpus, some)
    with pytest.raises(ValueError, match="layers are 0 to 2, got 3"):
        got.vectors(3)
    with pytest.raises(ValueError, match="kept no sums"):
        got.sums(0)


def test_a_zero_vector_has_no_unit_vector_and_is_refused(encoder, corpus, monkeypatch):
    with (
        encoder_of_zeros(encoder),
        pytest.raises(ValueError, match="'bank' in layer 0 has no direction"),
    ):
        extraction.run(encoder, corpus, words=["bank"], reducers=(extraction.sums(),))


class encoder_of_zeros:
    """The same model with a final norm of the embeddings that gives zeros."""

    def __init__(self, encoder):
        self.norm = encoder.model.embeddings.LayerNorm

    def __enter__(self):
        import torch

        self.weight, self.bias = (
            self.norm.weight.detach().clone(),
            self.norm.bias.detach().clone(),
        )
        with torch.no_grad():
            self.norm.weight.zero_(), self.norm.bias.zero_()

    def __exit__(self, *_):
        import torch

        with torch.no_grad():
            self.norm.weight.copy_(self.weight), self.norm.bias.copy_(self.bias)


def test_a_shipped_model_agrees_with_one_sentence_at_a_time(corpus, near):
    from cwr import encoders

    bert = encoders.load("cwr-bert")
    got = extraction.run(bert, corpus, reducers=(extraction.vectors(), extraction.sums()))
    assert got.missing == 0 and len(got.table) == sum(
        len(sentence.spans) for sentence in corpus.sentences
    )
    for number in (0, 7):
        (batch,) = bert.encode([corpus.sentences[number]])
        for layer in (0, 2, 4):
            rows = got.vectors(layer)[(got.table["sentence"] == number).to_numpy()]
            distance = np.linalg.norm(rows - batch.hidden[layer], axis=1) / np.linalg.norm(
                rows, axis=1
            )
            assert distance.max() < near


def test_several_questions_take_one_pass_and_get_the_answers_of_their_own(
    encoder, corpus, monkeypatch
):
    bank, every = targets.occurrences(corpus, ["bank"]), targets.occurrences(corpus)
    asked = [
        (bank, [extraction.vectors(cap=3)]),
        (every, [extraction.sums()]),
        (whole_sentences(corpus).iloc[:4], [extraction.vectors(), extraction.sums()]),
    ]
    own = [extraction.run(encoder, corpus, table, reducers=kept) for table, kept in asked]
    cache.empty()
    passes, encode = [], type(encoder).encode
    monkeypatch.setattr(
        type(encoder),
        "encode",
        lambda *given, **named: passes.append(1) or encode(*given, **named),
    )
    for _ in range(2):  # cold, then warm
        together = extraction.together(encoder, corpus, asked)
        assert len(passes) == 1
        for one, other in zip(own, together, strict=True):
            assert (
                one.key == other.key
                and one.table.equals(other.table)
                and one.missing == other.missing
            )
            assert set(one.arrays) == set(other.arrays) and len(one.arrays)
            for name in one.arrays:
                np.testing.assert_allclose(one.arrays[name], other.arrays[name], **CLOSE)


def test_only_the_questions_that_the_cache_lacks_are_asked(encoder, corpus):
    bank = (targets.occurrences(corpus, ["bank"]), [extraction.vectors()])
    every = (targets.occurrences(corpus), [extraction.sums()])
    before = extraction.run(encoder, corpus, bank[0], reducers=bank[1])
    for asked in ([bank, every], [every, bank], [every, every]):
        cache.remove(extraction.run(encoder, corpus, every[0], reducers=every[1]).key)
        made = extraction.together(encoder, corpus, asked)
        again = extraction.run(encoder, corpus, bank[0], reducers=bank[1])
        assert again.plan == before.plan  # of its own pass, not of the later one
        assert made[0].plan["sentences"] >= again.plan["sentences"]


def test_equal_questions_are_answered_once(encoder, corpus, monkeypatch):
    plain, folders = cache.writing, []

    def writing(name, about):
        folders.append(name)
        return plain(name, about)

    monkeypatch.setattr(cache, "writing", writing)
    bank, river = (targets.occurrences(corpus, [word]) for word in ("bank", "river"))
    questions = [
        (table, [extraction.sums()]) for table in (bank, river, bank.copy(), bank)
    ]
    one, other, *equal = extraction.together(encoder, corpus, questions)
    assert len(folders) == len(set(folders)) == 2
    assert {answer.key for answer in equal} == {one.key} != {other.key}


def test_a_failing_question_leaves_no_folder_behind(
    encoder, corpus, monkeypatch, cache_folder
):
    monkeypatch.setattr(reducers.SumWriter, "finish", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        extraction.together(
            encoder,
            corpus,
            [
                (targets.occurrences(corpus, ["bank"]), [extraction.vectors()]),
                (targets.occurrences(corpus), [extraction.sums()]),
            ],
        )
    assert cache.entries() == [] and not list(cache_folder.rglob(cache.SCRATCH))


REDUCERS = {"vectors": extraction.vectors, "sums": extraction.sums}


@pytest.mark.parametrize("layers", [[-1], [1], (0, -1), [2, 1, -3, 2]])
def test_some_layers_are_those_of_an_extraction_of_all(
    encoder, corpus, layers, cache_folder
):
    both = (extraction.vectors(cap=2, seed=1), extraction.sums())
    whole = extraction.run(encoder, corpus, reducers=both)
    cache.empty()
    few = (
        extraction.vectors(cap=2, seed=1, layers=layers),
        extraction.sums(layers=layers),
    )
    some = extraction.run(encoder, corpus, reducers=few)
    assert some.table.equals(whole.table) and some.groups() == whole.groups()
    assert (some.missing, some.n_layers, some.plan) == (whole.missing, 2, whole.plan)
    kept = {layer % 3 for layer in layers}
    for layer in kept:
        np.testing.assert_array_equal(some.vectors(layer), whole.vectors(layer))
        for mine, full in zip(some.sums(layer), whole.sums(layer), strict=True):
            np.testing.assert_array_equal(mine, full)
    stems = {
        f"{name}.{layer}" for name in ("vectors", "sum", "unit_sum") for layer in kept
    }
    files = {file.stem for file in cache_folder.glob("extraction/*/*.npy")}
    assert files == {*stems, "count", "table"}  # nothing of the others is on the disk
    for layer in {0, 1, 2} - kept:
        for name, array in {"vectors": some.vectors, "sums": some.sums}.items():
            with pytest.raises(
                ValueError, match=f"kept {name} of the layers .* alone, not of {layer}"
            ):
                array(layer)


def test_reducers_may_keep_different_layers(encoder, corpus):
    both = (extraction.vectors(layers=[0]), extraction.sums(layers=[2]))
    mixed = extraction.run(encoder, corpus, reducers=both)
    whole = extraction.run(
        encoder, corpus, reducers=(extraction.vectors(), extraction.sums())
    )
    np.testing.assert_array_equal(mixed.vectors(0), whole.vectors(0))
    np.testing.assert_array_equal(mixed.sums(2).unit_sum, whole.sums(2).unit_sum)
    with pytest.raises(ValueError, match="kept vectors of the layers .0. alone, not of 2"):
        mixed.vectors(2)


@pytest.mark.parametrize("reducer", REDUCERS.values(), ids=REDUCERS)
def test_the_same_layers_are_one_key_however_they_are_written(encoder, corpus, reducer):
    def key(layers):
        kept = [reducer(layers=layers)]
        return extraction.run(encoder, corpus, words=["bank"], reducers=kept).key

    assert key(None) == key([0, 1, 2]) == key((-1, -2, -3))
    assert len({key(None), key([2]), key([1]), key([1, 2])}) == 4
    assert key([-1]) == key([2, 2])


@pytest.mark.parametrize("reducer", REDUCERS.values(), ids=REDUCERS)
def test_layers_that_do_not_exist_are_refused_at_once(
    encoder, corpus, reducer, monkeypatch
):
    monkeypatch.setattr(type(encoder), "encode", None)  # calling it would fail
    with pytest.raises(ValueError, match="layers are 0 to 2, or -1 to -3 .*; got 3, -4"):
        extraction.run(encoder, corpus, reducers=[reducer(layers=[1, 3, -4])])
    with pytest.raises(ValueError, match="at least one layer"):
        reducer(layers=[])
