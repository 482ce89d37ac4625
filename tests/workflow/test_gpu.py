"""The half hour on a borrowed GPU, rehearsed on the CPU without the packages that are missing there."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from cwr.corpora import Article
from cwr.corpora.wiki_text import articles as files
from cwr.encoders.shipped import SHIPPED
from cwr.making.language_models import ship
from cwr.making.language_models.recipes import EMBEDDINGS

ROOT = Path(__file__).resolve().parents[2]
GPU = ROOT / "workflow" / "gpu"
ABSENT = [
    "spacy",
    "gensim",
    "papermill",
    "pooch",
    "requests",
    "gguf",
    "click",
    "snakemake",
]
SITE = f"""import sys
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        absent = name.partition(".")[0] in {ABSENT}
        return None if absent else PathFinder.find_spec(name, path, target)

sys.meta_path = [Without if finder is PathFinder else finder for finder in sys.meta_path]
"""
# A script as `python SCRIPT` starts it, with a list of held-out articles of the test's own.
START = """import os, runpy, sys
from pathlib import Path
from cwr.corpora.wiki_text import articles

articles.LISTED = Path(os.environ["LISTED"])
del sys.argv[0]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
"""
SENTENCES = [
    "The river runs to the sea, and the sea is wide.",
    "Rain fell on the hills all night!",
    "Who saw the old bridge of stone?",
    "Boats carry grain and salt down the river.",
    "The hills aren't green in spring.",
]


def article(number: int, seed: int) -> Article:
    draw = np.random.default_rng((seed, number))
    paragraphs = [" ".join(draw.permutation(SENTENCES)) for _ in range(3)]
    return Article(number, f"Title {number}", tuple(paragraphs))


def run(script: str, *words: str, **variables: str) -> subprocess.CompletedProcess:
    environment = (
        os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "lib")} | variables
    )
    command = [sys.executable, "-c", START, str(ROOT / "workflow" / script), *words]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=600
    )


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A folder for CWR_DATA with a tiny text, and the list of its held-out articles."""
    source = tmp_path_factory.mktemp("source")
    (source / "wiki_text").mkdir()
    train, held_out = ([article(number, seed) for number in range(24)] for seed in (0, 1))
    rows = [
        {"id": one.id, "part": "heldout", "digest": files.article_digest(one)}
        for one in held_out
    ]
    pd.DataFrame(rows).to_csv(source / "articles.csv", index=False)
    for name in files.TRAIN_FILES:
        files.write(
            source / "wiki_text" / name, train if name == files.TRAIN_FILES[0] else []
        )
    files.write(source / "wiki_text" / files.HELD_OUT_FILE, held_out)
    return source


@pytest.fixture(scope="module")
def data(source, tmp_path_factory):
    """What bundle.py packs of a tiny text, where all packages are."""
    folder = tmp_path_factory.mktemp("packed")
    variables = {"CWR_DATA": str(source), "LISTED": str(source / "articles.csv")}
    done = run("gpu/bundle.py", str(folder), "--words", "0", **variables)
    assert done.returncode == 0, done.stderr
    assert "MiB of data" in done.stdout
    return folder


@pytest.fixture(scope="module")
def bare(source, data, tmp_path_factory):
    """A function: a script of workflow/ run where the packages of ABSENT are not installed."""
    site = tmp_path_factory.mktemp("site")
    (site / "sitecustomize.py").write_text(SITE, encoding="utf-8")
    variables = {
        "PYTHONPATH": os.pathsep.join([str(site), str(ROOT / "lib")]),
        "CWR_DATA": str(data),
        "LISTED": str(source / "articles.csv"),
        "CWR_CACHE": str(tmp_path_factory.mktemp("cache")),
        "HF_HUB_OFFLINE": "1",
    }

    def start(script, *words):
        return run(script, *words, **variables)

    return start


@pytest.fixture(scope="module")
def trained(bare, tmp_path_factory):
    """Folders of finished trainings of all three models, and the rows of their training."""
    folder, out = tmp_path_factory.mktemp("trained"), tmp_path_factory.mktemp("out")
    words = [*SHIPPED, "--edition", "tiny", "--device", "cpu", "--snapshots"]
    done = bare("gpu/train.py", *words, "--folder", str(folder), "--out", str(out))
    assert done.returncode == 0, done.stderr
    return folder, json.loads((out / "training.json").read_text(encoding="utf-8"))


def test_what_is_said_to_be_absent_is_absent(bare, source, tmp_path):
    script = tmp_path / "look.py"
    names = "[name for name in NAMES if importlib.util.find_spec(name)]"
    script.write_text(f"import importlib.util\nNAMES = {ABSENT}\nprint({names})\n")
    assert bare(str(script)).stdout == "[]\n"
    assert run(str(script), LISTED=str(source)).stdout == f"{ABSENT}\n"


def test_the_proof_runs_every_part_on_every_model_without_them(bare, data, tmp_path):
    words = ["--corpus", str(data / "lee.jsonl"), "--device", "cpu", "--tiny"]
    done = bare("gpu/proof.py", *words, "--out", str(tmp_path))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    content = json.loads((tmp_path / "proof.json").read_text(encoding="utf-8"))
    assert content["machine"]["device"] == "CPU"
    table = pd.DataFrame(content["rows"])
    models = [*SHIPPED, "random bert-base", "random gpt2", "random bert-large"]
    assert list(table["model"].unique()) == models
    vectors = table[table["what"] == "difference of a vector from the CPU's"]
    largest = vectors.groupby(["model", "dtype"])["value"].max()
    assert (largest.xs("float32", level="dtype") == 0).all()  # it is the same CPU
    assert largest.xs("bfloat16", level="dtype").between(1e-3, 0.2).all()
    layers = vectors.groupby("model")["layer"].max()
    assert (
        layers["cwr-elmo"] == 2 and layers["cwr-gpt"] == 4 and layers["random gpt2"] == 2
    )
    shortage = table[table["what"] == "out of memory, and gone on"]
    assert len(shortage) == 6 and shortage["value"].isna().all()
    assert shortage["note"].str.contains("only a GPU").all()
    per_second, percent = (
        table[table["unit"] == unit] for unit in ("words a second", "%")
    )
    passes = {"extracting vectors", "extracting sums", "encoding one sentence at a time"}
    assert set(per_second["what"]) == passes and (per_second["value"] > 0).all()
    share = "the bare forward pass takes of "
    assert set(percent["what"]) == {f"{share}vectors", f"{share}sums"}
    assert (percent["value"] > 0).all()
    for what, rows in pd.concat([per_second, percent]).groupby("what"):
        assert len(rows) == 11, what  # six models, five of them in two dtypes
    for what in (
        "difference of a sum between two runs",
        "difference of the sums from the CPU's",
    ):
        assert (table[table["what"] == what]["value"] == [0.0] * 6).all()
    updates = table[table["what"] == "difference of an updated matrix from the CPU's"]
    assert updates["value"].count() == 5 * len(EMBEDDINGS) and not updates["value"].any()


def test_a_part_that_fails_is_a_row_and_the_others_go_on(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(GPU))
    proof = module("proof")

    def fails(trial):
        yield {"what": "first", "value": 1.0}
        raise RuntimeError("no memory\nand a long story")

    def works(trial):
        yield {"what": "second", "value": 2.0}

    monkeypatch.setattr(proof, "PARTS", (fails, works))
    subject = proof.Subject("cwr-gpt", "cwr-gpt", False, ("float32",))
    trial = proof.Trial(subject, None, torch.device("cpu"))
    kept = proof.Measured(tmp_path / "proof.json", trial.device)
    assert proof.prove([trial], kept) == ["fails of cwr-gpt"]
    rows = json.loads((tmp_path / "proof.json").read_text(encoding="utf-8"))["rows"]
    assert [row["what"] for row in rows] == ["first", "fails", "second"]
    assert (
        rows[1]["note"] == "failed: RuntimeError: no memory" and rows[1]["value"] is None
    )


def test_all_three_are_trained_measured_and_shipped_without_them(
    trained, bare, data, tmp_path
):
    folder, content = trained
    rows = pd.DataFrame(content["rows"])
    speeds = rows[rows["what"] == "training"].set_index("model")["value"]
    assert set(speeds.index) == set(SHIPPED) and (speeds > 0).all()
    held_out = rows[rows["what"] == "held-out loss"].set_index("model")["value"]
    assert np.isfinite(held_out).all() and len(held_out) == 3
    words = [
        "--news",
        str(data / "lee.jsonl"),
        "--sentences",
        str(data / "wiki-text.jsonl"),
    ]
    done = bare("ship_models.py", str(folder), "--measure", *words)
    assert done.returncode == 0, done.stderr
    for name in SHIPPED:
        (folder / name / "checkpoint.pt").unlink()
        ship.ship(ship.Training(name, folder / name), tmp_path / name)
        facts = json.loads((tmp_path / name / "made.json").read_text(encoding="utf-8"))
        assert facts["articles"] == 24 and facts["steps"] > 2
        assert set(pd.read_csv(tmp_path / name / "quality.csv")["text"]) >= {
            "held-out",
            "lee",
        }
        assert not (tmp_path / name / "word_vectors.safetensors").exists()


def test_a_few_steps_are_measured_and_leave_no_model(bare, tmp_path):
    words = ["cwr-gpt", "--edition", "tiny", "--device", "cpu", "--steps", "4"]
    done = bare(
        "gpu/train.py", *words, "--folder", str(tmp_path / "run"), "--out", str(tmp_path)
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "training.json").read_text(encoding="utf-8"))["rows"]
    assert "after 4 of" in rows[-1]["note"] and rows[1]["what"] == "reading the whole text"
    assert not (tmp_path / "run" / "cwr-gpt" / "model").exists()


def test_more_than_goes_in_is_refused(data, monkeypatch, capsys, tmp_path):
    bundle = module("bundle")
    monkeypatch.setattr(bundle, "pack", lambda folder, words: None)
    monkeypatch.setattr(bundle, "LIMIT", 2**20)
    monkeypatch.setattr(sys, "argv", ["bundle.py", str(data)])
    with pytest.raises(bundle.UserError, match="take fewer words"):
        bundle.main()


def test_the_longer_runs_stay_at_home():
    packed = module("bundle").repository()
    assert ROOT / "lib" / "cwr" / "__init__.py" in packed
    assert not any(ROOT / "book" / "reference" / "base" in file.parents for file in packed)


def module(name: str):
    """A script of workflow/gpu as a module."""
    spec = importlib.util.spec_from_file_location(name, GPU / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def test_the_page_has_a_line_for_each_model_and_dtype_and_one_sentence_without_any(
    tmp_path,
):
    measured = module("measured")
    assert measured.page(tmp_path).startswith("Nothing has been measured")
    assert "|" not in measured.page(tmp_path)
    machine = {
        "device": "GPU X",
        "cores": 4,
        "processor": "x",
        "python": "3",
        "torch": "2",
    }
    vectors = {"what": "difference", "model": "m", "unit": "of its length"}
    rows = [
        vectors | {"dtype": "float32", "layer": 0, "value": 1e-7},
        vectors | {"dtype": "float32", "layer": 1, "value": 3e-7},
        vectors | {"dtype": "bfloat16", "layer": 0, "value": 0.004},
        {"what": "training", "model": "m", "value": 123456, "unit": "words a second"},
        {
            "what": "shortage",
            "model": "m",
            "value": None,
            "unit": None,
            "note": "no | GPU <b>",
        },
    ]
    content = {"machine": machine | {"transformers": "5"}, "rows": rows}
    (tmp_path / "x.json").write_text(json.dumps(content), encoding="utf-8")
    lines = measured.page(tmp_path).splitlines()
    assert lines[2:] == [
        "| model | difference (of its length) | training (words a second) | shortage |",
        "| --- | --- | --- | --- |",
        "| `m` `float32` | 3e-07 | 123,456 | no \\| GPU &lt;b&gt; |",
        "| `m` `bfloat16` | 0.004 |  |  |",
    ]
    assert lines[0].startswith("GPU X: beside 4 cores")
