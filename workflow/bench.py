"""Measure the library against its alternatives, all ratios within one run, and write book/bench.md.

    make bench          on an idle machine; a few minutes. Nothing here is a test: a time never fails a build.
"""
import argparse
import datetime
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from itertools import combinations
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parents[1] / "book" / "bench.md"
REPEATS = 3
TEXT = """# How fast is it?

Made by `make bench` on {date}: {machine}, {threads} threads, commit {commit}. Every ratio compares two ways within one
run on the same machine; the median of {repeats} repeats. Your times will differ, the ratios less so.

| what is compared | on what | result |
|---|---|---|
{rows}

Tokenisation is outside the first ratios and stated beside them, because for a small model it is a visible share of the
work that no extraction can avoid. Peak memory counts the whole process with the model.
"""


def median(*actions) -> list[float]:
    """Median seconds of each action, the actions taking turns."""
    times = np.empty((REPEATS, len(actions)))
    for repeat in range(REPEATS):
        for number, action in enumerate(actions):
            started = time.perf_counter()
            action()
            times[repeat, number] = time.perf_counter() - started
    return np.median(times, axis=0).tolist()


def extraction_rows(name: str, n: int) -> list[tuple[str, str, str]]:
    """Extraction against the bare forward pass on the same batches, and against one sentence at a time."""
    import torch

    from cwr import corpora, encoders, extraction
    from cwr.encoders import batches, windows
    from cwr.extraction import cache, targets

    encoder, text = encoders.load(name), corpora.load("lee").sample(n, 0)
    every = targets.occurrences(text)
    words = every[every["group"].map(every["group"].value_counts()) >= 5]
    random = targets.random_tokens(text, 1000, 0)
    pieces = encoder._tokenise(text.sentences)
    rows = windows.cut(pieces, encoder._room)
    given = [encoder._fill(taken, cut, np.arange(len(cut.start)))
             for chosen in batches.group(rows, encoder._specials, 2048)
             for taken in [pieces.take(chosen)] for cut in [windows.cut(taken, encoder._room)]]
    tokens = int(sum(batch.mask.sum() for batch in given))

    def bare():
        with torch.inference_mode():
            for batch in given:
                encoder.model(input_ids=batch.ids, attention_mask=batch.mask, position_ids=batch.positions,
                              output_hidden_states=True)

    def vectors():
        cache.empty()
        extraction.run(encoder, text, targets=random)

    def sums():
        cache.empty()
        extraction.run(encoder, text, targets=words, reducers=[extraction.sums()])

    bare()
    plain, drawn, summed, tokenising = median(bare, vectors, sums, lambda: encoder._tokenise(text.sentences))
    few = text.sentences[:200]
    single, batched = median(lambda: [list(encoder.encode([s])) for s in few], lambda: list(encoder.encode(few)))
    on = f"`{name}`, {len(text.sentences):,} sentences, {tokens:,} tokens"
    return [
        ("vectors of random words in every layer (Figure 1) / bare forward on the same batches", on,
         f"{(drawn - tokenising) / plain:.2f}"),
        ("sums over frequent words in every layer (Figure 2) / bare forward on the same batches", on,
         f"{(summed - tokenising) / plain:.2f}"),
        ("tokenisation / bare forward", on, f"{tokenising / plain:.2f}, at {tokens / plain:,.0f} tokens/s bare"),
        ("one sentence at a time / batches by length", f"`{name}`, {len(few)} sentences", f"{single / batched:.1f}")]


def closed_form_rows() -> list[tuple[str, str, str]]:
    """The closed form of self-similarity against the loop over pairs."""
    from cwr.measures import contextuality
    vectors = np.random.default_rng(0).normal(size=(1000, 384)) + 0.3

    def loop():
        return np.mean([a @ b / np.sqrt((a @ a) * (b @ b)) for a, b in combinations(vectors, 2)])

    difference = abs(loop() - contextuality.self_similarity(vectors))
    slow, fast = median(loop, lambda: contextuality.self_similarity(vectors))
    return [("pair loop / closed form of self-similarity", "1,000 occurrences, 384 dimensions",
             f"{slow / fast:,.0f}; the values differ by {difference:.0e}")]


def memory_rows(name: str) -> list[tuple[str, str, str]]:
    """Peak memory of extracting a corpus and ten times that corpus, each in a process of its own."""
    peaks = [int(subprocess.run([sys.executable, __file__, "--peak", name, str(times)], check=True,
                                capture_output=True, text=True).stdout) for times in (1, 10)]
    return [("peak memory: a corpus, ten times that corpus",
             f"`{name}`, 250 and 2,500 sentences, vectors and sums of ten words", f"{peaks[0]:,} MB, {peaks[1]:,} MB")]


def peak(name: str, times: int) -> int:
    """Megabytes at most resident while `times` x 250 sentences of Lee are extracted."""
    from cwr import corpora, encoders, extraction
    text = corpora.load("lee").sample(250, 0)
    sentences = text.sentences * times
    text = corpora.Corpus(text.name, sentences, f"{text.fingerprint} x {times}", text.licence)
    common = ["the", "of", "to", "and", "in", "a", "said", "is", "that", "on"]
    extraction.run(encoders.load(name), text, words=common, reducers=[extraction.vectors(20), extraction.sums()])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peak", nargs=2, metavar=("MODEL", "TIMES"), help=argparse.SUPPRESS)
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CWR_CACHE"] = folder
        if said.peak:
            print(peak(said.peak[0], int(said.peak[1])))
            return
        rows = extraction_rows("minilm", 700) + memory_rows("minilm") + closed_form_rows()
    import torch
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else f"{os.cpu_count()} cores, no GPU"
    PAGE.write_text(TEXT.format(
        date=datetime.date.today(), machine=f"{platform.system()} {platform.machine()}, {device}",
        threads=torch.get_num_threads(), commit=commit, repeats=REPEATS,
        rows="\n".join("| " + " | ".join(row) + " |" for row in rows)), encoding="utf8")
    print(json.dumps(rows, indent=1), f"written: {PAGE}", sep="\n")


if __name__ == "__main__":
    main()
