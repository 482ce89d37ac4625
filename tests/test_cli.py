"""The command line on this checkout: what it shows, what it refuses, and how light it starts."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from cwr.cli import checkout, dependencies, engine, judging, listing, main, plan, taste
from cwr.errors import UserError
from cwr.papers import artifacts, registry
from cwr.papers.claims import at_any_depth
from cwr.report import render, results, verdicts


def cwr(*words: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "cwr.cli.main", *words],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        cwd=checkout.root(),
    )


def test_the_command_line_starts_without_torch():
    heavy = "torch", "transformers", "pandas", "nbformat", "spacy", "gensim"
    code = (
        "import sys, cwr.cli.main, cwr.cli.plan, cwr.cli.listing, cwr.cli.judging, cwr.cli.reruns; "
        f"print(*set(sys.modules) & {set(heavy)})"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True
        ).stdout.strip()
        == ""
    )


def test_every_command_has_a_line_of_help():
    for name, command in main.cli.commands.items():
        shown = CliRunner().invoke(main.cli, [name, "--help"])
        assert (
            shown.exit_code == 0
            and command.help
            and len(command.help.splitlines()[0]) < 110
        )


def test_a_users_error_is_one_sentence_with_status_2():
    done = cwr("run", "ethayarajh2019/09_nothing")
    assert done.returncode == 2 and done.stderr.startswith(
        "cwr: there is no notebook 'ethayarajh2019/09_nothing'"
    )
    assert len(done.stderr.splitlines()) == 1


def test_list_names_every_artifact_and_says_why_it_is_not_run():
    rows = json.loads(cwr("list", "--json").stdout)
    assert {row["paper"] for row in rows} == set(registry.KEYS)
    assert all(set(row) == {"paper", "artifact", "notebook", "profiles"} for row in rows)
    assert all(set(row["profiles"]) == {"small", "base", "paper"} for row in rows)
    there = checkout.notebooks(checkout.root())
    runs = [row["notebook"] in there and artifacts.measured(row) for row in rows]
    assert [row["profiles"]["small"] == "run" for row in rows] == runs
    by_notebook = {row["notebook"]: row["profiles"]["small"] for row in rows}
    assert by_notebook["survey/00_the_paper_against_itself"] == verdicts.PRINTED_ONLY
    assert by_notebook["zhao2020/05_finetuning"] == "run"


def test_a_paper_held_against_itself_is_checked_in_narrow_columns():
    lines = cwr("list").stdout.splitlines()
    assert lines[0].split() == ["text", "artifact", "notebook", "small", "base", "paper"]
    (line,) = [line for line in lines if line.startswith("survey") and "Findings" in line]
    assert line.split()[-5:] == ["checked", "not", "run", "not", "run"]
    assert max(map(len, lines)) < 120


def test_a_notebook_that_only_reads_what_is_printed_is_known_by_its_number():
    names = checkout.notebooks(checkout.root())
    read = [name for name in names if artifacts.only_printed(name)]
    texts = {
        name.split("/")[0] for name in read
    }  # a new text need not have such a notebook
    assert texts <= set(registry.KEYS) and 5 <= len(texts) == len(read) < len(names)
    assert artifacts.only_printed("00_x") and not artifacts.only_printed("00_p/01_x")
    assert not artifacts.measured({"notebook": ""})


def test_a_notebook_that_reads_matrices_alone_runs_beside_those_that_run_models():
    root = checkout.root()
    alone = {
        name
        for name in checkout.notebooks(root)
        if not (checkout.runs_models(root, name) or artifacts.only_printed(name))
    }
    numbers = ("01", "02", "03", "05", "06", "08")
    assert {name.partition("_")[0] for name in alone} == {f"bis2021/{n}" for n in numbers}


def test_list_shows_notebooks_with_their_parameters_models_and_corpora():
    shown = {what: cwr("list", what).stdout for what in ("notebooks", "models", "corpora")}
    assert (
        "models: list[str]" in shown["notebooks"]
        and "minilm" in shown["models"]
        and "lee" in shown["corpora"]
    )


def test_the_list_of_models_and_the_questions_page_say_what_runs_from_one_source():
    from cwr.encoders.architectures import ARCHITECTURES

    shown = cwr("list", "models").stdout
    types = listing.model_types()
    assert types in shown and "ModernBERT, " in types and "Qwen 3, " in types
    assert types.count(",") == len(ARCHITECTURES)
    page = (checkout.root() / "book" / "questions.md").read_text(encoding="utf-8")
    assert "{include} _includes/model_types.md" in page


def test_check_refuses_a_claim_that_does_not_exist_with_the_nearest():
    done = cwr("check", "--claim", "eth-anisotropy-every-layers")
    assert (
        done.returncode == 2 and "did you mean eth-anisotropy-every-layer?" in done.stderr
    )


def test_check_asks_the_forms_for_any_model():
    rows = json.loads(cwr("check", "--transfer", "--json").stdout)
    assert len(rows) >= 10 and all(row["claim"].endswith(".transfer") for row in rows)
    done = cwr("check", "--transfer", "--model", "nobody/has-run-this")
    assert done.returncode == 2 and "cwr run ethayarajh2019 -p models" in done.stderr


def left_by_a_run(
    folder,
    model: str,
    measure: str,
    slope: float,
    monkeypatch,
    ended: float = 0,
    **parameters,
) -> None:
    """Results of a model with four layers, in a folder of runs/."""
    monkeypatch.setenv("CWR_RESULTS", str(folder))
    estimates = [
        {
            "model": model,
            "family": "sentence",
            "layer": layer,
            "measure": measure,
            "value": slope * layer,
            "dataset": parameters.get("corpus", "lee"),
        }
        for layer in range(4)
    ]
    results.write(
        "/".join(folder.parts[-3:-1]), estimates, {"models": [model], **parameters}
    )
    os.utime(folder / "results.json", (ended, ended))


def test_check_finds_a_model_among_the_readers_reruns(tmp_path, monkeypatch):
    left_by_a_run(
        tmp_path / "runs/ethayarajh2019/01_anisotropy/abc",
        "mine",
        "anisotropy_baseline",
        0.1,
        monkeypatch,
    )
    judged = judging.claims(tmp_path, "small", None, None, transfer=True, model="mine")
    assert {each.ours["mine"].verdict for each in judged if "mine" in each.ours} > {
        "not run"
    }
    with pytest.raises(UserError, match="no results of the model other"):
        judging.claims(tmp_path, "small", None, None, model="other")


def test_check_joins_reruns_of_one_choice_and_prefers_the_books_own_results(
    tmp_path, monkeypatch
):
    reruns = tmp_path / "runs" / "ethayarajh2019"
    left_by_a_run(
        reruns / "01_anisotropy" / "abc", "mine", "anisotropy_baseline", 0.1, monkeypatch
    )
    left_by_a_run(
        reruns / "02_self_similarity" / "abc",
        "mine",
        "adjusted_self_similarity",
        -0.1,
        monkeypatch,
    )

    def measures(model: str, run=None) -> dict[str, float]:
        book = results.read_all(tmp_path / "_build" / "run" / "small")
        book = {"small": book}
        (found,) = judging.of_model(model, book, tmp_path / "runs", run, print).values()
        table = found.table
        return table[table["layer"] == 3].set_index("measure")["value"].to_dict()

    assert measures("mine") == {
        "anisotropy_baseline": 0.3,
        "adjusted_self_similarity": -0.3,
    }
    left_by_a_run(
        tmp_path / "_build/run/small/p/01",
        "books",
        "anisotropy_baseline",
        0.2,
        monkeypatch,
    )
    assert measures("books") == {"anisotropy_baseline": 0.6} and len(measures("mine")) == 2
    left_by_a_run(
        tmp_path / "_build/run/small/p/02", "mine", "anisotropy_baseline", 0.2, monkeypatch
    )
    assert (
        measures("mine") == {"anisotropy_baseline": 0.6}
        and len(measures("mine", "abc")) == 2
    )


@pytest.mark.parametrize(
    "differing",
    [
        {"corpus": ["a.txt", "b.txt"]},
        {"seed": [0, 1]},
        {"pooling": ["mean", "first"]},
    ],
)
@pytest.mark.parametrize("hashes", [["1aa", "2bb"], ["9aa", "2bb"]])
def test_reruns_that_differ_are_never_mixed_and_the_newest_is_judged(
    tmp_path, monkeypatch, differing, hashes
):
    ((name, values),) = differing.items()
    for number, (value, digest, slope) in enumerate(
        zip(values, hashes, (0.1, 0.2), strict=True)
    ):
        for notebook, measure in (
            ("01_anisotropy", "anisotropy_baseline"),
            ("02_self", "self_similarity"),
        ):
            left_by_a_run(
                tmp_path / "runs/ethayarajh2019" / notebook / (digest + notebook[1]),
                "mine",
                measure,
                slope,
                monkeypatch,
                100 * number,
                **{name: value},
            )
    lines = []
    table = judging.of_model("mine", {}, tmp_path / "runs", None, lines.append)[""].table
    assert table["value"].max() == pytest.approx(0.6) and len(table) == 8, (
        "the newest, and its match of the other"
    )
    assert f"01_anisotropy/{hashes[1]}1, ethayarajh2019/02_self/{hashes[1]}2" in lines[0]
    assert lines[1].startswith("left out: 2 of a notebook that has another run (")
    older = judging.of_model("mine", {}, tmp_path / "runs", hashes[0], lines.append)[
        ""
    ].table
    assert older["value"].max() == pytest.approx(0.3) and len(older) == 8
    with pytest.raises(UserError, match="no rerun of mine is called zz: there are"):
        judging.of_model("mine", {}, tmp_path / "runs", "zz", lines.append)


ONLY = """
import importlib.abc, sys
class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in REFUSED:
            raise ModuleNotFoundError(f"refused: {name}", name=name)
sys.meta_path.insert(0, Refuse())
"""


def without(packages: set[str], code: str, *arguments: str) -> subprocess.CompletedProcess:
    """Run code in a Python that lacks some packages."""
    return subprocess.run(
        [sys.executable, "-c", f"REFUSED = {packages!r}\n{ONLY}\n{code}", *arguments],
        capture_output=True,
        text=True,
        cwd=checkout.root(),
    )


def test_the_taste_needs_only_numpy_and_pandas(tmp_path):
    lock = (checkout.root() / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pinned = {
        line.split("==")[0].lower().replace("-", "_")
        for line in lock
        if line and line[0] != "#"
    }
    refused = pinned - {"numpy", "pandas", "six"} | {"IPython", "yaml", "PIL", "sklearn"}
    done = without(
        refused,
        "import runpy; runpy.run_module('cwr.cli.taste', run_name='__main__')",
        str(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert done.stdout.count(" claims ") >= len(registry.KEYS) == page.count("<h2 ")
    assert (tmp_path / "index.html").as_uri() in done.stdout


def test_the_taste_shows_what_fails_and_the_reading_that_saves_it(tmp_path, capsys):
    taste.main(str(tmp_path))
    printed = capsys.readouterr().out
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    for paper in registry.PAPERS:
        text = taste.Text(paper)
        verdicts_of = {each.claim.id: each.published.verdict for each in text.judged}
        for each in text.failing:
            assert verdicts_of[each.claim.id] == "fails"
            assert all(verdicts_of[name] == "holds" for name in text.kinder(each))
        for each in text.failing[: taste.SHOWN]:
            words = render.words(each.published, here=False)
            assert f"{words}  {each.claim.says}\n" in printed
            assert f"{' ' * 19}{each.published.reason}\n" in printed
        saved = [bool(text.kinder(each)) for each in text.failing]
        assert saved == sorted(saved), "first what no reading saves"
    assert (
        printed.count("What fails at its word")
        == page.count("What fails at its word")
        == 4
    )
    assert (
        "A fair reading: Without numerals the lowest words are exactly these five."
        in printed
    )
    overview, *sections = page.split("<h2 ")
    (row,) = re.findall(r"<tr><td><a href=\"#ethayarajh2019\">.*?</tr>", overview)
    numbers = list(map(int, re.findall(r"<td>(\d+)</td>", row)))
    assert numbers[0] == sum(numbers[1:4]) and numbers[4] == sum(numbers[5:])
    assert f"support {numbers[1]} of {numbers[0]} claims" in sections[0]


def test_the_base_install_has_everything_but_models():
    project = tomllib.loads(
        (checkout.root() / "pyproject.toml").read_text(encoding="utf-8")
    )["project"]
    models = {
        re.split("[<>=]", line)[0].replace("-", "_")
        for line in project["optional-dependencies"]["models"]
    }
    assert {"torch", "transformers", "spacy", "gensim"} <= models
    drawn_with = {"seaborn", "sklearn"}  # imported where a figure is drawn, not before
    done = without(
        models | drawn_with,
        "import cwr.cli.main, cwr.cli.listing, cwr.figures, cwr.report.scoreboard, cwr.parameters",
    )
    assert done.returncode == 0, done.stderr


def test_check_shows_what_its_json_holds():
    rows = json.loads(cwr("check", "--paper", "ethayarajh2019", "--json").stdout)
    keys = {"paper", "claim", "place", "says", "published", "ours", "reason", "rerun"}
    assert rows and all(keys <= set(row) for row in rows)
    names = [form["claim"] for row in rows for form in (row, row["general"]) if form]
    shown = cwr("check").stdout.splitlines()
    assert [line.split()[0] for line in shown[1 : len(names) + 1]] == names


def test_check_of_a_path_sorts_by_verdict_and_hides_what_no_notebook_asked(
    tmp_path, monkeypatch, capsys
):
    (tmp_path / "models" / "mine").mkdir(parents=True)
    reruns = tmp_path / "runs" / "ethayarajh2019"
    left_by_a_run(
        reruns / "01_anisotropy" / "abc", "mine", "anisotropy_baseline", 0.1, monkeypatch
    )
    monkeypatch.setattr(checkout, "root", lambda: tmp_path)
    (tmp_path / "notebooks" / "profiles").mkdir(parents=True)
    (tmp_path / "notebooks" / "profiles" / "small.yaml").touch()
    path = str(tmp_path / "models" / "mine")
    done = CliRunner().invoke(main.cli, ["check", "--model", path])
    lines = done.stdout.splitlines()
    table = lines[2 : lines.index("not run:") - 1]
    words = [re.search("holds here|fails here|undecided", line)[0] for line in table[1:]]
    assert len(words) > 5 and set(words) >= {"holds here", "fails here"}
    assert words == sorted(words, key=["holds here", "fails here", "undecided"].index)
    counts = f"{words.count('holds here')} hold, {words.count('fails here')} fail"
    assert lines[0].startswith(counts)
    assert re.fullmatch(r"\d+ claims of bis2021, gupta2021, .* are hidden: .*", lines[-1])
    assert "missing here: adjusted self similarity: " in done.stdout
    assert "mine is judged on ethayarajh2019/01_anisotropy/abc" in done.stderr
    named = CliRunner().invoke(main.cli, ["check", "--model", "mine"])
    assert named.stdout == done.stdout


def test_check_counts_the_verdicts_of_each_column():
    shown = cwr("check", "--paper", "bis2021").stdout
    (line,) = [line for line in shown.splitlines() if line.startswith("published: ")]
    rows = json.loads(cwr("check", "--paper", "bis2021", "--json").stdout)
    words = Counter(row["published"] for row in rows)
    counted = [words["holds"], words["fails"], words["not decidable"]]
    assert list(map(int, re.findall(r"\d+", line))) == counted and sum(counted) == len(
        rows
    )


def test_a_form_for_any_model_has_one_published_verdict_wherever_it_stands():
    forms = {
        row.claim.id: row.published.verdict
        for row in verdicts.judge_all(None, "", transfer=True)
    }
    compared = 0
    for text in registry.PAPERS:
        for claim in filter(None, map(at_any_depth, text.claims)):
            beside = verdicts.published_verdict(text.key, claim)
            assert forms[claim.id] == beside.verdict, claim.id
            compared += 1
    assert compared > 5 and forms["eth-bert-penultimate.transfer"] == "holds"


def test_a_quick_run_leaves_out_what_no_verdict_reads(capsys):
    names = checkout.matching(checkout.root(), "ethayarajh2019")
    quick = main._read_by_verdicts(names)
    assert quick == [name for name in names if name in artifacts.measures()]
    assert 4 <= len(quick) < len(names)
    assert "--quick leaves out ethayarajh2019/00" in capsys.readouterr().err
    with pytest.raises(UserError, match="--quick leaves nothing to run"):
        main._read_by_verdicts(["models/01_training"])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "", "--dry-run"], "there is no notebook '' ("),
        (
            ["run", "ethayarajh2019", "--dry-run", "-p", "models", "[1,2]"],
            "but models[0] is 1",
        ),
        (
            ["run", "ethayarajh2019", "--dry-run", "-p", "models", "null"],
            "but models is None",
        ),
        (["check", "--profile", "nosuch"], "there is no profile 'nosuch'; there are base"),
        (["check", "--profile", "../../../etc"], "there is no profile '../../../etc'"),
    ],
)
def test_what_means_nothing_is_refused_in_one_sentence(words, says):
    done = cwr(*words)
    assert done.returncode == 2 and done.stdout == ""
    *_, sentence = done.stderr.splitlines()
    assert sentence.startswith("cwr: ") and says in sentence


def test_the_cache_is_shown_and_emptied(tmp_path):
    assert cwr("cache", CWR_CACHE=str(tmp_path)).stdout == f"{tmp_path}\nempty\n"
    assert cwr("cache", "--empty", CWR_CACHE=str(tmp_path)).stdout == "0.0 MB freed\n"


def test_the_paper_profile_tells_what_it_needs_and_what_of_it_is_here(tmp_path):
    shown = cwr(
        "run",
        "ethayarajh2019",
        "--profile",
        "paper",
        "--dry-run",
        HF_HUB_CACHE=str(tmp_path),
    ).stdout
    assert (
        "google-bert/bert-base-cased  (cd5ef92a9fb2f889e972770a36d4ed042daf221e)  not here"
        in shown
    )
    assert "seed = 0" in shown and "\n  sts  " in shown


def test_a_plan_says_which_benchmarks_would_be_fetched(monkeypatch, tmp_path):
    monkeypatch.delenv("CWR_DATA", raising=False)
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    lines = list(plan.lines({"n": {"benchmarks": ["WS353", "AP"]}}))
    assert "  WS353  in an installed package" in lines
    assert "  AP  not here: 1 of 1 files (0.0 MB) would be fetched" in lines


def test_the_paper_profile_refuses_a_model_without_a_revision_before_anything_runs():
    done = cwr(
        "run",
        "ethayarajh2019/01_anisotropy",
        "--profile",
        "paper",
        "-p",
        "models",
        "some/model",
    )
    assert (
        done.returncode == 2
        and "names some/model without a commit of 40 digits: write some/model@COMMIT"
        in done.stderr
    )


def test_the_paper_profile_names_the_tensor_of_each_model_of_table_1(tmp_path):
    words = ("run", "bis2021", "--profile", "paper", "--dry-run")
    plain, allowing = (
        cwr(*words, *more, HF_HUB_CACHE=str(tmp_path)).stdout.splitlines()
        for more in ((), ("--allow-unpinned",))
    )
    tensors = [line for line in plain if "model.safetensors" in line]
    refused = [
        line for line in tensors if line.endswith("refused without --allow-unpinned")
    ]
    assert len(tensors) == 8
    assert [line.split(":")[0].strip() for line in refused] == [
        "BERT-large-uncased",
        "BERT-large-cased",
        "GPT-2-medium",
    ]
    pinned = (
        "  GPT-2-small: wte.weight of openai-community/gpt2/model.safetensors at "
        "607a30d783dfa663caf39e06633721c8d4cfcd7e"
    )
    assert pinned in tensors
    assert not any("refused" in line for line in allowing)


def test_the_paper_profile_is_refused_for_the_models_that_nobody_pinned():
    done = cwr("build", "--profile", "paper", "--chapters", "bis2021")
    assert done.returncode == 2 and done.stdout == ""
    assert re.search(r"names google-bert/bert-large-\w+ without a commit", done.stderr)
    assert "add --allow-unpinned" in done.stderr


def test_what_an_unpinned_run_found_is_told_so_that_it_can_be_pinned(
    tmp_path, monkeypatch
):
    commit = "0123456789abcdef0123456789abcdef01234567"
    for model in ("large", "pinned"):
        folder = tmp_path / f"models--some--{model}"
        (folder / "snapshots" / commit).mkdir(parents=True)
        (folder / "refs").mkdir()
        (folder / "refs" / "main").write_text(commit)
        (folder / "snapshots" / commit / "config.json").touch()
        (folder / "snapshots" / commit / "model.safetensors").write_bytes(b"numbers")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    names = ["some/large", f"some/pinned@{commit}", "some/absent", "minilm"]
    digest = hashlib.sha256(b"numbers").hexdigest()
    assert list(plan.pins({"a/1": {"models": names}})) == [
        f"not pinned, found: some/large@{commit}  model.safetensors  sha256 {digest}"
    ]


def test_a_folder_is_not_pinned_and_its_weights_are_told(tmp_path):
    folder = tmp_path / "ELMo"
    folder.mkdir()
    (folder / "weights.hdf5").write_bytes(b"numbers")
    (folder / "options.json").write_bytes(b"{}")
    (folder / "notes.txt").write_bytes(b"of no matter")
    values = {"a/1": {"models": [str(folder)]}}
    with pytest.raises(
        UserError, match="a folder, whose files may be any: add --allow-unpinned"
    ):
        plan.refuse_unpinned(values)
    digests = [hashlib.sha256(content).hexdigest() for content in (b"{}", b"numbers")]
    assert list(plan.pins(values)) == [
        f"not pinned, found: {folder}  options.json  sha256 {digests[0]}",
        f"not pinned, found: {folder}  weights.hdf5  sha256 {digests[1]}",
    ]


def test_the_paper_profile_has_the_three_models_of_ethayarajh_and_tells_of_a_folder_not_there(
    tmp_path,
):
    done = cwr(
        "run", "ethayarajh2019", "--profile", "paper", "--dry-run", HOME=str(tmp_path)
    )
    assert done.returncode == 0
    assert (
        "  ~/ELMo  (folder)  not here: make it, as the page 'An online day' says"
        in done.stdout
    )
    for model in ("google-bert/bert-base-cased", "openai-community/gpt2"):
        assert re.search(rf"^  {model}  \([0-9a-f]{{40}}\)", done.stdout, re.MULTILINE)
    assert (
        done.stdout.count("sentences = 0") >= 5
    )  # all of STS, in Figures 1 to 4 at least


def test_the_paper_profile_of_the_survey_names_all_that_would_be_fetched_or_brought(
    tmp_path,
):
    variables = {"HF_HUB_CACHE": str(tmp_path), "CWR_CACHE": str(tmp_path), "CWR_DATA": ""}
    plain = cwr("run", "survey", "--profile", "paper", "--dry-run", **variables).stdout
    models, _, data = plain.partition("\nmodels\n")[2].partition("\ndata\n")
    lines = [line.split("  ") for line in models.splitlines()]
    missing = {
        name: revision for _, name, revision, state in lines if "would be fetched" in state
    }
    assert set(missing) == {
        f"google-bert/bert-{size}-{case}"
        for size in ("base", "large")
        for case in ("cased", "uncased")
    }
    pinned = {
        name
        for name, revision in missing.items()
        if re.fullmatch(r"\([0-9a-f]{40}\)", revision)
    }
    assert pinned == {"google-bert/bert-base-cased", "google-bert/bert-base-uncased"}
    states = dict(line.strip().split("  ", 1) for line in data.splitlines())
    assert set(states) == {"gum", "dpr", "ontonotes", "conll-2003", "sst2", "mrpc"}
    assert states.pop("gum") == "in an installed package"
    licensed = [states.pop(name) for name in ("ontonotes", "conll-2003")]
    assert all(state.startswith("not here: licensed; put ") for state in licensed)
    assert all(
        "files" in state and "would be fetched" in state for state in states.values()
    )


def test_the_survey_asks_relations_of_semeval_from_base_on_and_coreference_as_a_second_pair():
    of = {
        profile: checkout.overrides(checkout.root(), profile, "survey/03_edge_probing")
        for profile in ("small", "base", "paper")
    }
    assert "semeval" not in of["small"].get("tasks", [])
    assert "semeval" in of["base"]["tasks"] and "semeval" in of["paper"]["tasks"]
    reversals = checkout.overrides(checkout.root(), "base", "survey/04_changing_its_mind")
    assert {"dependencies", "coreference"} <= set(reversals["tasks"])


def test_a_sentence_beside_a_corpus_is_no_corpus(monkeypatch):
    values = {"corpus": "gum", "text": "They sang Paris in the rain.", "twins": ["dpr"]}
    assert not list(plan.unusable(values))
    assert plan.corpora_of(values) == ["gum", "dpr"]
    assert plan.corpora_of({"text": "wiki-sample"}) == ["wiki-sample"]
    (said,) = plan.unusable({"text": values["text"]})
    assert said.startswith("corpus 'They sang Paris in the rain.' is neither a named")


def test_a_profile_may_set_parameters_of_one_chapter(tmp_path):
    for chapter in ("one", "two"):
        (tmp_path / "notebooks" / chapter).mkdir(parents=True)
        cell = {
            "cell_type": "code",
            "source": "seed: int = 0\ndraws: int = 1",
            "metadata": {"tags": ["parameters"]},
        }
        for name in ("01_a", "02_b"):
            file = tmp_path / "notebooks" / chapter / f"{name}.ipynb"
            file.write_text(json.dumps({"cells": [cell]}))
    (tmp_path / "notebooks" / "profiles").mkdir()
    file = tmp_path / "notebooks" / "profiles" / "base.yaml"
    file.write_text(
        "default: {seed: 1, draws: 5}\none: {seed: 2, other: 3}\none/02_b: {seed: 4}\n"
    )
    values = {
        name: checkout.overrides(tmp_path, "base", name)
        for name in checkout.notebooks(tmp_path)
    }
    assert values["two/01_a"] == {"seed": 1, "draws": 5}
    assert values["one/01_a"] == {"seed": 2, "draws": 5}
    assert values["one/02_b"] == {"seed": 4, "draws": 5}
    with pytest.raises(
        UserError, match="sets 'other', which is a parameter of no notebook"
    ):
        checkout.check_profile(tmp_path, "base")


def test_a_printed_model_is_asked_for_by_its_hub_id_and_found_by_its_printed_name():
    assert judging.name_in_results("google-bert/bert-base-cased@abc") == "BERT-base-cased"
    assert judging.name_in_results("some/model@abc") == "some/model"


def test_a_chapter_rerun_with_other_models_leaves_out_the_notebook_that_runs_none(capsys):
    names = checkout.matching(checkout.root(), "ethayarajh2019")
    values = main._settings(checkout.root(), "small", names, {"models": "some/model"})
    assert list(values) == [name for name in names if not artifacts.only_printed(name)]
    assert all(given["models"] == ["some/model"] for given in values.values())
    assert (
        capsys.readouterr().err
        == "ethayarajh2019/00_the_paper_against_itself has no parameter models: not run\n"
    )
    assert list(main._settings(checkout.root(), "small", names, {})) == names
    with pytest.raises(
        UserError, match="'modles' of ethayarajh2019/01_anisotropy: did you mean 'models'"
    ):
        main._settings(
            checkout.root(), "small", names, {"seed": "3", "modles": "some/model"}
        )


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("minilm", ("package", "installed")),
        ("some/model@abc", ("abc", "not here: would be fetched from the hub")),
        ("some/model", ("not pinned", "not here: would be fetched from the hub")),
        (".", ("folder", "here")),
    ],
)
def test_a_model_is_known_by_where_it_can_be_had(name, told):
    assert plan.model(name) == told


def test_a_model_name_that_can_be_no_hub_id_is_refused():
    with pytest.raises(UserError, match="'a b' is neither one of cwr-elmo, cwr-bert"):
        plan.model("a b")


def test_progress_counts_and_keeps_the_error_lines():
    said = []
    outcome = engine.follow(
        [
            "start a/1\n",
            "chatter\n",
            "done a/1 in 3 s\n",
            "failed a/2, cell [3]: KeyError: 3\n",
            "start the book\n",
        ],
        lambda: 2,
        said.append,
    )
    assert said == [
        "a/1 ...",
        "[1/2] a/1 in 3 s",
        "[2/2] FAILED a/2, cell [3]: KeyError: 3",
        "building the book ...",
    ]
    assert (outcome.done, outcome.failed, outcome.book) == (
        ["a/1 in 3 s"],
        ["a/2, cell [3]: KeyError: 3"],
        True,
    )


def test_cores_are_shared_among_jobs():
    command = engine.command("small", 3, ["x"])
    threads = max(1, engine.cores() // 3)
    assert (
        command[command.index("--cores") + 1] == str(3 * threads + 1)
        and f"threads={threads}" in command
    )
    assert command[command.index("--resources") + 1] == "models=3"


def test_a_table_is_aligned_and_shows_absent_values():
    assert (
        listing.table([{"a": "xx", "b": 1}, {"a": None, "b": 22}])
        == "a   b\nxx  1\n-   22"
    )


def test_lists_of_artifacts_make_stale_what_reads_them_and_nothing_else():
    root = checkout.root()
    found = root.joinpath("lib", "cwr", "texts").glob("*/claims/artifacts.csv")
    lists = {file.relative_to(root) for file in found}
    assert len(lists) == len(registry.KEYS)
    sources = [checkout.path(root, name) for name in checkout.notebooks(root)]
    for source in [root / "workflow" / "build_book.py", *sources]:
        files = set(dependencies.files(root, source))
        reads = Path("lib", "cwr", "papers", "artifacts.py") in files
        assert lists & files == (lists if reads else set()), source
