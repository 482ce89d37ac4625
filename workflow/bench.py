"""Measure the library against its alternatives, all ratios in one run, and write book/bench.md.

make bench          on an idle machine; a few minutes. No test: a time never fails a build.
"""

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parents[1] / "book" / "bench.md"
REPEATS = 3
TEXT = """# How fast is it?

Made by `make bench` on {date}: {machine}, {threads} threads, commit {commit}. Every ratio compares
two ways within one run on the same machine; the median of {repeats} repeats (the row on Table 1: one run on one
thread). Your times will differ, the ratios less so.

| what is compared | on what | result |
|---|---|---|
{rows}

Tokenisation is outside the ratios of extraction and stated beside them: for a small model it is a
visible share of the work that no extraction can avoid. Peak memory counts the whole process with the
model.
"""


def median(*actions, before: Callable[[], None] = lambda: None) -> list[float]:
    """Median seconds of each action, the actions taking turns; `before` each, not timed."""
    times = np.empty((REPEATS, len(actions)))
    for repeat in range(REPEATS):
        for number, action in enumerate(actions):
            before()
            started = time.perf_counter()
            action()
            times[repeat, number] = time.perf_counter() - started
    return np.median(times, axis=0).tolist()


def bare_forward(encoder, inputs: list) -> Callable[[], None]:
    """What runs the model on these inputs, every layer out, and nothing else."""
    import torch

    from bench_extraction import hidden_states

    def run():
        with torch.inference_mode():
            for batch in inputs:
                hidden_states(encoder, batch)

    return run


def extraction_rows(name: str, n: int) -> list[tuple[str, str, str]]:
    """Extraction of every word against the bare forward pass on the same batches."""
    import bench_extraction
    from cwr import extraction

    ways = bench_extraction.Comparison(name, n)
    plain, tokenising, by_hand, vectors, sums = median(
        bare_forward(ways.encoder, ways.inputs),
        ways.tokenising,
        ways.by_hand,
        ways.by_library(extraction.vectors()),
        ways.by_library(extraction.sums()),
        before=ways.empty,
    )
    subject = f"`{name}`, {n:,} sentences of `{bench_extraction.CORPUS}`, {ways.tokens:,} tokens"
    return [
        (
            "every word in every layer / bare forward on the same batches",
            subject,
            f"vectors {(vectors - tokenising) / plain:.2f}, sums {(sums - tokenising) / plain:.2f}, "
            f"vectors by a hand-written loop {by_hand / plain:.2f}; tokenisation "
            f"{tokenising / plain:.2f}, at {ways.tokens / plain:,.0f} tokens/s bare",
        )
    ]


def single_rows(name: str, n: int) -> list[tuple[str, str, str]]:
    """Sentence by sentence against batches of similar length."""
    from cwr import corpora, encoders

    encoder, few = encoders.load(name), corpora.load("lee").sample(n, 0).sentences
    single, batched = median(
        lambda: [list(encoder.encode([sentence])) for sentence in few],
        lambda: list(encoder.encode(few)),
    )
    return [
        (
            "one sentence at a time / batches by length",
            f"`{name}`, {n} sentences of `lee`",
            f"{single / batched:.1f}",
        )
    ]


def closed_form_rows() -> list[tuple[str, str, str]]:
    """Self-similarity (Ethayarajh 2019, equation 1) in closed form, against the loop over pairs."""
    from cwr.measures import contextuality

    vectors = np.random.default_rng(0).normal(size=(1000, 384)) + 0.3

    def loop():
        pairs = combinations(vectors, 2)
        return np.mean([a @ b / np.sqrt((a @ a) * (b @ b)) for a, b in pairs])

    difference = abs(loop() - contextuality.self_similarity(vectors))
    slow, fast = median(loop, lambda: contextuality.self_similarity(vectors))
    return [
        (
            "pair loop / closed form of self-similarity",
            "1,000 occurrences, 384 dimensions",
            f"{slow / fast:,.0f}; the values differ by {difference:.0e}",
        )
    ]


def geometry_rows() -> list[tuple[str, str, str]]:
    """Table 1 of Biś et al. (2021) from one Gram matrix, against the textbook, in a fresh process.

    CPU seconds of one thread, since the textbook's solver uses more.
    """
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.run(
        [sys.executable, Path(__file__).with_name("bench_table_1.py")],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    comparison = json.loads(process.stdout)
    return [
        (
            "textbook (`numpy.linalg.eig`, a loop over eigenvectors, three matrices, one sign) / "
            "one Gram matrix (both signs), CPU",
            "Table 1's three isotropies of a matrix of 50,257 × 768, float32",
            f"{comparison['slow'] / comparison['fast']:.1f}, at {comparison['fast']:.1f} s and "
            f"{comparison['megabytes']} MB beside the matrix (textbook {comparison['slow_megabytes']} MB); "
            f"the values differ by {comparison['difference']:.0e}",
        )
    ]


def static_vector_rows() -> list[tuple[str, str, str]]:
    """Table 1 of Ethayarajh (2019): first components of all words, and analogies."""
    import bench_static_vectors as static

    components, difference = static.components()
    by_word, together = median(*components)
    analogies, questions, is_equal = static.analogies()
    by_gensim, in_blocks = median(*analogies)
    return [
        (
            "scikit-learn's `TruncatedSVD` word by word / first components by groups of equal n",
            f"{static.WORDS:,} words, 5 to {static.OCCURRENCES} occurrences, {static.DIM} dimensions",
            f"{by_word / together:.1f}; the values differ by {difference:.0e}",
        ),
        (
            "gensim's `evaluate_word_analogies` / 3CosAdd in blocks",
            f"{questions:,} of Google's questions, 905 words, 128 dimensions",
            f"{by_gensim / in_blocks:.1f}; {'the same' if is_equal else 'OTHER'} answers are right",
        ),
    ]


def distillation_rows() -> list[tuple[str, str, str]]:
    """Updates of X2Static (Gupta and Jaggi 2021, equation 1): gathers, and optimisers."""
    import bench_distillation as updates

    batch = f"{updates.TARGETS} targets, {updates.NEGATIVES} negatives"
    rows = []
    for words, dim in updates.SIZES:
        gathers, difference = updates.gathers(words, dim)
        released, one_gather = median(*gathers)
        rows.append(
            (
                "released form of X2Static's loss / one gather",
                f"{words:,} words, {dim} dimensions, {batch}",
                f"{released / one_gather:.2f}; the gradients differ by {difference:.0e}",
            )
        )
    dense, lazy = median(*updates.optimisers(*updates.SIZES[-1]))
    rows.append(
        (
            "dense Adam / lazy Adam, a whole update",
            f"{words:,} words, {dim} dimensions, {batch}",
            f"{dense / lazy:.1f}",
        )
    )
    return rows


def context_rows(name: str, n: int) -> list[tuple[str, str, str]]:
    """Contexts of sentences (Gupta and Jaggi 2021) against the bare forward, and their memory."""
    import bench_contexts

    encoder, text, read = bench_contexts.from_scratch(name, n)
    inputs = [encoder.input(batch) for batch in encoder.batches(text.sentences)]
    plain, alone, together, tokenising = median(
        bare_forward(encoder, inputs),
        lambda: read(averages=False),
        read,
        lambda: encoder.tokenise(text.sentences),
    )
    subject = f"`{name}`, {n:,} sentences of `wiki-sample`"
    peaks = [megabytes(bench_contexts.__file__, name, n, times) for times in (1, 10)]
    return [
        (
            "contexts of sentences by sums / bare forward on the same batches",
            subject,
            f"{(alone - tokenising) / plain:.1f}; with the averages of words in every layer "
            f"{(together - tokenising) / plain:.1f}",
        ),
        (
            "peak memory: contexts of a text, of ten times that text",
            f"{subject}, and each of them ten times",
            f"{peaks[0]:,} MB, {peaks[1]:,} MB",
        ),
    ]


def megabytes(script: str, *arguments: object) -> int:
    """The peak that a script of ours prints, run in a fresh process."""
    command = [sys.executable, script, *map(str, arguments)]
    process = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(process.stdout)


def probe_rows(name: str) -> list[tuple[str, str, str]]:
    """Probes of semantic classes (Zhao et al. 2020): class by class, and all at once."""
    import bench_probes

    probes = bench_probes.Comparison()
    one_by_one, at_once, products = median(probes.one_by_one, probes.batched, bench_probes.products)
    spread, batched_spread = (
        "{:.3f} ± {:.3f}".format(*probes.f1(way)) for way in (probes.one_by_one, probes.batched)
    )
    trained, most = bench_probes.of_contexts(name), bench_probes.Settings()
    studies = []
    few, ended, cut_off = median(
        lambda: trained(replace(most, epochs=12, until=0)),
        lambda: studies.append(trained(most)),
        lambda: trained(replace(most, until=0)),
    )
    return [
        (
            "scikit-learn's `MLPClassifier` class by class / all probes at once",
            f"{bench_probes.LAYERS} layers, {len(bench_probes.CLASSES)} classes, "
            f"{bench_probes.CONTEXTS:,} contexts, {bench_probes.DIM} dimensions, "
            f"{bench_probes.SETTINGS.hidden} hidden units",
            f"{one_by_one / at_once:.1f}; F1 {spread} and {batched_spread} over seeds; bare matrix "
            f"products take {products / at_once:.0%} of the time; scikit-learn's network has one output for two, and "
            "learns half as fast",
        ),
        (
            f"all probes for 12 epochs, and for {most.epochs} / each to its own end, {most.epochs} at most",
            f"`{name}`, all layers, the contexts of `zhao2020/04`",
            f"{few / ended:.2f}, and {cut_off / ended:.1f}; {studies[0].is_settled.mean():.0%} have levelled off",
        ),
    ]


def structural_probe_rows() -> list[tuple[str, str, str]]:
    """A step of the structural probe (Hewitt and Manning 2019): Gram matrix, all differences."""
    import bench_structural as structural

    probe = structural.Comparison()
    difference = probe.difference()
    naive, gram = median(
        lambda: probe.steps(structural.all_differences),
        lambda: probe.steps(structural.structural.distance_loss),
    )
    return [
        (
            "all n × n × k differences / Gram matrix with its closed gradient, a step",
            f"{structural.SENTENCES} sentences of {structural.WORDS} words, {structural.DIM} "
            f"dimensions, rank {structural.RANK}",
            f"{naive / gram:.1f}; losses and gradients differ by {difference:.0e} (gate: 2, and 1e-06)",
        )
    ]


def edge_rows() -> list[tuple[str, str, str]]:
    """Edge probes (Tenney et al. 2019): one after another, and all of a task at once."""
    import bench_edges

    probes = bench_edges.Comparison()
    one_by_one, at_once = median(probes.one_by_one, probes.batched)
    plain, multiplied = median(lambda: probes.of_pairs(False), lambda: probes.of_pairs(True))
    number = len(bench_edges.GROUPS) * len(bench_edges.RANGES)
    return [
        (
            "edge probes one after another in plain PyTorch / all of a task at once",
            f"{number} probes of {bench_edges.LAYERS} layers, {bench_edges.TARGETS:,} targets, "
            f"{bench_edges.DIM} dimensions, {bench_edges.LABELS} labels",
            f"{one_by_one / at_once:.1f} (gate: 4); logits differ by at most "
            f"{probes.difference():.1g}",
        ),
        (
            "edge probes of two spans side by side / with products and absolute differences",
            f"as many, {2 * bench_edges.DIM} and {4 * bench_edges.DIM} dimensions",
            f"{plain / multiplied:.2f}",
        ),
    ]


def memory_rows(name: str) -> list[tuple[str, str, str]]:
    """Peak memory of extracting a corpus and ten times that corpus, each in a fresh process."""
    peaks = [megabytes(__file__, "--peak", name, times) for times in (1, 10)]
    return [
        (
            "peak memory: a corpus, ten times that corpus",
            f"`{name}`, 250 sentences of `lee`, and each of them ten times, vectors and sums of ten words",
            f"{peaks[0]:,} MB, {peaks[1]:,} MB",
        )
    ]


def peak(name: str, times: int) -> int:
    """Megabytes at most resident while `times` x 250 sentences of Lee are extracted."""
    import bench_memory
    from cwr import corpora, encoders, extraction

    text = corpora.load("lee").sample(250, 0)
    sentences = text.sentences * times
    text = corpora.Corpus(text.name, sentences, f"{text.fingerprint} x {times}", text.licence)
    common = ["the", "of", "to", "and", "in", "a", "said", "is", "that", "on"]
    reducers = [extraction.vectors(20), extraction.sums()]
    extraction.run(encoders.load(name), text, words=common, reducers=reducers)
    return bench_memory.peak()


def page(rows: list[tuple[str, str, str]]) -> str:
    """The page with these rows, and the machine they were measured on."""
    import torch

    git = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    device = f"{os.cpu_count()} cores, no GPU"
    if torch.cuda.is_available():
        device = torch.cuda.get_device_name()
    return TEXT.format(
        date=datetime.date.today(),
        machine=f"{platform.system()} {platform.machine()}, {device}",
        threads=torch.get_num_threads(),
        commit=git.stdout.strip(),
        repeats=REPEATS,
        rows="\n".join("| " + " | ".join(row) + " |" for row in rows),
    )


def main() -> None:
    """Measure everything and write the page; with --peak, print the memory of one extraction."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peak", nargs=2, metavar=("MODEL", "TIMES"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CWR_CACHE"] = folder
        if arguments.peak:
            name, times = arguments.peak
            print(peak(name, int(times)))
            return
        models = ("cwr-bert", "cwr-gpt", "minilm")
        rows = [row for name in models for row in extraction_rows(name, 1_000)]
        rows += single_rows("minilm", 200) + memory_rows("minilm") + closed_form_rows()
        rows += geometry_rows() + static_vector_rows() + distillation_rows()
        rows += context_rows("cwr-bert", 1_700) + probe_rows("cwr-bert") + edge_rows()
        rows += structural_probe_rows()
    PAGE.write_text(page(rows), encoding="utf8")
    print(json.dumps(rows, indent=1), f"written: {PAGE}", sep="\n")


if __name__ == "__main__":
    main()
