"""Scored pairs of words: as the independent copies have them, and what is said of a damaged file."""

import pandas as pd
import pytest
from scipy.stats import spearmanr

from cwr.corpora import datasets, texts, word_pairs
from cwr.errors import UserError
from cwr.texts.gupta2021.claims import readings

SIZES = {
    "men": 3000,
    "men, natural": 3000,
    "rare words": 2034,
    "rg-65": 65,
    "rg-65, cut": 65,
    "simlex-999": 999,
    "simverb-3500": 3500,
    "wordsim-353": 353,
    "wordsim-similarity": 203,
    "wordsim-relatedness": 252,
}
COPIES = {
    "men": "men3000_lemma",
    "men, natural": "men3000_natural",
    "rare words": "rare_words",
    "rg-65": "rg65",
    "rg-65, cut": "rg65",
    "simlex-999": "simlex999",
    "simverb-3500": "simverb3500",
    "wordsim-353": "wordsim353",
    "wordsim-similarity": "wordsim353_similarity",
    "wordsim-relatedness": "wordsim353_relatedness",
}


@pytest.fixture
def mirrored(shared, monkeypatch):
    """The folder of independent copies; data sets that are not packaged are found in the mirror."""
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))
    return shared / "data" / "word_similarity"


@pytest.mark.parametrize("name", datasets.of_kind(word_pairs.KIND))
def test_a_data_set_is_pair_by_pair_that_of_the_independent_copy(name, mirrored):
    copy = pd.read_csv(mirrored / f"{COPIES[name]}.tsv", sep="\t", keep_default_na=False)
    copy.columns = ["first", "second", "score"]
    if name == "men":  # the letter of the part of speech is no part of the word
        for side in ("first", "second"):
            copy[side] = [word[:-2] for word in copy[side]]
    if name == "rg-65, cut":  # "3.94" becomes "3."
        copy["score"] = [float(str(score).split(".")[0]) for score in copy["score"]]
    pairs = word_pairs.load(name)
    assert len(pairs) == SIZES[name]
    pd.testing.assert_frame_equal(pairs, copy)


def test_the_packaged_sets_need_no_network_and_no_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("CWR_DATA", raising=False)
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    for name in ("men", "men, natural", "simlex-999", "wordsim-353"):
        assert len(word_pairs.load(name)) == SIZES[name], name


def test_men_has_lemmas_in_one_form_and_words_as_written_in_the_other():
    lemmas, natural = word_pairs.load("men"), word_pairs.load("men, natural")
    row = natural.index[natural["second"] == "kittens"][0]
    assert lemmas.loc[row].tolist() == ["cat", "kitten", 49.0]
    assert (lemmas["score"] == natural["score"]).all() and lemmas["score"].max() == 50


def test_agirres_two_parts_overlap_in_103_pairs_of_one_benchmark(mirrored):
    def unordered(name):
        pairs = word_pairs.load(name)[["first", "second"]].to_numpy()
        return {tuple(sorted(word.lower() for word in pair)) for pair in pairs}

    similarity, relatedness = (
        unordered("wordsim-similarity"),
        unordered("wordsim-relatedness"),
    )
    assert len(similarity & relatedness) == 103
    assert similarity | relatedness <= unordered("wordsim-353")


def test_cut_scores_of_rg_65_have_the_correlation_with_the_gold_that_the_paper_check_prints(
    mirrored,
):
    gold, cut = (word_pairs.load(name)["score"] for name in ("rg-65", "rg-65, cut"))
    assert (gold != cut).sum() == 64 and cut.nunique() == 4
    assert spearmanr(gold, cut).statistic == pytest.approx(0.954496, abs=1e-6)  # data.csv


def test_every_set_of_gupta_and_jaggis_table_3_has_a_source(mirrored):
    assert tuple(word_pairs.GUPTA.values()) == readings.SIMILARITY
    assert (
        sum(len(word_pairs.load(name)) for name in word_pairs.GUPTA)
        == 65 + 353 + 999 + 3500 + 2034
    )


def test_an_unknown_set_is_refused_and_the_nearest_is_named():
    with pytest.raises(UserError, match="did you mean 'simlex-999'"):
        word_pairs.load("simlex")
    with pytest.raises(UserError, match="there are men, men, natural, rare words"):
        word_pairs.load("xyz")


@pytest.mark.parametrize(
    "line",
    [
        "old\tnew",
        "old\tnew\tvery",
        "old\tnew\tnan",
        "\tnew\t1.5",
        "old\tnew\t1\t2",
        "old\tnew\t",
        "",
    ],
)
def test_a_line_that_is_no_pair_is_named(line, tmp_path, monkeypatch):
    (tmp_path / "simlex999.txt").write_text(
        f"# head\nsmart\tintelligent\t9.2\n{line}\nhot\tcold\t2\n"
    )
    monkeypatch.setattr(texts, "gensim_data", lambda: tmp_path)
    with pytest.raises(
        UserError, match=r"line 3 of .*simlex999.txt is .*not two words and a score"
    ):
        word_pairs.load("simlex-999")


def test_a_missing_file_is_told_in_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(texts, "gensim_data", lambda: tmp_path)
    with pytest.raises(UserError, match="'wordsim-353' cannot be read from .* again$"):
        word_pairs.load("wordsim-353")
