"""Choices behind Table 3: each changes what it says and nothing else, and its change is paired."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cwr import corpora, encoders
from cwr.corpora import word_pairs
from cwr.corpora.paragraphs import cut_at_end_marks, paragraphs
from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError
from cwr.estimates import contexts, distilled
from cwr.estimates.distilled import ALL_SETS, MEAN, SPEARMAN, Source
from cwr.measures import stats
from cwr.texts.gupta2021 import distillation_choices as choices
from cwr.texts.gupta2021 import left_out
from cwr.texts.gupta2021.distillation_choices import AS_IN_THE_CHAPTER, CHAPTER, CHOICES, Choice
from cwr.texts.gupta2021.distillation_study import Study, leads

SETS = ["wordsim-353", "men, natural"]
STEPS = 2240
BOTH = ("sentence", "paragraph")
TRAINED_ANEW = {  # {choice: {unit of text: settings that differ}}; all others train nothing
    "updates: one epoch of 128 lines": dict.fromkeys(BOTH, {"steps": 1}),
    "updates: 560": dict.fromkeys(BOTH, {"steps": 560}),
    "rate: decaying": dict.fromkeys(BOTH, {"floor": 0.0}),
    "negatives: power 0.75": dict.fromkeys(BOTH, {"power": 0.75}),
    "threshold: 5e-6": dict.fromkeys(BOTH, {"threshold": 5e-6}),
    "threshold: 1e-4": dict.fromkeys(BOTH, {"threshold": 1e-4}),
    "words: ten times": dict.fromkeys(BOTH, {}),
    "sentences: mean over pieces": {"sentence": {}},
    "sentences: special pieces, too": {"sentence": {}},
    "sentences: target left out": {"sentence": {"target": "left out"}},
    "sentences: layer 0": {"sentence": {}},
    "sentences: last layer but one": {"sentence": {}},
    "sentences: natural case": {"sentence": {}},
    "paragraphs: pieces by offsets": {"paragraph": {}},
    "paragraphs: pieces as released": {"paragraph": {}},
}
READ_ANEW = {  # {choice: what `contexts.read` is told}
    "sentences: mean over pieces": {"mean_over": "pieces"},
    "sentences: special pieces, too": {"mean_over": "special pieces"},
    "sentences: layer 0": {"layer": 0},
    "sentences: last layer but one": {"layer": -2},
    "sentences: natural case": {"lower": False},
    "paragraphs: pieces by offsets": {"mean_over": "pieces"},
    "paragraphs: pieces as released": {"mean_over": "released"},
}


@pytest.fixture(scope="module")
def text():
    return corpora.load("lee").sample(60, 0)


@pytest.fixture(scope="module")
def pairs(text):
    """Two sets of scored pairs of the words that occur ten times here, one of them called MEN."""
    frequent = contexts.vocabulary(text, 10).words
    rng = np.random.default_rng(0)
    sets = {}
    for name in ("WS-353", "MEN"):
        first, second = np.array([rng.choice(frequent, 2, replace=False) for _ in range(25)]).T
        score = rng.integers(10, size=25).astype(float)
        sets[name] = pd.DataFrame({"first": first, "second": second, "score": score})
    return sets


@pytest.fixture(scope="module")
def study(text, pairs, tmp_path_factory):
    """A study whose trainings are noted, and give each word the mean of its contexts."""
    notes = []

    def distil(matrix, vocabulary, settings, of_words, until_flat):
        note = {"matrix": matrix, "settings": settings, "of_words": of_words}
        notes.append(SimpleNamespace(**note, until_flat=until_flat))
        sums = np.zeros((len(vocabulary.words), matrix.shape[1]))
        for context, tokens in zip(matrix, vocabulary.tokens, strict=True):
            np.add.at(sums, tokens[tokens >= 0], context)
        return WordVectors("distilled", vocabulary.words, sums / vocabulary.counts[:, None])

    patch = pytest.MonkeyPatch()
    printed = {"men, natural": "MEN", **word_pairs.GUPTA}
    patch.setattr(distilled, "load", lambda names: {printed[n]: pairs[printed[n]] for n in names})
    patch.setenv("CWR_CACHE", str(tmp_path_factory.mktemp("cache")))
    rng = np.random.default_rng(1)
    words = contexts.vocabulary(text, 5).words
    table = {word: rng.normal(size=4) for word in words}
    rival = Source("rival", "static", {0: table}, {"static": 0})
    encoder = encoders.load("cwr-bert", device="cpu")
    opened = Study(encoder, text, [rival], SETS, distil, min_count=5, steps=STEPS, draws=20)
    opened.notes = notes
    opened.chapter = opened.rows(CHAPTER)
    opened.trainings = dict(zip(BOTH, notes, strict=True))
    yield opened
    patch.undo()


def test_the_table_says_of_every_choice_what_it_trains(study):
    assert set(TRAINED_ANEW) <= set(CHOICES)
    assert study.trainings["sentence"].settings == {
        "power": 0.5,
        "threshold": 1e-5,
        "floor": 1.0,
        "batch": 128,
        "steps": STEPS,
        "target": "within",
        "seed": 0,
    }
    assert study.trainings["paragraph"].settings == study.trainings["sentence"].settings
    assert all(study.trainings[unit].until_flat for unit in BOTH)


@pytest.mark.parametrize("name", [name for name in CHOICES if name != "RG-65: scores cut"])
def test_a_choice_trains_anew_only_what_it_changes(study, text, name):
    study.notes.clear()
    study.vectors.cache_clear()
    study.rows(CHAPTER)
    study.notes.clear()
    study.rows(CHOICES[name], name)
    expected = TRAINED_ANEW.get(name, {})
    for note, (unit, settings) in zip(study.notes, expected.items(), strict=True):
        chapter = study.trainings[unit]
        assert note.until_flat == ("updates" not in name)
        if "epoch" in name and unit == "paragraph":  # sentences of 128 paragraphs
            lines = len(paragraphs(text)[0].sentences)
            settings = {**settings, "batch": round(128 * len(text.sentences) / lines)}
        assert note.settings == chapter.settings | settings
        is_same = np.array_equal(note.matrix, chapter.matrix)
        assert is_same == (name not in READ_ANEW)
        assert (note.of_words is None) == (name != "sentences: target left out")


@pytest.mark.parametrize(
    "unit, choice, is_averaged",
    [
        ("sentence", Choice(), True),
        ("sentence", Choice(lower=False), True),  # ASE is then of words in their own case
        ("sentence", Choice(layer=-2), False),
        ("paragraph", Choice(), False),
    ],
)
def test_words_are_averaged_only_over_sentences_in_which_at_most_the_case_is_changed(
    study, unit, choice, is_averaged
):
    assert (study.read(unit, choice).occurrences is not None) == is_averaged


@pytest.mark.parametrize("name", READ_ANEW)
def test_contexts_that_are_read_anew_are_those_of_one_switch(study, text, name):
    study.notes.clear()
    study.vectors.cache_clear()
    study.sources(CHOICES[name])
    ((number, unit),) = [(i, unit) for i, unit in enumerate(BOTH) if unit in TRAINED_ANEW[name]]
    corpus = cut_at_end_marks(text) if unit == "paragraph" else text
    vocabulary = contexts.vocabulary(corpus, 5)
    read = contexts.read(study.encoder, corpus, vocabulary, unit, averages=False, **READ_ANEW[name])
    np.testing.assert_array_equal(study.notes[number].matrix, read.matrix)


def test_a_target_is_left_out_by_the_vectors_of_the_last_layer(study, text):
    study.notes.clear()
    study.vectors.cache_clear()
    study.sources(CHOICES["sentences: target left out"])
    expected = left_out.word_vectors(study.encoder, text, contexts.vocabulary(text, 5))
    np.testing.assert_array_equal(study.notes[0].of_words, expected)


def ase(study, choice) -> Source:
    return study.sources(choice)[-1]


@pytest.mark.parametrize("name", [name for name in CHOICES if name != "RG-65: scores cut"])
def test_averages_change_only_with_what_the_teacher_reads_or_by_centring(study, name):
    chapter, changed = ase(study, CHAPTER), ase(study, study.effective(CHOICES[name]))
    word = next(word for word in changed.words if word not in {"the", "of"})
    is_same = np.array_equal(chapter.tables[1][word], changed.tables[1][word])
    centred = {"centring: ASE", "centring: both", "sentences: natural case"}
    assert is_same == (name not in centred)
    has_alone = name == "pairs: each row by its tool"
    assert (changed.alone is not None) == has_alone


def test_rules_of_a_layer_stand_under_both_rows_of_ase(study):
    n_layers = study.encoder.n_layers
    for name, rule in (("ASE: last layer", n_layers), ("ASE: layer 0", 0)):
        assert ase(study, CHOICES[name]).rows == {"ase_best_per_task": rule, "ase_best_layer": rule}
    rows = study.rows(CHOICES["ASE: last layer"])
    (only,) = [
        row for row in rows if (row.get("estimator"), row["measure"]) == ("ase_best_layer", MEAN)
    ]
    expected = distilled.score_rows(
        [Source("t", "masked", ase(study, CHAPTER).tables, {"last": n_layers})],
        {"WS-353": distilled.load(["wordsim-353"])["WS-353"]},
        20,
    )
    (mean,) = [row for row in expected if row["measure"] == MEAN]
    assert only["value"] == pytest.approx(mean["value"])


def test_a_higher_threshold_has_the_averages_of_its_words(study, text):
    fewer = contexts.vocabulary(text, 10)
    read = contexts.read(study.encoder, text, fewer)
    words, layers = study.averages(True, 10)
    assert words == fewer.words
    np.testing.assert_allclose(layers[2], read.average_of(2), atol=1e-6)


def test_with_men_the_mean_of_all_sets_stands_for_that_of_the_papers(study):
    rows = study.rows(CHOICES["MEN: in the mean, too"])
    assert not [row for row in rows if ALL_SETS in row["measure"]]
    sentence = [row for row in rows if row.get("estimator") == "x2static_sentence"]
    cells = [row["value"] for row in sentence if row["measure"] == SPEARMAN]
    (mean,) = [row["value"] for row in sentence if row["measure"] == MEAN]
    assert len(cells) == 2 and mean == pytest.approx(np.mean(cells))


def test_what_cannot_matter_is_left_as_it_is(study, text, pairs):
    assert study.effective(Choice(is_cut=True)) == CHAPTER  # RG-65 is not among the sets
    assert study.effective(Choice(min_count=5)) == CHAPTER
    assert study.effective(Choice(min_count=10, floor=0.0)) == Choice(min_count=10, floor=0.0)
    alone = Study(study.encoder, text, [], ["wordsim-353"], study.distil)
    assert alone.effective(Choice(has_men=True)) == CHAPTER


def test_a_teacher_without_pieces_is_not_asked_for_means_over_them(study, text):
    elmo = Study(encoders.load("cwr-elmo", device="cpu"), text, [], ["wordsim-353"], study.distil)
    asked = choices.of_kinds(["sentences", "paragraphs"])
    left_out = {name for name in asked if "piece" in name}
    assert len(left_out) == 4 and set(study.applicable(asked)) == set(asked)
    assert set(elmo.applicable(asked)) == set(asked) - left_out
    with pytest.raises(
        UserError, match="none of the choices paragraphs: .* can matter to cwr-elmo"
    ):
        elmo.applicable(choices.of_kinds(["paragraphs"]))


def test_sets_without_one_of_the_papers_are_refused(study, text):
    with pytest.raises(UserError, match="none of men, natural is a set of the paper's"):
        Study(study.encoder, text, [], ["men, natural"], study.distil)


def test_an_unknown_kind_of_choice_is_refused():
    with pytest.raises(UserError, match="did you mean 'updates'"):
        choices.of_kinds(["update"])
    assert list(choices.of_kinds(["rate"])) == ["rate: decaying"]
    assert choices.of_kinds(choices.KINDS) == CHOICES


# ---- what a choice moves


def mean_row(estimator: str, variant: str | None, value: float, drawn: np.ndarray) -> dict:
    keys = {"model": "t", "family": "masked", "measure": MEAN, "variant": variant}
    return {**keys, "estimator": estimator, "value": value, "replicates": drawn}


def test_leads_and_their_changes_are_paired_draw_by_draw():
    rng = np.random.default_rng(0)
    shared = rng.normal(0, 0.1, 400)  # what all rows have in common cancels
    small = rng.normal(0, 0.01, (4, 400))
    values = {None: (0.5, 0.4), "other": (0.5, 0.55)}
    rows = []
    for number, (variant, (ours, ase_value)) in enumerate(values.items()):
        first, second = small[2 * number], small[2 * number + 1]
        rows.append(mean_row("x2static_sentence", variant, ours, ours + shared + first))
        rows.append(mean_row("ase_best_layer", variant, ase_value, ase_value + shared + second))
    chapter, other = leads(rows).to_dict("records")
    assert (chapter["choice"], other["choice"]) == (AS_IN_THE_CHAPTER, "other")
    assert (chapter["verdict"], other["verdict"]) == ("above", "below")
    assert other["unit"] == "sentence"
    assert other["lead"] == pytest.approx(-0.05) and other["change"] == pytest.approx(-0.15)
    expected = stats.interval(-0.05 + small[2] - small[3])
    assert (other["lead_low"], other["lead_high"]) == pytest.approx(expected)
    expected = stats.interval(-0.15 + small[2] - small[3] - (small[0] - small[1]))
    assert (other["change_low"], other["change_high"]) == pytest.approx(expected)
    level = [mean_row("x2static_sentence", None, 0.4, 0.4 + small[0]), rows[1]]
    assert leads(level)["verdict"].tolist() == ["undecided"]


def test_the_strongest_choices_move_most_and_differ_in_field():
    named = {
        "a": Choice(ase="last"),
        "b": Choice(ase="input"),
        "c": Choice(floor=0.0),
        "d": Choice(power=0.75),
    }
    moves = pd.DataFrame(
        {
            "choice": ["a", "b", "c", "d", "c"],
            "unit": ["sentence"] * 4 + ["paragraph"],
            "change": [-0.3, 0.2, 0.1, 0.15, 0.9],
        }
    )
    assert choices.strongest(moves, named, 3) == ["a", "d", "c"]
    assert choices.strongest(moves, named, 1) == ["a"]


def test_combined_choices_change_every_field_of_theirs():
    three = {"a": Choice(ase="last"), "c": Choice(floor=0.0), "d": Choice(power=0.75)}
    grid = choices.combined(three)
    assert list(grid) == ["a + c", "a + d", "c + d", "a + c + d"]
    assert grid["a + c + d"] == Choice(ase="last", floor=0.0, power=0.75)
