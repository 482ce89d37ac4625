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
from cwr.estimates.choices import of_kinds
from cwr.estimates.distilled import ALL_SETS, MEAN, SPEARMAN, Source
from cwr.measures import stats
from cwr.texts.gupta2021 import choices, left_out
from cwr.texts.gupta2021.choices import AS_IN_THE_CHAPTER, CHOICES, leads

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
        first, second = np.array(
            [rng.choice(frequent, 2, replace=False) for _ in range(25)]
        ).T
        score = rng.integers(10, size=25).astype(float)
        sets[name] = pd.DataFrame({"first": first, "second": second, "score": score})
    return sets


@pytest.fixture(scope="module")
def opened(text, pairs, tmp_path_factory):
    """Opens a pipeline whose trainings are noted, and give each word the mean of its contexts."""
    patch = pytest.MonkeyPatch()
    printed = {"men, natural": "MEN", **word_pairs.GUPTA}
    patch.setattr(
        distilled, "load", lambda names: {printed[n]: pairs[printed[n]] for n in names}
    )
    patch.setenv("CWR_CACHE", str(tmp_path_factory.mktemp("cache")))
    rng = np.random.default_rng(1)
    words = contexts.vocabulary(text, 5).words
    table = {word: rng.normal(size=4) for word in words}
    rival = Source("rival", "static", {0: table}, {"static": 0})

    def open_one(sets=SETS, model="cwr-bert"):
        notes = []

        def distil(matrix, vocabulary, settings, of_words, until_flat):
            note = {"matrix": matrix, "settings": settings, "of_words": of_words}
            notes.append(SimpleNamespace(**note, until_flat=until_flat))
            sums = np.zeros((len(vocabulary.words), matrix.shape[1]))
            for context, tokens in zip(matrix, vocabulary.tokens, strict=True):
                np.add.at(sums, tokens[tokens >= 0], context)
            return WordVectors(
                "distilled", vocabulary.words, sums / vocabulary.counts[:, None]
            )

        encoder = encoders.load(model, device="cpu")
        pipeline = choices.pipeline(
            encoder, text, [rival], sets, distil, steps=STEPS, draws=20
        )
        return pipeline, notes

    yield open_one
    patch.undo()


@pytest.fixture(scope="module")
def noted(opened):
    return opened()


@pytest.fixture(scope="module")
def pipeline(noted):
    return noted[0]


@pytest.fixture(scope="module")
def trainings(noted):
    """The trainings of the chapter, under None, and those that each choice adds to them."""
    pipeline, notes = noted
    added = {}
    for name, changes in ({None: {}} | CHOICES).items():
        notes.clear()
        pipeline("table_3", **changes)
        added[name] = list(notes)
    return added


def test_the_table_says_of_every_choice_what_it_trains(trainings, pipeline):
    assert set(TRAINED_ANEW) <= set(CHOICES)
    sentence, paragraph = trainings[None]
    assert sentence.settings == {
        "power": 0.5,
        "threshold": 1e-5,
        "floor": 1.0,
        "batch": 128,
        "steps": STEPS,
        "target": "within",
        "seed": 0,
    }
    assert {**paragraph.settings, "target": "within"} == sentence.settings
    assert sentence.until_flat and paragraph.until_flat
    for unit, settings in pipeline("settings", training_seed=2).items():
        assert settings == pipeline("settings")[unit] | {"seed": 2}


@pytest.mark.parametrize("name", [name for name in CHOICES if name != "RG-65: scores cut"])
def test_a_choice_trains_anew_only_what_it_changes(trainings, text, name):
    of_chapter = dict(zip(BOTH, trainings[None], strict=True))
    expected = TRAINED_ANEW.get(name, {})
    for note, (unit, settings) in zip(trainings[name], expected.items(), strict=True):
        chapter = of_chapter[unit]
        assert note.until_flat == ("updates" not in name)
        if "epoch" in name and unit == "paragraph":  # sentences of 128 paragraphs
            lines = len(paragraphs(text)[0].sentences)
            settings = {**settings, "batch": round(128 * len(text.sentences) / lines)}
        assert note.settings == chapter.settings | settings
        is_same = np.array_equal(note.matrix, chapter.matrix)
        assert is_same == (name not in READ_ANEW)
        assert (note.of_words is None) == (name != "sentences: target left out")


@pytest.mark.parametrize("name", READ_ANEW)
def test_contexts_that_are_read_anew_are_those_of_one_switch(
    trainings, pipeline, text, name
):
    (note,), (unit,) = trainings[name], TRAINED_ANEW[name]
    corpus = cut_at_end_marks(text) if unit == "paragraph" else text
    vocabulary = contexts.vocabulary(corpus, 5)
    encoder = pipeline.chapter["encoder"]
    read = contexts.read(
        encoder, corpus, vocabulary, unit, averages=False, **READ_ANEW[name]
    )
    np.testing.assert_array_equal(note.matrix, read.matrix)


def test_averages_need_no_pass_but_that_of_the_contexts(opened, tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))
    pipeline, _ = opened()
    pipeline("sentence_contexts")
    extractions = set((tmp_path / "extraction").iterdir())
    pipeline("averages")
    pipeline("averages", least=10)
    assert set((tmp_path / "extraction").iterdir()) == extractions
    pipeline("averages", lower=False)
    assert set((tmp_path / "extraction").iterdir()) > extractions


def test_a_target_is_left_out_by_the_vectors_of_the_last_layer(trainings, pipeline, text):
    (note,) = trainings["sentences: target left out"]
    vocabulary = contexts.vocabulary(text, 5)
    expected = left_out.word_vectors(pipeline.chapter["encoder"], text, vocabulary)
    np.testing.assert_array_equal(note.of_words, expected)


@pytest.mark.parametrize("name", [name for name in CHOICES if name != "RG-65: scores cut"])
def test_averages_change_only_with_what_the_teacher_reads_or_by_centring(pipeline, name):
    chapter, changed = pipeline("ase_source"), pipeline("ase_source", **CHOICES[name])
    word = next(word for word in changed.words if word not in {"the", "of"})
    is_same = np.array_equal(chapter.tables[1][word], changed.tables[1][word])
    centred = {"centring: ASE", "centring: both", "sentences: natural case"}
    assert is_same == (name not in centred)
    has_alone = name == "pairs: each row by its tool"
    assert (changed.alone is not None) == has_alone


@pytest.mark.parametrize("name", ["centring: X2Static", "centring: both"])
def test_centring_takes_off_the_mean_over_all_words(pipeline, name):
    trained = [pipeline("sentence_vectors"), pipeline("paragraph_vectors")]
    sources = pipeline("x2static_sources", **CHOICES[name])
    for vectors, source in zip(trained, sources, strict=True):
        less = vectors.vectors - vectors.vectors.mean(axis=0)
        for word, vector in zip(vectors.words, less, strict=True):
            if word in source.words:
                np.testing.assert_allclose(source.tables[0][word], vector, atol=1e-12)


def test_rules_of_a_layer_stand_under_both_rows_of_ase(pipeline):
    n_layers = pipeline.chapter["encoder"].n_layers
    for name, rule in (("ASE: last layer", n_layers), ("ASE: layer 0", 0)):
        source = pipeline("ase_source", **CHOICES[name])
        assert source.rows == {"ase_best_per_task": rule, "ase_best_layer": rule}
    rows = pipeline("table_3", **CHOICES["ASE: last layer"])
    (only,) = [
        row
        for row in rows
        if (row.get("estimator"), row["measure"]) == ("ase_best_layer", MEAN)
    ]
    expected = distilled.score_rows(
        [Source("t", "masked", pipeline("ase_source").tables, {"last": n_layers})],
        {"WS-353": distilled.load(["wordsim-353"])["WS-353"]},
        20,
    )
    (mean,) = [row for row in expected if row["measure"] == MEAN]
    assert only["value"] == pytest.approx(mean["value"])


def test_a_higher_threshold_has_the_averages_of_its_words(pipeline, text):
    fewer = contexts.vocabulary(text, 10)
    read = contexts.read(pipeline.chapter["encoder"], text, fewer)
    averages = pipeline("averages", least=10)
    assert averages.vocabulary.words == fewer.words
    np.testing.assert_allclose(averages.average_of(2), read.average_of(2), atol=1e-6)


def test_with_men_the_mean_of_all_sets_stands_for_that_of_the_papers(pipeline):
    rows = pipeline("table_3", **CHOICES["MEN: in the mean, too"])
    assert not [row for row in rows if ALL_SETS in row["measure"]]
    sentence = [row for row in rows if row.get("estimator") == "x2static_sentence"]
    cells = [row["value"] for row in sentence if row["measure"] == SPEARMAN]
    (mean,) = [row["value"] for row in sentence if row["measure"] == MEAN]
    assert len(cells) == 2 and mean == pytest.approx(np.mean(cells))


def test_cut_scores_stand_under_the_name_of_their_set(pairs, monkeypatch):
    known = {"rg-65": "RG-65", "rg-65, cut": "rg-65, cut", "wordsim-353": "WS-353"}
    whole = pairs["WS-353"].assign(score=pairs["WS-353"]["score"] + 0.5)
    scored = {"RG-65": whole, "rg-65, cut": pairs["WS-353"], "WS-353": pairs["MEN"]}
    monkeypatch.setattr(
        distilled, "load", lambda names: {known[n]: scored[known[n]] for n in names}
    )
    cut = choices.pairs(["rg-65", "wordsim-353"], is_cut=True)
    assert list(cut) == ["RG-65", "WS-353"]
    assert cut["RG-65"] is scored["rg-65, cut"] and cut["WS-353"] is scored["WS-353"]
    assert choices.pairs(["rg-65"], is_cut=False)["RG-65"] is whole


def test_what_cannot_matter_is_left_as_it_is(opened, pipeline):
    assert (
        pipeline.effective(CHOICES["RG-65: scores cut"]) == {}
    )  # RG-65 is not among the sets
    assert pipeline.effective({"least": 5}) == {}
    assert pipeline.effective({"least": 10, "floor": 0.0}) == {"least": 10, "floor": 0.0}
    alone, _ = opened(["wordsim-353"])
    assert alone.effective(CHOICES["MEN: in the mean, too"]) == {}
    assert set(pipeline.applicable(CHOICES)) == set(CHOICES) - {"RG-65: scores cut"}


def test_a_teacher_without_pieces_is_not_asked_for_means_over_them(opened, pipeline):
    elmo, _ = opened(["wordsim-353"], "cwr-elmo")
    asked = of_kinds(CHOICES, ["sentences", "paragraphs"])
    without = {name for name in asked if "piece" in name}
    assert len(without) == 4 and set(choices.applicable(pipeline, asked)) == set(asked)
    assert set(choices.applicable(elmo, asked)) == set(asked) - without
    with pytest.raises(
        UserError, match="none of the choices paragraphs: .* can matter to cwr-elmo"
    ):
        choices.applicable(elmo, of_kinds(CHOICES, ["paragraphs"]))


def test_sets_without_one_of_the_papers_are_refused(opened):
    with pytest.raises(UserError, match="none of men, natural is a set of the paper's"):
        opened(["men, natural"])


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
        rows.append(
            mean_row("ase_best_layer", variant, ase_value, ase_value + shared + second)
        )
    chapter, other = leads(rows).to_dict("records")
    assert (chapter["choice"], other["choice"]) == (AS_IN_THE_CHAPTER, "other")
    assert (chapter["verdict"], other["verdict"]) == ("above", "below")
    assert other["unit"] == "sentence"
    assert other["lead"] == pytest.approx(-0.05) and other["change"] == pytest.approx(
        -0.15
    )
    expected = stats.interval(-0.05 + small[2] - small[3])
    assert (other["lead_low"], other["lead_high"]) == pytest.approx(expected)
    expected = stats.interval(-0.15 + small[2] - small[3] - (small[0] - small[1]))
    assert (other["change_low"], other["change_high"]) == pytest.approx(expected)
    level = [mean_row("x2static_sentence", None, 0.4, 0.4 + small[0]), rows[1]]
    assert leads(level)["verdict"].tolist() == ["undecided"]


def test_the_strongest_choices_move_most_and_differ_in_parameter():
    named = {"a": {"ase": -1}, "b": {"ase": 0}, "c": {"floor": 0.0}, "d": {"power": 0.75}}
    moves = pd.DataFrame(
        {
            "choice": ["a", "b", "c", "d", "c"],
            "unit": ["sentence"] * 4 + ["paragraph"],
            "change": [-0.3, 0.2, 0.1, 0.15, 0.9],
        }
    )
    assert choices.strongest(moves, named, 3) == ["a", "d", "c"]
    assert choices.strongest(moves, named, 1) == ["a"]


def test_a_target_is_not_left_out_of_a_mean_over_pieces():
    names = ["sentences: mean over pieces", "sentences: target left out", "rate: decaying"]
    moves = pd.DataFrame({"choice": names, "unit": "sentence", "change": [0.3, 0.2, 0.1]})
    assert choices.strongest(moves, CHOICES, 3) == [names[0], names[2]]


def test_combined_choices_change_every_parameter_of_theirs():
    three = {"a": {"ase": -1}, "c": {"floor": 0.0, "seed": 1}, "d": {"power": 0.75}}
    grid = choices.combined(three)
    assert list(grid) == ["a + c", "a + d", "c + d", "a + c + d"]
    assert grid["a + c"] == {"ase": -1, "floor": 0.0, "seed": 1}
    assert grid["a + c + d"] == {"ase": -1, "floor": 0.0, "seed": 1, "power": 0.75}
