"""The data of the live figure of neighbours: exact, small, closed under walking."""

import json
import re

import numpy as np
import pytest

from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError
from cwr.texts.gupta2021 import neighbours

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def random_tables(n: int, dim: int = 6) -> dict[str, WordVectors]:
    words = tuple(
        LETTERS[i % 26] + LETTERS[i // 26 % 26] + LETTERS[i // 676] for i in range(n)
    )
    rng = np.random.default_rng(1)
    return {
        name: WordVectors(name, words, rng.normal(size=(n, dim)).astype(np.float32))
        for name in ("one", "two", "three")
    }


def by_loop(
    table: WordVectors, words: list[str], word: str, k: int
) -> list[tuple[str, float]]:
    """A word's neighbours among some words, straight from the definition, to two decimals."""
    vectors = {other: vector.astype(float) for other, vector in table.of(words).items()}
    target = vectors.pop(word)
    cosines = {
        other: vector @ target / np.linalg.norm(vector) / np.linalg.norm(target)
        for other, vector in vectors.items()
    }
    nearest = sorted(cosines, key=lambda other: -cosines[other])[:k]
    return [(other, round(cosines[other], 2)) for other in nearest]


def test_each_list_is_that_of_the_naive_loop_over_the_words_of_the_figure():
    tables = random_tables(60)
    data = json.loads(json.dumps(neighbours.live_data(tables, "aaa", most=50)))
    assert len(data["words"]) == 50
    for word in data["words"][::7]:
        lists = neighbours.neighbours(data, word)
        assert list(lists) == ["one", "two", "three"]
        for name, listed in lists.items():
            assert listed == by_loop(tables[name], data["words"], word, neighbours.K)


def test_only_common_words_of_letters_are_in_it_in_the_order_of_the_first_table():
    first = WordVectors("first", ("the", ",", "king", "u.s.", "rare", "queen"), np.eye(6))
    second = WordVectors("second", ("queen", "king", "the", ","), np.eye(4))
    tables = {"first": first, "second": second}
    assert neighbours.shared_words(tables) == ["the", "king", "queen"]
    assert neighbours.shared_words(tables, most=2) == ["the", "king"]


def test_the_sentence_counts_the_neighbours_that_all_tables_share():
    tables = random_tables(30)
    data = neighbours.live_data(tables, "aaa")
    word = data["words"][4]
    listed = [
        {name for name, _ in by_loop(table, data["words"], word, neighbours.K)}
        for table in tables.values()
    ]
    count = len(listed[0] & listed[1] & listed[2])
    assert neighbours.sentence(data, word).startswith(
        f"All tables share {count} of the 8 "
    )
    same = neighbours.live_data({"a": tables["one"], "b": tables["one"]}, "aaa")
    assert neighbours.sentence(same, word).startswith("All tables share 8 of the 8 ")


def test_the_table_has_a_row_for_every_word_and_table():
    data = neighbours.live_data(random_tables(30), "aaa")
    table = neighbours.table(data, data["words"][:2])
    assert table["word"].tolist() == ["aaa"] * 3 + ["baa"] * 3
    assert all(len(re.findall(r"\w+ -?\d\.\d\d", text)) == 8 for text in table.iloc[:, 2])


def test_two_thousand_words_of_three_tables_take_at_most_400_kb():
    data = neighbours.live_data(random_tables(2100), "aaa")
    assert len(data["words"]) == 2000
    assert len(json.dumps(data)) <= 400_000


def test_it_opens_with_the_word_named_or_else_with_the_commonest():
    tables = random_tables(30)
    assert neighbours.live_data(tables, "caa")["start"] == "caa"
    assert neighbours.live_data(tables, "nosuchword")["start"] == "aaa"


def test_too_few_words_and_an_unknown_word_are_refused():
    with pytest.raises(
        UserError, match="share 8 words that have only letters, too few for 8"
    ):
        neighbours.live_data(random_tables(8), "aaa")
    data = neighbours.live_data(random_tables(30), "aaa")
    with pytest.raises(UserError, match="'xyzzy' is not among the 30 words"):
        neighbours.neighbours(data, "xyzzy")


def test_the_words_given_are_shown_and_without_any_some_of_the_middle():
    known = list(random_tables(1200)["one"].words)
    assert neighbours.queries(["baa", "aaa"], known) == ["baa", "aaa"]
    assert neighbours.queries([], [",", *known]) == known[100:1100:200]
    assert neighbours.queries([], [",", "aaa", "baa"]) == ["aaa"]


@pytest.mark.parametrize(
    "word, hint", [("quen", "did you mean 'queen'"), ("xyzzy", "try another")]
)
def test_a_word_without_a_vector_is_refused_before_anything_is_read(word, hint):
    with pytest.raises(UserError, match=f"'{word}' has no vector, since .*: {hint}"):
        neighbours.queries(["king", word], ["the", "king", "queen"])
