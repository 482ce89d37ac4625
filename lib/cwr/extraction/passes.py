"""Passes over a corpus: each encodes the sentences of several questions once, block by block.

The process that has reserved the keys of the questions merges the blocks. Other processes that want
the same answers encode blocks meanwhile: a block is locked only while it is encoded. If a process
is killed, the block that it was at is lost, and nothing else.
"""

import contextlib
import functools
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from tqdm import tqdm

from cwr import paths
from cwr.corpora import Corpus
from cwr.extraction import cache, merging
from cwr.extraction.answer import Extraction, load_extraction
from cwr.extraction.collector import Collector
from cwr.extraction.questions import Block, Question, Reducer
from cwr.extraction.reducers import vectors
from cwr.extraction.targets import check_targets, occurrences

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder


def run(
    encoder: "Encoder",
    corpus: Corpus,
    targets: pd.DataFrame | None = None,
    words: Sequence[str] | None = None,
    reducers: Sequence[Reducer] = (vectors(),),
    *,
    unit: str = "word",
    pooling: str = "mean",
    skip_first_position: bool = False,
    max_tokens: int | None = None,
) -> Extraction:
    """Encodes the sentences that the targets need, and reduces the vectors of the targets; cached.

    targets: a table as the functions of `targets` return it. words: a shortcut for the occurrences
    of these words. Without targets and words every word is a target. A target's vector is the mean
    of its words' vectors. unit, pooling, skip_first_position and max_tokens: as in
    `Encoder.encode`; the token budget max_tokens is not part of the key.
    Sentences are encoded in blocks of 4,096. A killed call loses one block; several processes that
    make the same call share the blocks. Neither changes a bit of the result.
    Raises UserError for words that do not occur, a cache that cannot be written, and vectors that
    are larger than its free disk; ValueError for both targets and words, targets outside the
    corpus, two reducers of a kind, layers that the model does not have, and for `sums` over a zero
    vector.
    """
    if targets is not None and words is not None:
        raise ValueError("give either targets or words, not both")
    table = occurrences(corpus, words) if targets is None else targets
    (extraction,) = together(
        encoder,
        corpus,
        [(table, reducers)],
        unit=unit,
        pooling=pooling,
        skip_first_position=skip_first_position,
        max_tokens=max_tokens,
    )
    return extraction


def together(
    encoder: "Encoder",
    corpus: Corpus,
    questions: Sequence[tuple[pd.DataFrame, Sequence[Reducer]]],
    *,
    unit: str = "word",
    pooling: str = "mean",
    skip_first_position: bool = False,
    max_tokens: int | None = None,
) -> list[Extraction]:
    """Answers several questions about a corpus, in one pass for all that the cache cannot answer.

    questions: the targets and the reducers of each question. Each answer has its own cache entry
    and equals the answer of `run`, but for the last bits: sentences that stand with others in a
    batch have slightly other vectors. Other arguments and errors as `run`.
    """
    options = {"unit": unit, "pooling": pooling, "skip_first_position": skip_first_position}
    checked = [
        Question(encoder, corpus, check_targets(corpus, targets, unit), tuple(reducers), options)
        for targets, reducers in questions
    ]
    distinct = {question.key: question for question in checked}
    answers = _answers(distinct, max_tokens)
    return [answers[question.key] for question in checked]


def _answers(questions: dict[str, Question], max_tokens: int | None) -> dict[str, Extraction]:
    """Returns the answers of questions by their keys: from the cache, or computed.

    While another process has reserved a key, this one encodes blocks that no process has begun.
    """
    wait = False
    while True:
        with cache.reserved(questions, wait) as is_ours:
            if is_ours:
                lacking = [each for key, each in questions.items() if not cache.holds(key)]
                if lacking:
                    _answer(lacking, max_tokens)
                return {
                    key: cache.read(key, functools.partial(load_extraction, key=key))
                    for key in questions
                }
        wait = not _help(list(questions.values()), max_tokens)


def _answer(questions: Sequence[Question], max_tokens: int | None) -> None:
    """Computes the answers of questions that the cache lacks; the caller has reserved their keys."""
    for question in questions:
        _clear(question)
        merging.refuse_more_than_fits(question)
    wait = False  # first come the blocks that no other process is at
    with _bar(questions) as bar:
        while lacking := [each for each in questions if each.n_merged < len(each.blocks)]:
            for blocks in _by_number(lacking):
                _compute(blocks, max_tokens, bar, wait)
                for block in blocks:
                    merging.merge_ready(block.question)
            wait = True


def _clear(question: Question) -> None:
    """Removes a damaged answer, damaged merged blocks, and blocks that were merged before a kill."""
    cache.discard(question.key)
    if not cache.holds(question.merged_key):
        cache.discard(question.merged_key)
    cache.discard(*(block.key for block in question.blocks[: question.n_merged]))


def _help(questions: Sequence[Question], max_tokens: int | None) -> bool:
    """Encodes blocks that no process has begun, for the process that has reserved the keys.

    Returns whether there was such a block. A lone block is left to the other process: it is an
    answer, which is reserved. So are its sentences, without which the batches would differ.
    """
    has_helped = False
    for question in questions:
        merging.refuse_more_than_fits(question)
    with paths.writing_cache(), _bar(questions) as bar:
        for blocks in _by_number(questions):
            lacking = [block for block in blocks if not block.is_noted]
            is_free = lacking and not any(block.is_alone for block in lacking)
            if is_free and _compute(lacking, max_tokens, bar):
                has_helped = True
    return has_helped


def _by_number(questions: Sequence[Question]) -> list[list[Block]]:
    """Groups the blocks of questions by their sentences, in the order of the corpus."""
    blocks = [block for question in questions for block in question.blocks]
    blocks.sort(key=lambda block: block.number)
    return [list(group) for _, group in itertools.groupby(blocks, lambda block: block.number)]


def _compute(
    blocks: Sequence[Block], max_tokens: int | None, bar: tqdm, wait: bool = False
) -> bool:
    """Encodes the sentences of one block for the questions that lack it.

    blocks: one for each question, of the same sentences. wait: whether to wait for a process that
    is at one of them; otherwise nothing is done then. Returns whether the blocks are done.
    """
    with cache.locked([block.key for block in blocks if not block.is_alone], wait) as is_ours:
        lacking = [block for block in blocks if is_ours and not block.is_done]
        if lacking:
            with contextlib.ExitStack() as folders:
                mapped = cache.Mapped()
                collectors = [
                    Collector(block, folders.enter_context(_writing(block)), mapped)
                    for block in lacking
                ]
                _one_pass(collectors, max_tokens, bar)
    return is_ours


def _writing(block: Block) -> contextlib.AbstractContextManager[Path]:
    return cache.writing(block.key, block.about())


def _one_pass(collectors: Sequence[Collector], max_tokens: int | None, bar: tqdm) -> None:
    """Encodes the sentences that any collector needs, and passes each batch to all collectors."""
    question = collectors[0].block.question
    needed = _sentences([collector.block for collector in collectors])
    sentences = [question.corpus.sentences[number] for number in needed]
    plan = {"sentences": len(needed), "tokens": 0, "batches": 0, "max_tokens": max_tokens}
    options = {**question.options, "max_tokens": max_tokens, "on_device": True}
    for batch in question.encoder.encode(sentences, **options):
        for collector in collectors:
            collector.add(needed[batch.sentence], batch.position, batch.hidden)
        plan["tokens"] += batch.tokens
        plan["batches"] += 1
        _show(bar, len(np.unique(batch.sentence)), batch.tokens)
    for collector in collectors:
        collector.finish(plan)


def _sentences(blocks: Sequence[Block]) -> np.ndarray:
    """Returns the sentences that any of these blocks needs, (any,) ascending."""
    return np.unique(np.concatenate([block.sentences for block in blocks]))


def _bar(questions: Sequence[Question]) -> tqdm:
    """Opens the bar of a pass over the blocks that the cache lacks.

    There is no bar where nobody watches: a notebook's outputs stay the same from run to run.
    """
    total = 0
    for blocks in _by_number(questions):
        lacking = [block for block in blocks if not block.is_noted]
        total += len(_sentences(lacking)) if lacking else 0
    name = questions[0].encoder.name
    # it stays unless it stands below another bar
    bar = tqdm(total=total, desc=name, unit=" sentences", disable=None, leave=None)
    bar.tokens = 0
    return bar


def _show(bar: tqdm, sentences: int, tokens: int) -> None:
    """Moves the bar by these sentences, and shows the speed in tokens."""
    if not bar.disable:
        bar.tokens += tokens
        speed = bar.tokens / bar.format_dict["elapsed"]
        bar.set_postfix_str(f"{speed:,.0f} tokens/s", refresh=False)
        bar.update(sentences)
