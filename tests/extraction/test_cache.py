"""The cache: what decides a key, who computes, what survives a kill or damage, what is removed."""

import dataclasses
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from cwr import corpora, encoders, extraction, paths
from cwr.errors import UserError
from cwr.extraction import cache, targets

SOME = (extraction.vectors(cap=2), extraction.sums())


def entry_folders():
    return sorted(file.parent for file in paths.cache_root().rglob(cache.ABOUT))


def edited(corpus):
    first, she, *others = corpus.sentences  # only the text differs, not one target
    sentences = (
        first,
        dataclasses.replace(she, text=she.text.replace("sat", "ate")),
        *others,
    )
    return dataclasses.replace(
        corpus, sentences=sentences, fingerprint=corpora.fingerprint(sentences)
    )


def test_every_ingredient_changes_the_key_and_the_token_budget_does_not(
    encoder, corpus, folder, monkeypatch
):
    def key(encoder=encoder, corpus=corpus, **options):
        options = {"words": ["bank"], "reducers": (extraction.vectors(cap=3),)} | options
        return extraction.run(encoder, corpus, **options).key

    random = encoders.load(str(folder), random_init=True)
    keys = [
        key(),
        key(encoder=random),
        key(corpus=edited(corpus)),
        key(words=["bank", "river"]),
        key(unit="piece"),
        key(pooling="first"),
        key(skip_first_position=True),
    ]
    keys += [
        key(reducers=reducers)
        for reducers in (
            (extraction.vectors(),),
            (extraction.vectors(cap=4),),
            (extraction.vectors(cap=3, seed=1),),
            (extraction.sums(),),
            (extraction.vectors(cap=3), extraction.sums()),
        )
    ]
    table = targets.occurrences(corpus, ["bank"])
    assert key(words=None, targets=table) == keys[0] == key(max_tokens=20)
    keys += [
        key(words=None, targets=changed)
        for changed in (
            table[::-1],
            table.assign(first=0),
            table.assign(last=table["last"] + 1),
            table.assign(group="one"),
            table.assign(sentence=0, first=0, last=0),
        )
    ]
    monkeypatch.setattr(cache, "sources", lambda kind: "an edited library")
    keys.append(key())
    assert len(set(keys)) == len(keys)


def test_a_warm_cache_gives_the_same_bits_without_the_model(encoder, corpus, monkeypatch):
    cold = extraction.run(encoder, corpus, reducers=SOME)
    monkeypatch.setattr(type(encoder), "encode", None)  # calling it would fail
    warm = extraction.run(encoder, corpus, reducers=SOME)
    assert (
        warm.key == cold.key and warm.table.equals(cold.table) and warm.plan == cold.plan
    )
    for layer in range(3):
        np.testing.assert_array_equal(warm.vectors(layer), cold.vectors(layer))
        for a, b in zip(warm.sums(layer), cold.sums(layer), strict=True):
            np.testing.assert_array_equal(a, b)


def test_nothing_in_the_cache_is_pickled(encoder, corpus):
    extraction.run(encoder, corpus, reducers=SOME)
    (folder,) = entry_folders()
    for file in folder.glob("*.npy"):
        assert np.load(file, allow_pickle=False).dtype.kind in "fiV"
    assert {file.suffix for file in folder.iterdir()} == {".npy", ".json"}


def flip(file):
    """Change one bit of a file, so that its size stays."""
    content = bytearray(file.read_bytes())
    content[-6] ^= 64
    file.write_bytes(content)


def blank(file):
    """Replace the last half of a file by zeros."""
    size = file.stat().st_size
    os.truncate(file, size // 2)
    os.truncate(file, size)


def forget_a_layer(folder):
    """Take a file and its line in the list away, as if it had never been there."""
    note = json.loads((folder / cache.ABOUT).read_text())
    del note["files"]["vectors.2.npy"]
    (folder / cache.ABOUT).write_text(json.dumps(note))
    (folder / "vectors.2.npy").unlink()


def forge(folder, **note):
    """Write a list with the right checksum."""
    text = json.dumps({**note, "checksum": cache._checksum(note)})
    (folder / cache.ABOUT).write_text(text)


DAMAGES = {
    "truncated": lambda folder: os.truncate(folder / "vectors.2.npy", 200),
    "one bit": lambda folder: flip(folder / "vectors.2.npy"),
    "one bit of the table": lambda folder: flip(folder / "table.npy"),
    "zeros, as after a power failure": lambda folder: blank(folder / "vectors.2.npy"),
    "missing": lambda folder: (folder / "vectors.2.npy").unlink(),
    "missing everywhere": forget_a_layer,
    "no list": lambda folder: (folder / cache.ABOUT).unlink(),
    "half a list": lambda folder: os.truncate(folder / cache.ABOUT, 20),
    "an empty list": lambda folder: (folder / cache.ABOUT).write_text("[]"),
    "a number": lambda folder: (folder / cache.ABOUT).write_text("3"),
    "a forged list": lambda folder: forge(folder, files={}),
    "another list": lambda folder: (folder / cache.ABOUT).write_text('{"files": {}}'),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_noticed_and_made_again(encoder, corpus, damage):
    before = extraction.run(encoder, corpus, words=["bank"])
    expected = np.array(before.vectors(2))
    (folder,) = entry_folders()
    DAMAGES[damage](folder)
    after = extraction.run(encoder, corpus, words=["bank"])
    np.testing.assert_array_equal(after.vectors(2), expected)
    assert entry_folders() == [folder] and cache.holds(folder.name)


def test_a_file_is_summed_once_a_process_while_its_size_and_date_stay(
    encoder, corpus, monkeypatch
):
    summed, crc32 = [], cache.zlib.crc32

    def crc(content, *start):
        summed.append(len(content))
        return crc32(content, *start)

    monkeypatch.setattr(cache.zlib, "crc32", crc)
    before = extraction.run(encoder, corpus, words=["bank"])
    expected = np.array(before.vectors(2))
    (folder,) = entry_folders()
    file, note = folder / "vectors.2.npy", len((folder / cache.ABOUT).read_bytes())
    size, listed = (
        file.stat().st_size,
        sum(each.stat().st_size for each in folder.iterdir()),
    )
    assert cache.holds(folder.name)
    summed.clear()
    assert cache.holds(folder.name)
    assert sum(summed) < note  # of the list alone
    os.utime(file, ns=(0, file.stat().st_mtime_ns + 1))
    summed.clear()
    assert cache.holds(folder.name)  # of another date, and unchanged
    assert size <= sum(summed) < size + note < listed
    date = file.stat().st_mtime_ns
    flip(file)
    os.utime(file, ns=(0, date + 1))  # whatever a clock's steps are
    assert not cache.holds(folder.name)
    os.truncate(file, size - 1)
    os.utime(file, ns=(0, date))
    assert not cache.holds(folder.name)
    file.unlink()
    assert not cache.holds(folder.name)
    again = extraction.run(encoder, corpus, words=["bank"])
    np.testing.assert_array_equal(again.vectors(2), expected)


def test_entries_that_exchanged_their_folders_are_made_again(encoder, corpus):
    expected = {}
    for word in ("bank", "rate"):
        answer = extraction.run(encoder, corpus, words=[word])
        expected[word] = (answer.key, len(answer.table), np.array(answer.vectors(2)))
    one, two = (paths.cache_root() / "extraction" / key for key, _, _ in expected.values())
    one.rename(one.with_name("aside"))
    two.rename(one)
    one.with_name("aside").rename(two)
    assert {entry.model for entry in cache.entries()} == {"damaged"}
    for word, (key, n, vectors) in expected.items():
        again = extraction.run(encoder, corpus, words=[word])
        assert (again.key, len(again.table)) == (key, n)
        np.testing.assert_array_equal(again.vectors(2), vectors)


def test_an_entry_whose_list_was_forged_is_listed_as_damaged(encoder, corpus):
    extraction.run(encoder, corpus, words=["bank"])
    (folder,) = entry_folders()
    forge(folder, files={}, key=folder.name)
    assert [entry.model for entry in cache.entries()] == ["damaged"]


def test_a_damaged_entry_is_listed_and_emptied_like_any_other(encoder, corpus):
    for word in ("bank", "river"):
        extraction.run(encoder, corpus, words=[word])
    (entry_folders()[0] / cache.ABOUT).write_text("[]")
    assert sorted(entry.model for entry in cache.entries()) == sorted(
        ["damaged", encoder.name]
    )
    assert cache.empty() > 0 and cache.entries() == []


def compute(folder, cached, ready, answers):
    """One of two processes that want the same thing at the same time."""
    os.environ["CWR_CACHE"] = cached
    encoder = encoders.load(folder)
    sentences = tuple(
        corpora.joined("The bank raised its rate .".split()) for _ in range(400)
    )
    corpus = corpora.Corpus("long", sentences, corpora.fingerprint(sentences), "none")
    plain, calls = encoder.encode, []
    encoder.encode = lambda *given, **options: calls.append(1) or plain(*given, **options)
    ready.wait()
    got = extraction.run(encoder, corpus, max_tokens=64)
    answers.put((len(calls), got.key, float(np.sum(got.vectors(2), dtype=np.float64))))


def test_two_processes_that_want_the_same_compute_it_once(folder, cache_folder):
    context = multiprocessing.get_context("spawn")
    ready, answers = context.Barrier(2), context.Queue()
    given = (str(folder), str(cache_folder), ready, answers)
    both = [context.Process(target=compute, args=given) for _ in range(2)]
    for process in both:
        process.start()
    (one, two) = sorted(answers.get(timeout=120) for _ in both)
    for process in both:
        process.join()
    assert (one[0], two[0]) == (0, 1) and one[1:] == two[1:]


OPPOSITE = """
import os, sys, time
from cwr import corpora, encoders, extraction
from cwr.extraction import cache, targets
encoder = encoders.load(sys.argv[1])
text = corpora.load(sys.argv[2])
questions = [(targets.occurrences(text, [word]), [extraction.vectors()]) for word in sys.argv[3:]]
plain = cache._lock
def slow(*given, **options):
    time.sleep(0.3)                         # so that each holds a lock when it wants the next
    return plain(*given, **options)
cache._lock = slow
print("ready", flush=True)
sys.stdin.readline()
print(*(len(answer.table) for answer in extraction.together(encoder, text, questions)), flush=True)
"""


def test_two_processes_that_ask_in_opposite_order_do_not_wait_for_each_other(
    folder, story
):
    orders = [["bank", "river", "rate"], ["rate", "river", "bank"]]
    command = [sys.executable, "-c", OPPOSITE, str(folder), str(story)]
    both = [
        subprocess.Popen(
            [*command, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for words in orders
    ]
    try:
        assert [process.stdout.readline() for process in both] == ["ready\n", "ready\n"]
        for process in both:
            process.stdin.write("go\n")
            process.stdin.flush()
        answers = [process.communicate(timeout=60)[0].split() for process in both]
    finally:
        for process in both:
            process.kill()
    assert answers[0] == answers[1][::-1] == ["8", "4", "7"]


KILLED = """
import sys, time
from cwr import corpora, encoders, extraction
encoder = encoders.load(sys.argv[1])
plain = encoder.encode
def slow(*given, **options):
    for batch in plain(*given, **options):
        yield batch
        print("one batch is in", flush=True)
        time.sleep(60)
encoder.encode = slow
extraction.run(encoder, corpora.load(sys.argv[2]), words=["bank"], max_tokens=16)
"""


@pytest.mark.parametrize("is_local", [True, False])
def test_only_what_another_machine_may_read_is_flushed(
    encoder, corpus, monkeypatch, is_local
):
    calls = []
    monkeypatch.setattr(os, "fsync", calls.append)
    monkeypatch.setattr(paths, "is_local", lambda folder: is_local)
    extraction.run(encoder, corpus, words=["the"])
    assert bool(calls) != is_local


def test_a_killed_run_leaves_only_scratch_that_the_next_one_clears(
    encoder, corpus, story, folder, cache_folder
):
    command = [sys.executable, "-c", KILLED, str(folder), str(story)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert "one batch is in" in running.stdout.readline()
        running.send_signal(signal.SIGKILL)
    (scratch,) = cache_folder.glob(f"extraction/{cache.SCRATCH}")
    assert (
        (scratch / "vectors.0.npy").exists()
        and entry_folders() == []
        and cache.entries() == []
    )
    extraction.run(
        encoder, corpus, words=["river"]
    )  # another key: it clears what nobody holds
    assert not scratch.exists() and len(entry_folders()) == 1
    scratch.mkdir()
    got = extraction.run(encoder, corpus, words=["bank"])
    assert scratch.name.startswith(f".{got.key}.") and not scratch.exists()
    assert len(got.table) == 8


def test_a_failing_run_leaves_nothing(encoder, corpus, cache_folder, monkeypatch):
    monkeypatch.setattr(encoder, "encode", lambda *given, **options: 1 / 0, raising=False)
    with pytest.raises(ZeroDivisionError):
        extraction.run(encoder, corpus, words=["bank"])
    assert [
        path
        for path in cache_folder.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    ] == []


def test_the_least_recently_used_entries_go_first_and_the_newest_stays(
    encoder, corpus, monkeypatch
):
    for number, word in enumerate(["bank", "river", "rate"]):
        key = extraction.run(encoder, corpus, words=[word]).key
        os.utime(paths.cache_root() / "extraction" / key / cache.ABOUT, (number, number))
    bank, river, rate = (each.key for each in cache.entries())
    extraction.run(encoder, corpus, words=["bank"])  # used again
    assert [each.key for each in cache.entries()] == [river, rate, bank]
    sizes = {each.key: each.bytes for each in cache.entries()}
    monkeypatch.setenv("CWR_CACHE_GB", str((sum(sizes.values()) - 1) / 1e9))
    extraction.run(encoder, corpus, words=["bank"])
    assert [each.key for each in cache.entries()] == [rate, bank]
    monkeypatch.setenv("CWR_CACHE_GB", "0")
    kept = extraction.run(encoder, corpus, words=["the"])
    assert [each.key for each in cache.entries()] == [kept.key]


def test_answers_of_one_pass_stay_together_whatever_the_limit(
    encoder, corpus, monkeypatch
):
    monkeypatch.setenv("CWR_CACHE_GB", "0")
    words = ["bank", "river", "rate"]
    older = extraction.run(encoder, corpus, words=["the"])
    questions = [
        (targets.occurrences(corpus, [word]), [extraction.vectors()]) for word in words
    ]
    answers = extraction.together(encoder, corpus, questions)
    assert len({json.dumps(answer.plan) for answer in answers}) == 1  # of one pass
    assert [set(answer.table["group"]) for answer in answers] == [{word} for word in words]
    assert {entry.key for entry in cache.entries()} == {answer.key for answer in answers}
    assert older.key not in {entry.key for entry in cache.entries()}


def test_an_extraction_stays_readable_when_its_entry_is_removed(encoder, corpus):
    got = extraction.run(encoder, corpus, words=["bank"])
    expected = np.array(got.vectors(1))
    assert cache.empty() > 0 and entry_folders() == [] and cache.entries() == []
    np.testing.assert_array_equal(got.vectors(1), expected)


def test_entries_say_what_they_hold(encoder, corpus):
    before = time.time()
    key = extraction.run(encoder, corpus, words=["bank"]).key
    (entry,) = cache.entries()
    (folder,) = entry_folders()
    assert (entry.key, entry.model, entry.corpus) == (key, encoder.name, corpus.name)
    assert entry.bytes == sum(
        file.stat().st_size for file in folder.iterdir() if file.name != cache.ABOUT
    )
    assert before - 1 < entry.last_used < time.time() + 1
    ingredients = json.loads((folder / cache.ABOUT).read_text(encoding="utf-8"))[
        "ingredients"
    ]
    assert cache.key(ingredients) == key


@pytest.mark.parametrize("limit", ["much", "-1", "nan"])
def test_a_limit_that_is_no_number_is_refused(encoder, corpus, monkeypatch, limit):
    monkeypatch.setenv("CWR_CACHE_GB", limit)
    with pytest.raises(UserError, match="CWR_CACHE_GB"):
        extraction.run(encoder, corpus, words=["bank"])
    assert entry_folders() == []


def test_a_full_disk_is_told_in_one_sentence_and_nothing_is_left(
    encoder, corpus, cache_folder
):
    bank = targets.occurrences(corpus, ["bank"])
    many = bank.loc[bank.index.repeat(1000)]  # 3 layers of 0.5 MB
    cache_folder.mkdir()
    small_disk = ["mount", "-t", "tmpfs", "-o", "size=256k", "tiny", str(cache_folder)]
    if (
        sys.platform != "linux"
        or subprocess.run(small_disk, capture_output=True).returncode
    ):
        pytest.skip("needs a Linux machine and the right (root's) to mount a small disk")
    try:
        with pytest.raises(UserError, match="No space left on device.*CWR_CACHE"):
            extraction.run(encoder, corpus, many)
        assert (
            list(cache_folder.glob(f"extraction/{cache.SCRATCH}")) == []
            and entry_folders() == []
        )
    finally:
        subprocess.run(["umount", "--lazy", str(cache_folder)], check=True)
