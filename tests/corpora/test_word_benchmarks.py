"""The benchmarks of Table 1: as the independent copies have them, offline where they can be."""

import gzip

import pandas as pd
import pytest

from cwr import downloads
from cwr.corpora import datasets, texts, word_benchmarks, word_pairs
from cwr.errors import UserError
from cwr.papers import printed

SIZES = {
    "SimLex999": 999,
    "MEN": 3000,
    "WS353": 353,
    "RW": 2034,
    "Google": 19544,
    "MSR": 8000,
    "SemEval2012(2)": 3218,
    "BLESS": 200,
    "AP": 402,
}
CLASSES = {"Google": 14, "MSR": 16, "SemEval2012(2)": 79, "BLESS": 17, "AP": 21}
QUESTION = {
    "category": "class",
    "word1": "first",
    "word2": "second",
    "word3": "third",
    "target": "answer",
}
COPIES = {
    "MSR": "analogy/msr_questions.tsv",
    "BLESS": "categorisation/bless.tsv",
    "AP": "categorisation/ap.tsv",
}


@pytest.fixture
def mirrored(shared, monkeypatch):
    """The folder of independent copies; what is not packaged is found in the mirror."""
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))
    return shared / "data"


@pytest.mark.parametrize("name", word_benchmarks.NAMES)
def test_a_benchmark_has_the_task_that_is_printed_and_all_its_items(name, mirrored):
    table = printed.load("ethayarajh2019")
    rows = table[(table["artifact"] == "Table 1") & (table["dataset"] == name)]
    benchmark = word_benchmarks.load(name)
    assert set(rows["task"]) == {benchmark.task}
    assert benchmark.name == name and len(benchmark.items) == SIZES[name]
    if name in CLASSES:
        assert benchmark.items["class"].nunique() == CLASSES[name]


def test_the_names_are_the_columns_of_table_1_in_their_order():
    table = printed.load("ethayarajh2019")
    columns = table.loc[table["artifact"] == "Table 1", "dataset"].unique()
    assert list(word_benchmarks.NAMES) == columns.tolist()


@pytest.mark.parametrize("name", COPIES)
def test_a_downloaded_table_is_line_by_line_that_of_the_independent_copy(name, mirrored):
    copy = pd.read_csv(mirrored / COPIES[name], sep="\t", keep_default_na=False)
    items = word_benchmarks.load(name).items
    pd.testing.assert_frame_equal(items, copy.rename(columns=QUESTION))


def test_googles_questions_are_those_of_the_independent_copy(shared):
    with gzip.open(
        shared / "data" / "analogy" / "google_questions_words.tsv.gz", "rt"
    ) as file:
        copy = pd.read_csv(file, sep="\t", keep_default_na=False).rename(columns=QUESTION)
    items = word_benchmarks.load("Google").items
    pd.testing.assert_frame_equal(items, copy)


def test_semevals_relations_are_those_of_the_independent_copy(shared):
    folder = shared / "data" / "semeval2012_task2"
    benchmark = word_benchmarks.load("SemEval2012(2)")
    for frame, file in (
        (benchmark.items, "gold_ratings"),
        (benchmark.paradigms, "prototypes"),
    ):
        copy = pd.read_csv(folder / f"{file}.tsv", sep="\t", keep_default_na=False)
        copy = copy.drop(columns="class", errors="ignore")  # the ten kinds of relations
        copy = copy.rename(columns={**QUESTION, "rating": "score"})[frame.columns]
        for relation, rows in frame.groupby("class"):  # the order of relations differs
            expected = copy[copy["class"] == relation]
            assert rows.to_numpy().tolist() == expected.to_numpy().tolist(), relation
        assert set(frame["class"]) == set(copy["class"])


def test_semevals_tables_are_what_their_script_makes_of_the_tasks_files(
    shared, tmp_path, monkeypatch
):
    import runpy
    from pathlib import Path

    script = Path(__file__).parents[2] / "workflow" / "tables" / "semeval2012.py"
    (folder,) = (
        shared / "data" / "mirror" / "SBelkaid" / "degrees_of_similarities"
    ).iterdir()
    functions = runpy.run_path(str(script))
    source = folder / "SemEval-2012-Complete-Data-Package" / "subcategories-paradigms.txt"
    made = {
        "ratings.csv": functions["ratings"](folder / "SemEval-2012-Gold-Ratings"),
        "paradigms.csv": functions["paradigms"](source),
    }
    for name, lines in made.items():
        committed = (functions["TABLES"] / name).read_text(encoding="utf-8").splitlines()
        assert [line for line in committed if not line.startswith("#")] == lines


def test_the_packaged_benchmarks_need_no_network_and_no_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("CWR_DATA", raising=False)
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    for name in ("SimLex999", "MEN", "WS353", "Google", "SemEval2012(2)"):
        assert len(word_benchmarks.load(name).items) == SIZES[name]
        assert datasets.find(name, word_benchmarks.KIND).downloads == []


def test_a_benchmark_names_every_word_it_asks_for_once_and_paradigms_too():
    benchmark = word_benchmarks.load("SemEval2012(2)")
    words = benchmark.words
    assert "tulip" in set(benchmark.paradigms["second"])
    assert list(words) == sorted(set(words)) and {"tulip", "spear", "Everest"} <= set(
        words
    )
    google = word_benchmarks.load("Google")
    assert len(google.words) == 905
    assert {word for word in google.words if word.startswith("Bagh")} == {"Baghdad"}


def test_lower_case_changes_the_words_and_nothing_else_and_marks_go_only_when_asked(
    mirrored,
):
    google = word_benchmarks.load("Google")
    lowered = google.lower_cased()
    assert lowered.items.loc[0].tolist() == [
        "capital-common-countries", "athens", "greece", "baghdad", "iraq",
    ]  # fmt: skip
    assert google.items.loc[0, "first"] == "Athens"
    msr = word_benchmarks.load("MSR")
    assert "city's" in msr.lower_cased().words
    bare = msr.lower_cased(without_marks=True)
    assert "citys" in bare.words and "city's" not in bare.words
    assert set(bare.items["class"]) == set(msr.items["class"])


def test_men_is_as_written_and_the_packages_lemmas_have_a_name_of_their_own():
    assert "kittens" in word_benchmarks.load("MEN").words
    lemmas = word_benchmarks.load("MEN lemma")
    assert "kittens" not in lemmas.words
    pd.testing.assert_frame_equal(lemmas.items, word_pairs.load("men"))


def test_an_unknown_benchmark_is_refused_and_the_nearest_is_named():
    with pytest.raises(UserError, match="did you mean 'SimLex999'"):
        word_benchmarks.load("simlex-999")
    with pytest.raises(UserError, match="there are SimLex999, MEN, WS353"):
        word_benchmarks.load("xyz")


@pytest.mark.parametrize(
    "line", ["Athens Greece Oslo", "Athens Greece Oslo Norway Rome", ""]
)
def test_a_question_of_another_number_of_words_is_named(line, tmp_path, monkeypatch):
    (tmp_path / "questions-words.txt").write_text(f": capitals\nA B C D\n{line}\n")
    monkeypatch.setattr(texts, "gensim_data", lambda: tmp_path)
    with pytest.raises(
        UserError, match=r"line 3 of .*questions-words.txt is .*not 4 columns"
    ):
        word_benchmarks.load("Google")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (
            ["0,bird,crow", "1,bird,dove,9"],
            "line 3 of .* is '1,bird,dove,9', not 3 columns",
        ),
        (["0,bird,crow", "1,bird"], "line 3 of .* is '1,bird', not 3 columns"),
        (["0,bird,crow", "1,,dove"], "line 3 of .* is '1,,dove', not 3 columns"),
        (
            ["0,bird,crow", "1,bird,", "2,fish,crow"],
            "'crow' stands 2 times in the benchmark BLESS",
        ),
    ],
)
def test_a_broken_table_of_classes_is_told_in_one_sentence(
    lines, reason, tmp_path, monkeypatch
):
    file = tmp_path / "bless.csv"
    file.write_text("\n".join([",category,word", *lines]))
    monkeypatch.setattr(downloads, "fetch", lambda row: file)
    with pytest.raises(UserError, match=reason):
        word_benchmarks.load("BLESS")


def test_a_rating_that_is_no_number_is_refused(tmp_path, monkeypatch):
    for name in ("ratings.csv", "paradigms.csv"):
        (tmp_path / "semeval2012").mkdir(exist_ok=True)
        (tmp_path / "semeval2012" / name).write_text("1a,weapon,spear,nan\n")
    monkeypatch.setattr(datasets, "FOLDER", tmp_path)
    with pytest.raises(UserError, match="ratings.csv has the score 'nan', no number"):
        word_benchmarks.load("SemEval2012(2)")
