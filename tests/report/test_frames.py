"""Frames that read: the text of a table, typed by hand for frames that notebooks have."""

import numpy as np
import pandas as pd
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt

from cwr.report import frames


def lines(frame, digits=2) -> list[str]:
    return frames.markdown(frame, digits).splitlines()


def test_whole_numbers_are_whole_and_what_is_absent_is_a_dash():
    frame = pd.DataFrame(
        {"changed": [64.0, np.nan, 2721833.0], "n": [1, 2, 3]}, list("abc")
    )
    assert lines(frame)[2:] == ["| a | 64 | 1 |", "| b | – | 2 |", "| c | 2,721,833 | 3 |"]


def test_cosines_keep_their_decimals_even_where_all_are_nought_or_one():
    frame = pd.DataFrame(
        {"cosine": [1.0, 0.0, -0.001], "same": [1.0, 1.0, 0.0]}, list("abc")
    )
    assert lines(frame)[2:] == [
        "| a | 1.00 | 1.00 |",
        "| b | 0.00 | 1.00 |",
        "| c | 0.00 | 0.00 |",
    ]
    assert lines(frame, 3)[4] == "| c | -0.001 | 0.000 |"


def test_layers_beside_a_row_without_one_are_whole():
    keys = pd.MultiIndex.from_tuples([("ELMo0", np.nan), ("BERT", 16), ("BERT", 17)])
    frame = pd.DataFrame({"uuas": [26.8, 82.5, 81.7]}, keys.set_names(["model", "layer"]))
    expected = ["| ELMo0 | – | 26.8 |", "| BERT | 16 | 82.5 |", "|  | 17 | 81.7 |"]
    assert lines(frame, 1) == [
        "| model | layer | uuas |",
        "| --- | ---: | ---: |",
        *expected,
    ]


def test_there_is_one_head_whatever_the_levels_and_names():
    columns = pd.MultiIndex.from_tuples([("ours", "my_model"), ("published", "ELMo")])
    frame = pd.DataFrame([[0.1, 0.2]], pd.Index([0.25], name="depth"), columns)
    assert lines(frame)[0] == "| depth | ours my\\_model | published ELMo |"
    across = pd.DataFrame({5: [0.1], 20: [0.2]}, ["pca"]).rename_axis(
        columns="occurrences"
    )
    assert lines(across)[0] == "| occurrences | 5 | 20 |"


def test_measures_are_words_and_names_of_models_stay():
    rows = [{"model": "my_model", "measure": "self_similarity", "value": 0.5}]
    frame = pd.DataFrame(rows)
    assert lines(frame)[2] == "| my\\_model | self similarity | 0.50 |"
    assert lines(frame.pivot(index="model", columns="measure", values="value"))[0] == (
        "| model | self similarity |"
    )
    assert lines(frame.pivot(index="measure", columns="model", values="value"))[2] == (
        "| self similarity | 0.50 |"
    )


def test_a_count_of_rows_is_no_column():
    assert lines(pd.DataFrame({"word": ["and"]})) == ["| word |", "| --- |", "| and |"]


def test_numbers_stand_to_the_right_and_words_to_the_left():
    frame = pd.DataFrame({"n": [1], "share": [np.nan], "word": ["and"], "met": [True]})
    assert lines(frame)[1:] == ["| ---: | ---: | --- | --- |", "| 1 | – | and | yes |"]


def test_mixed_columns_say_each_number_as_short_as_it_is():
    recipe = pd.Series(
        {"rate": 0.0015, "epochs": 1.0, "rows": np.int64(8), "start": "counts"}
    )
    assert [line.split(" | ")[1] for line in lines(recipe, None)[2:]] == [
        "0.0015 |",
        "1 |",
        "8 |",
        "counts |",
    ]


def test_no_word_of_a_corpus_breaks_a_table_or_becomes_markup():
    words = [
        "|I|",
        "`a`",
        "*b*",
        "_c_",
        "<img src=x>",
        "$x$",
        "[d](e)",
        "~f~",
        "two\nlines",
        "&lt;",
    ]
    text = frames.markdown(pd.DataFrame({"word": words}))
    page = BeautifulSoup(MarkdownIt().enable("table").render(text), "html.parser")
    assert [cell.text for cell in page.select("td")] == [
        word.replace("\n", " ") for word in words
    ]
    assert page.select("td *") == []
