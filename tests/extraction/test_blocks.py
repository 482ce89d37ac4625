"""A pass in blocks: its numbers by plain loops, to the bit whoever computes a block and in what order.

With blocks of another size the batches are others, and the last bits of a vector with them.
"""

import itertools
import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from cwr import corpora, extraction, paths
from cwr.errors import UserError
from cwr.extraction import cache, merging, questions, targets

BLOCK = 7
CLOSE = dict(rtol=1e-5, atol=1e-6)  # fp32 sums in another batch shape
ON_CPU = os.environ["DEVICE"] == "cpu"
KINDS = {
    "vectors": (extraction.vectors(),),
    "a sample": (extraction.vectors(cap=3, seed=4),),
    "sums": (extraction.sums(),),
    "sums of one layer and a sample": (
        extraction.sums(layers=[-1]),
        extraction.vectors(cap=2, layers=[0, 2]),
    ),
}


def long_text(corpus, n=40):
    """n sentences: the story's with words of each other, one twice, one beyond the window, one
    that the tokenizer drops."""
    random, words = (
        np.random.default_rng(1),
        [w for s in corpus.sentences for w in s.words],
    )
    made = [
        corpora.joined(random.choice(words, size))
        for size in random.integers(2, 14, n - 4)
    ]
    twice = corpora.joined(["the", "bank", "raised", "the", "rate"])
    made[3:3] = [twice, corpora.joined(random.choice(words, 90)), twice]
    made.insert(9, corpora.Sentence("none", "\u200d", ((0, 1),)))
    return corpora.Corpus("long", tuple(made), corpora.fingerprint(made), "none")


@pytest.fixture(scope="module")
def text(corpus):
    return long_text(corpus)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(questions, "BLOCK", BLOCK)


@pytest.fixture
def encoded(encoder, monkeypatch):
    """The number of sentences of each call of `encode`."""
    calls, plain = [], encoder.encode

    def encode(sentences, *given, **named):
        calls.append(len(sentences))
        return plain(sentences, *given, **named)

    monkeypatch.setattr(encoder, "encode", encode, raising=False)
    return calls


def cached():
    return {entry.key for entry in cache.entries()}


def question(encoder, text, reducers, table=None, **options):
    table = targets.occurrences(text) if table is None else table
    options = dict(unit="word", pooling="mean", skip_first_position=False) | options
    checked = targets.check_targets(text, table, options["unit"])
    return questions.Question(encoder, text, checked, tuple(reducers), options)


def assert_equal(one, other):
    assert one.table.equals(other.table) and one.groups() == other.groups()
    assert (one.key, one.missing, one.plan) == (other.key, other.missing, other.plan)
    assert set(one.arrays) == set(other.arrays) and one.arrays
    for name in one.arrays:
        np.testing.assert_array_equal(one.arrays[name], other.arrays[name])


# ---- against plain loops


def by_blocks(encoder, text, table, block, **options):
    """{(layer, row of the table): its vector}, and {(layer, group): (sum, sum of units, count)}.

    Each block is encoded by itself; sums are those of a batch, of a block, of all, one after another.
    """
    found, whole = {}, {}
    for begin in range(0, len(text.sentences), block):
        rows = table[table["sentence"].between(begin, begin + block - 1)]
        rows = rows.sort_values("sentence", kind="stable")
        needed = sorted(set(rows["sentence"]))
        of_block = {}
        for batch in encoder.encode(
            [text.sentences[number] for number in needed], **options
        ):
            of_batch = {}
            units = list(
                zip(batch.sentence.tolist(), batch.position.tolist(), strict=True)
            )
            place = {
                (needed[s], position): unit for unit, (s, position) in enumerate(units)
            }
            for row, (sentence, first, group) in zip(
                rows.index, rows[["sentence", "first", "group"]].to_numpy(), strict=True
            ):
                if (sentence, first) in place:
                    for layer, hidden in enumerate(batch.hidden):
                        vector = hidden[place[sentence, first]]
                        found[layer, row] = vector
                        add(of_batch, (layer, group), vector)
            add_all(of_block, of_batch)
        add_all(whole, of_block)
    return found, whole


def add(sums, key, vector):
    vector = vector.astype(np.float64)
    weight = 1 / np.sqrt(np.einsum("d,d->", vector, vector))
    total, unit_sum, count = sums.get(key, (0.0, 0.0, 0))
    sums[key] = total + vector, unit_sum + weight * vector, count + 1


def add_all(sums, others):
    for key, other in others.items():
        sums[key] = tuple(
            a + b for a, b in zip(sums.get(key, (0, 0, 0)), other, strict=True)
        )


@pytest.mark.parametrize("block", [1, 7, 25, 4096])
@pytest.mark.parametrize("skip_first_position", [False, True])
def test_blocks_give_what_plain_loops_give_to_the_bit(
    encoder, text, monkeypatch, block, skip_first_position
):
    monkeypatch.setattr(questions, "BLOCK", block)
    table = targets.occurrences(text).sample(frac=0.8, random_state=2)  # in no order
    table = table.iloc[[*range(len(table)), 0, 5]].reset_index(
        drop=True
    )  # two of them twice
    options = {"skip_first_position": skip_first_position}
    both = (extraction.sums(), extraction.vectors())
    got = extraction.run(encoder, text, table, reducers=both, **options)
    found, whole = by_blocks(encoder, text, table, block, **options)
    seen = sorted({row for _, row in found})
    assert got.missing == len(table) - len(seen) > 0
    assert got.table.equals(
        table.iloc[seen].reset_index(drop=True).astype(got.table.dtypes)
    )
    exact = dict(rtol=0, atol=0) if ON_CPU else CLOSE
    for layer in range(3):
        expected = np.stack([found[layer, row] for row in seen])
        np.testing.assert_allclose(got.vectors(layer), expected, **exact)
        sums = got.sums(layer)
        for number, group in enumerate(got.groups()):
            zeros = np.zeros(encoder.dim)
            total, unit_sum, count = whole.get((layer, group), (zeros, zeros, 0))
            assert sums.count[number] == count
            np.testing.assert_allclose(sums.sum[number], total, **exact)
            np.testing.assert_allclose(sums.unit_sum[number], unit_sum, rtol=1e-15)
    assert cached() == {got.key}  # no block is left


@pytest.mark.parametrize("reducers", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("unit", ["word", "piece"])
def test_the_size_of_blocks_moves_no_more_than_the_last_bits(
    encoder, text, monkeypatch, reducers, unit
):
    table = targets.pieces(encoder, text) if unit == "piece" else targets.occurrences(text)
    answers = []
    for block in (4096, 1, 7):
        monkeypatch.setattr(questions, "BLOCK", block)
        cache.empty()
        answers.append(extraction.run(encoder, text, table, reducers=reducers, unit=unit))
    whole, *others = answers
    for other in others:
        assert other.table.equals(whole.table) and other.key == whole.key
        assert (other.missing, other.groups()) == (whole.missing, whole.groups())
        for name in ("sentences", "tokens"):
            assert other.plan[name] == whole.plan[name]
        assert other.plan["batches"] > whole.plan["batches"]
        assert set(other.arrays) == set(whole.arrays)
        for name, array in whole.arrays.items():
            np.testing.assert_allclose(other.arrays[name], array, **CLOSE)


def test_a_sample_is_chosen_from_the_whole_table(encoder, text):
    """A sentence twice in a block and once in another: its repetitions are told apart."""
    sentences = (*text.sentences, *text.sentences[3:6])
    thrice = corpora.Corpus("thrice", sentences, corpora.fingerprint(sentences), "none")
    table = targets.check_targets(thrice, targets.occurrences(thrice))
    for seed in range(5):
        sample = extraction.vectors(cap=2, seed=seed)
        got = extraction.run(encoder, thrice, reducers=[sample])
        priority = sample.priority(thrice, table)
        kept = [
            row
            for group in range(len(table.groups))
            for row in sorted(
                np.flatnonzero(table.group == group), key=lambda row: priority[row]
            )[:2]
        ]
        expected = targets.occurrences(thrice).iloc[sorted(kept)]
        lost = expected["group"] == "\u200d"
        assert got.table[["sentence", "first"]].to_numpy().tolist() == (
            expected[~lost][["sentence", "first"]].to_numpy().tolist()
        )


def test_one_block_wherever_it_lies_is_the_answer_itself(encoder, text, monkeypatch):
    """Not a second copy on the disk, and not a bit else than without blocks."""
    names, plain = [], cache.writing
    monkeypatch.setattr(
        cache, "writing", lambda name, about: names.append(name) or plain(name, about)
    )
    table = targets.occurrences(text)
    table = table[table["sentence"].between(14, 20)]
    both = (extraction.vectors(), extraction.sums())
    one = extraction.run(encoder, text, table, reducers=both)
    assert names == [one.key]
    cache.empty()
    monkeypatch.setattr(questions, "BLOCK", 10**6)
    assert_equal(one, extraction.run(encoder, text, table, reducers=both))


# ---- whoever computes them


@pytest.mark.parametrize("reducers", KINDS.values(), ids=KINDS)
def test_no_order_and_no_time_of_merging_moves_a_bit(encoder, text, monkeypatch, reducers):
    whole = extraction.run(encoder, text, reducers=reducers)
    n = len(questions_of(encoder, text, reducers).blocks)
    assert n == 6
    for order, waiting in itertools.product(
        [(5, 3, 0, 4), (2, 1), ()], [0, 1500, 1 << 40]
    ):
        cache.empty()
        monkeypatch.setattr(merging, "WAITING", waiting)
        compute(questions_of(encoder, text, reducers), order)
        assert len(cached()) == len(order)
        assert_equal(extraction.run(encoder, text, reducers=reducers), whole)
        assert cached() == {whole.key}


def questions_of(encoder, text, reducers):
    return question(encoder, text, reducers)


def compute(asked, order):
    """Computes some blocks of a question in this order, as a helper does."""
    from cwr.extraction import passes

    bar = passes._bar([asked])
    for index in order:
        assert passes._compute([asked.blocks[index]], None, bar)


def test_the_disk_holds_a_few_blocks_of_sums_at_a_time(encoder, text, monkeypatch):
    monkeypatch.setattr(questions, "BLOCK", 1)
    monkeypatch.setattr(merging, "WAITING", 0)
    merge, most = merging.merge_ready, []

    def merge_ready(asked):
        most.append(sum(entry.bytes for entry in cache.entries()))
        merge(asked)

    monkeypatch.setattr(merging, "merge_ready", merge_ready)
    got = extraction.run(
        encoder, text, words=["the", "bank"], reducers=[extraction.sums()]
    )
    blocks = got.plan["sentences"]
    assert blocks > 15 and got.arrays["count"].sum() > blocks
    (entry,) = cache.entries()
    assert max(most) < 4 * entry.bytes < blocks * entry.bytes / 3


def test_several_questions_share_the_pass_of_each_block(encoder, text, encoded):
    some = targets.occurrences(text, ["the", "bank"])
    asked = [
        (some, [extraction.vectors(cap=4)]),
        (targets.occurrences(text), [extraction.sums()]),
    ]
    asked.append((some[some["sentence"] < BLOCK], [extraction.vectors()]))
    together = extraction.together(encoder, text, asked)
    assert encoded == [7, 7, 7, 7, 7, 5]  # six passes for three questions
    own = [extraction.run(encoder, text, table, reducers=kept) for table, kept in asked]
    for one, other in zip(together, own, strict=True):
        assert_equal(one, other)
    cache.empty()
    for (table, kept), one in zip(asked, together, strict=True):
        alone = extraction.run(encoder, text, table, reducers=kept)
        assert alone.table.equals(one.table)
        for name in one.arrays:
            np.testing.assert_allclose(one.arrays[name], alone.arrays[name], **CLOSE)


def test_a_lone_block_and_what_shares_its_batches_are_left_to_who_reserved_it(
    encoder, text, encoded
):
    """The batches are those of all questions, whoever encodes them."""
    from cwr.extraction import passes

    lone = targets.occurrences(text, ["the", "bank"])
    lone = lone[lone["sentence"] < BLOCK]
    tables = [lone, targets.occurrences(text)]
    asked = [question(encoder, text, [extraction.sums()], table) for table in tables]
    with cache.reserved([each.key for each in asked]):
        assert passes._help(asked, None)
        assert encoded == [7, 7, 7, 7, 5]
        assert not passes._help(asked, None)
    kept = [(table, [extraction.sums()]) for table in tables]
    shared = extraction.together(encoder, text, kept)
    assert encoded[5:] == [7]
    cache.empty()
    for one, other in zip(shared, extraction.together(encoder, text, kept), strict=True):
        assert_equal(one, other)


def test_a_kill_between_merging_and_removing_leaves_nothing(encoder, text, monkeypatch):
    reducers = [extraction.sums(), extraction.vectors(cap=3)]
    expected = extraction.run(encoder, text, reducers=reducers)
    cache.empty()
    asked = question(encoder, text, reducers)
    compute(asked, [0, 1, 2])
    with monkeypatch.context() as patched:
        patched.setattr(merging, "WAITING", 0)
        patched.setattr(cache, "discard", lambda *names: None)
        merging.merge_ready(asked)
    assert len(cached()) == 4 and asked.n_merged == 3
    assert_equal(extraction.run(encoder, text, reducers=reducers), expected)
    assert cached() == {expected.key}


def test_an_answer_at_hand_is_read_without_choosing_a_sample(encoder, text, monkeypatch):
    before = extraction.run(encoder, text, reducers=[extraction.vectors(cap=3)])
    monkeypatch.setattr(extraction.vectors, "priority", None)  # calling it would fail
    assert_equal(
        extraction.run(encoder, text, reducers=[extraction.vectors(cap=3)]), before
    )


def test_there_is_one_bar_for_all_blocks(encoder, text, monkeypatch):
    from cwr.extraction import passes

    totals, plain = [], passes.tqdm
    monkeypatch.setattr(
        passes, "tqdm", lambda **named: totals.append(named["total"]) or plain(**named)
    )
    extraction.run(encoder, text, reducers=[extraction.sums()])
    assert totals == [len(text.sentences)]


BLOCKS = """
import json, sys, time
import numpy as np
from cwr import corpora, encoders, extraction
from cwr.extraction import passes, questions
questions.BLOCK = int(sys.argv[3])
encoder, pause = encoders.load(sys.argv[1]), float(sys.argv[4])
sentences = tuple(corpora.joined(words) for words in json.load(open(sys.argv[2])))
text = corpora.Corpus("long", sentences, corpora.fingerprint(sentences), "none")
plain = encoder.encode
def encode(*given, **options):
    print("a block", flush=True)
    time.sleep(pause)
    return plain(*given, **options)
encoder.encode = encode
print("ready", flush=True)
sys.stdin.readline()
answer = extraction.run(encoder, text, reducers=[extraction.sums(), extraction.vectors(cap=3)])
print("answer", answer.key, json.dumps(answer.plan), flush=True)
"""


@pytest.fixture
def started(folder, tmp_path, text):
    """started(n, pause): n processes that ask the same and wait for a line."""
    file, running = tmp_path / "words.json", []
    words = [sentence.words for sentence in text.sentences if sentence.id == "joined"]
    file.write_text(json.dumps(words))

    def start(n, pause):
        command = [
            sys.executable,
            "-c",
            BLOCKS,
            str(folder),
            str(file),
            str(BLOCK),
            str(pause),
        ]
        running.extend(
            subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            for _ in range(n)
        )
        assert [process.stdout.readline() for process in running] == ["ready\n"] * n
        return running

    yield start
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def told(text):
    """The text of those processes, and what they ask."""
    sentences = tuple(corpora.joined(s.words) for s in text.sentences if s.id == "joined")
    whole = corpora.Corpus("long", sentences, corpora.fingerprint(sentences), "none")
    return whole, [extraction.sums(), extraction.vectors(cap=3)]


def go(process):
    process.stdin.write("go\n")
    process.stdin.flush()


def test_a_killed_pass_loses_one_block(encoder, told, started, encoded, cache_folder):
    whole, reducers = told
    blocks = questions_of(encoder, whole, reducers).blocks
    (process,) = started(1, 0.0 if len(blocks) < 3 else 0.5)
    go(process)
    for _ in range(4):
        assert process.stdout.readline() == "a block\n"
    process.send_signal(signal.SIGKILL)  # while it is at the fourth
    process.wait()
    assert len(cached()) == 3
    resumed = extraction.run(encoder, whole, reducers=reducers)
    assert len(encoded) == len(blocks) - 3
    assert sum(encoded) == len(whole.sentences) - 3 * BLOCK
    assert not list(cache_folder.rglob(cache.SCRATCH))
    cache.empty()
    assert_equal(resumed, extraction.run(encoder, whole, reducers=reducers))
    assert len(encoded) == 2 * len(blocks) - 3


def test_processes_share_the_blocks_of_a_pass(encoder, told, started):
    whole, reducers = told
    blocks = questions_of(encoder, whole, reducers).blocks
    processes = started(2, 1.0)
    for process in processes:
        go(process)
    lines = [process.communicate(timeout=120)[0].splitlines() for process in processes]
    counts = [printed.count("a block") for printed in lines]
    assert sum(counts) == len(blocks) and min(counts) > 0
    assert lines[0][-1] == lines[1][-1]
    shared = extraction.run(encoder, whole, reducers=reducers)
    assert lines[0][-1] == f"answer {shared.key} {json.dumps(shared.plan)}"
    assert cached() == {shared.key}
    cache.empty()
    assert_equal(shared, extraction.run(encoder, whole, reducers=reducers))


# ---- what the cache does with them


def truncate(folder, other):
    os.truncate(folder / "sum.2.npy", 200)


def exchange(folder, other):
    """The block of another model in the place of this one's."""
    for file in folder.iterdir():
        file.unlink()
    for file in other.iterdir():
        file.rename(folder / file.name)


@pytest.mark.parametrize("damage", [truncate, exchange])
@pytest.mark.parametrize("merged", [False, True])
def test_a_damaged_block_is_made_again(
    encoder, text, monkeypatch, encoded, damage, merged
):
    reducers = [extraction.sums(), extraction.vectors(cap=3)]
    expected = extraction.run(encoder, text, reducers=reducers)
    cache.empty()
    other = dict(pooling="first")
    asked, others = (
        question(encoder, text, reducers, **options) for options in ({}, other)
    )
    compute(others, [0, 1])
    compute(asked, [0, 1])
    names = [each.blocks[1].key for each in (asked, others)]
    if merged:
        monkeypatch.setattr(merging, "WAITING", 0)
        for each in (asked, others):
            merging.merge_ready(each)
        names = [each.merged_key for each in (asked, others)]
    root = paths.cache_root() / "extraction"
    damage(*(root / name for name in names))
    assert not cache.holds(names[0])
    encoded.clear()
    assert_equal(extraction.run(encoder, text, reducers=reducers), expected)
    assert len(encoded) == len(asked.blocks) - (0 if merged else 1)


def test_blocks_stay_while_their_answer_is_made_whatever_the_limit(
    encoder, text, monkeypatch
):
    asked = question(encoder, text, [extraction.sums()])
    compute(asked, [0, 2])
    blocks = cached()
    monkeypatch.setenv("CWR_CACHE_GB", "0")
    with cache.reserved([asked.key]):
        other = extraction.run(
            encoder, text, words=["bank"], reducers=[extraction.vectors(1)]
        )
        assert cached() == {*blocks, other.key}
        assert cache.empty() > 0 and cached() == blocks
    extraction.run(encoder, text, words=["the"], reducers=[extraction.vectors(1)])
    assert not cached() & blocks  # nobody is at the answer any more


def test_vectors_that_do_not_fit_on_the_disk_are_refused_before_the_pass(
    encoder, text, monkeypatch, encoded
):
    n = len(targets.occurrences(text))
    one_copy = n * 3 * 16 * 4
    monkeypatch.setattr(cache, "free", lambda: 2 * one_copy - 1)
    with pytest.raises(
        UserError, match=rf"vectors of {n} targets in 3 layers .* ask for sums"
    ):
        extraction.run(encoder, text)
    assert not encoded and not cached()
    monkeypatch.setattr(cache, "free", lambda: 0)
    extraction.run(encoder, text, reducers=[extraction.sums()])
    monkeypatch.setattr(cache, "free", lambda: 2 * one_copy)
    extraction.run(encoder, text)
    cache.empty()
    asked = question(encoder, text, [extraction.vectors()])
    compute(asked, [0, 1, 2])  # they need no place any more
    kept = asked.blocks[2].end * 3 * 16 * 4
    monkeypatch.setattr(cache, "free", lambda: 2 * one_copy - kept)
    extraction.run(encoder, text)
