"""Wiki-PSE's own lists against the printed tables, and its archive."""

import pytest

from cwr import downloads
from cwr.corpora.wiki_pse import archive, contexts, released
from cwr.errors import UserError
from cwr.texts.zhao2020 import claims as zhao2020

# {split: {class: (pairs, contexts) more in the list than in Table 8}}; notes on the print
DIFFERENCES = {
    "train": {
        "broadcast-program": (0, 1),
        "computer-programming-language": (1, 49),
        "organization": (1, 1),
    },
    "test": {
        "computer-programming-language": (3, 19),
        "product": (1, 1),
        "location": (0, -1),
    },
}


@pytest.fixture
def mirrored(shared, monkeypatch):
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))


@pytest.mark.parametrize(
    ("split", "printed"), [("train", ("train", "dev")), ("test", ("test",))]
)
def test_the_lists_have_the_counts_of_tables_2_and_8(mirrored, split, printed):
    table = zhao2020.published()
    table = table[table["artifact"] == "Table 8"].dropna(subset=["class"])
    counted = contexts.counts(released.pairs(split), by=["class"])
    differences = {}
    for name, row in counted.iterrows():
        here = table[table["class"] == name]
        here = here[here["dataset"].isin([f"Wiki-PSE {part}" for part in printed])]
        sums = here.groupby("measure")["value"].sum()
        pairs = row["pairs"] - sums["probing_pairs"]
        number = row["contexts"] - sums["probing_contexts"]
        if pairs or number:
            differences[name] = (pairs, number)
    assert len(counted) == 34 and differences == DIFFERENCES[split]


def test_the_lists_have_the_words_of_table_2(mirrored):
    words = {split: set(released.pairs(split)["word"]) for split in released.SPLITS}
    assert {split: len(names) for split, names in words.items()} == {
        "train": 44_249,
        "test": 44_250,
    }
    assert not words["train"] & words["test"]
    assert "" not in words["train"] and "regensburg" in words["train"] | words["test"]


def test_a_class_that_stands_twice_is_added(mirrored):
    for split, repeated in (("train", 84), ("test", 93)):
        entries = released.entries(split)
        twice = entries[entries.duplicated(contexts.PAIR)]
        assert len(twice) == repeated and set(twice["class"]) == {"location"}
        assert released.added(entries)["frequency"].sum() == entries["frequency"].sum()
    pairs = released.pairs("test").set_index(contexts.PAIR)
    of_location = pairs.xs("location", level="class")["contexts"]
    assert of_location.max() == 100 and of_location.sum() == 776_847  # 776,848 are printed


def test_the_lists_name_one_class_of_more_than_half_of_their_words(mirrored):
    classes = released.classes()
    with_one = [word for word in classes if classes[word]]
    assert (len(classes), len(with_one)) == (
        88_499,
        50_047,
    )  # of 47 of them it stands twice
    pairs = released.pairs("train")
    assert classes["airheads"] == "" and set(
        pairs[pairs["word"] == "airheads"]["class"]
    ) > {"art"}


@pytest.fixture
def listed(tmp_path, monkeypatch):
    """listed(text) makes a text the list that is read."""

    def write(text):
        file = tmp_path / "list.tsv"
        file.write_text(text, encoding="utf-8")
        monkeypatch.setattr(downloads, "fetch", lambda path: file)

    return write


def test_a_list_is_read_line_by_line(listed):
    listed("@new_york@\t-location=120 -body_part=2 -location=1\n@@\t-art=7\n@a@\t-art=3\n")
    table = released.pairs("train")
    assert table.to_numpy().tolist() == [
        ["new york", "location", 121, 100],
        ["new york", "body-part", 2, 2],
        ["a", "art", 3, 3],
    ]
    assert released.pairs("train", cap=2)["contexts"].tolist() == [2, 2, 2]


@pytest.mark.parametrize("line", ["@a@\t-art", "@a@\t-art=x", "@a@\t=7", "@a@\t-art=-7"])
def test_a_line_of_another_form_is_one_sentence(listed, line):
    listed(f"@b@\t-art=7\n{line}\n")
    with pytest.raises(
        UserError, match="^line 2 of .* where a class and its frequency should sta"
    ):
        released.entries("test")


# ---- the archive


def test_sentences_of_the_corpus_have_their_classes_as_mentions(tmp_path):
    file = tmp_path / "corpus.txt"
    file.write_text(
        "in @new_york@-location they eat @apple@-food .\n@ home @@\n", encoding="utf-8"
    )
    first, second = archive.sentences(file)
    assert first.text == "in new york they eat apple ." and second.text == "@ home @@"
    found = [
        (mention["first"], mention["last"], mention["class"])
        for mention in first.annotations["mentions"]
    ]
    assert found == [(1, 2, "location"), (5, 5, "food")]
    assert second.annotations["mentions"] == []


def test_a_corpus_that_is_not_utf_8_is_one_sentence(tmp_path):
    file = tmp_path / "corpus.txt"
    file.write_bytes(b"caf\xe9")
    with pytest.raises(UserError, match="is not UTF-8"):
        list(archive.sentences(file))
