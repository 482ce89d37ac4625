"""Classes 8 to 10: texts that are no paths, devices, and a text that is read again."""

import lzma
import os
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from bad_inputs.row import Row

import cwr
from cwr import corpora, encoders
from cwr.cli import plan
from cwr.encoders import loading
from cwr.extraction import cache

RUN = "cwr run ethayarajh2019/01_anisotropy"
FAR = "a" * 5000  # a text that is too long for a path

TEXTS = {
    "of a user who does not exist": "~nosuchuser/x",
    "of 5,000 letters": FAR,
    "with half a character": "\ud800",
    "with a NUL": "a\0b",
    "with a name of 300 letters": f"/{'x' * 300}/y",
}
NO_CACHES = {
    "a file": "file",
    "below a file": "file/x",
    "a loop of links": "loop",
    "too long": FAR,
}


def no_folders(checkout: Path) -> None:
    (checkout / "file").touch()
    (checkout / "loop").symlink_to("loop")


def writing_into(cache_root: str) -> Callable[[Path], None]:
    """What asks for a place in a cache; cache_root: relative to the checkout."""

    def use(checkout: Path) -> None:
        named = cache_root if cache_root.startswith("~") else str(checkout / cache_root)
        with mock.patch.dict(os.environ, CWR_CACHE=named), cache.reserved(["key"]):
            raise AssertionError("a cache that is no folder was written")

    return use


TEXT = [
    *(
        Row(
            8,
            f"a model {what}",
            lambda _, text=text: encoders.load(text),
            "there is no model folder",
        )
        for what, text in TEXTS.items()
    ),
    *(
        Row(
            8,
            f"a corpus {what}",
            lambda _, text=text: corpora.load(text),
            "is neither a named corpus",
        )
        for what, text in TEXTS.items()
    ),
    *(
        Row(
            8,
            f"a plan for a model {what}",
            lambda _, text=text: list(plan.lines({"n": {"models": [text]}})),
            "is neither one of",
        )
        for what, text in TEXTS.items()
    ),
    *(
        Row(
            8,
            f"a cache that is {what}",
            writing_into(root),
            "cannot write the cache",
            prepare=no_folders,
        )
        for what, root in NO_CACHES.items()
    ),
    Row(
        8, "a cache of nobody", writing_into("~nosuchuser/x"), "a user who does not exist"
    ),
    Row(8, "the whole disk as a corpus", f"{RUN} -p corpus /", "corpus '/' is a folder"),
    Row(
        8,
        "no file as a corpus",
        f"{RUN} -p corpus ~nosuchuser/x",
        "is neither a named corpus",
    ),
    Row(
        8,
        "no folder as a model",
        f"{RUN} -p models ~nosuchuser/x",
        "there is no model folder",
    ),
    Row(8, "a corpus as a model", f"{RUN} -p models ./lee", "there is no model folder"),
    Row(
        8,
        "a branch where a commit is asked for",
        lambda _: plan.refuse_unpinned({"n": {"models": ["some/model@main"]}}),
        "names some/model@main without a commit",
    ),
]


# ---- class 9: devices; class 10: files that are read again

DEVICES = ["meta", "mps", "xpu", "vulkan", "cuda:99", "cuda:-1", "nonsense", " "]


def reading(what: str, content: bytes, sentence: str) -> Row:
    """A row: a held-out text with this content, in a folder of CWR_DATA."""

    def prepare(checkout: Path) -> None:
        (checkout / "wiki_text").mkdir()
        (checkout / "wiki_text" / "heldout.txt.xz").write_bytes(content)

    def read(checkout: Path) -> None:
        with mock.patch.dict(os.environ, CWR_DATA=str(checkout)):
            corpora.load("wiki-text")

    return Row(10, what, read, sentence, prepare=prepare)


MEANWHILE = [
    *(
        Row(
            9,
            f"the device {device!r}",
            lambda _, device=device: loading.choose_device(device),
            "PyTorch cannot compute on the device",
        )
        for device in DEVICES
    ),
    reading(
        "another held-out text",
        lzma.compress(b"# 7\tNext\nFour.\n\n"),
        "article 1 of the held-out text in .* is not the one",
    ),
    reading(
        "a line of 20 million letters",
        lzma.compress(b"# 7\tNext\n" + b"word " * 4_000_000, preset=0),
        "line 2 of .* is no paragraph of an article",
    ),
    reading(
        "zeros", lzma.compress(bytes(20_000_000), preset=0), "line 1 of .* is no paragraph"
    ),
    reading("no xz", b"# 7\tNext\nFour.\n\n", "is cut short or damaged"),
    reading(
        "half an xz",
        lzma.compress(b"# 7\tNext\nFour.\n\n")[:40],
        "is cut short or damaged",
    ),
]


def with_two_forms(checkout: Path) -> None:
    sentence = '{"id": "a", "text": "No", "spans": [[0, 2]]}'
    (checkout / "mixed.jsonl").write_text(f'{{"text": "Yes."}}\n{sentence}\n')


OF_ONES_OWN = [
    Row(
        8,
        "texts and sentences in one .jsonl file",
        "cwr cosine 0.5 --model cwr-bert --corpus mixed.jsonl",
        "line 2 of .*mixed.jsonl has spans, and the first line has none: write",
        prepare=with_two_forms,
    ),
    Row(
        8,
        "a text for a list",
        lambda _: cwr.vectors("Yes.", "cwr-bert"),
        "give a list of them",
    ),
]
ROWS = [*TEXT, *MEANWHILE, *OF_ONES_OWN]
