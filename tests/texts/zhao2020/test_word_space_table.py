"""The rows of Table 5: names of spaces, their order, dev and test."""

from cwr.papers import printed
from cwr.tables import tidy, where
from cwr.texts.zhao2020 import word_space_table


def test_the_printed_rows_have_their_names_and_our_layers():
    table = word_space_table.scores(where(printed.load("zhao2020"), artifact="Table 5"))
    assert table["split"].value_counts().to_dict() == {"dev": 17, "test": 17}
    of_test = table[table["split"] == "test"].set_index("name")["printed"]
    assert list(of_test.index[:5]) == ["Rand", "fastText", "GloVe", "PSE", "BERTw"]
    assert of_test[["BERTw", "AVG, layer 1", "AVG, layer 12"]].tolist() == [
        "0.652",
        "0.744",
        "0.806",
    ]


def test_of_several_models_the_names_have_the_model_and_other_measures_are_left_out():
    rows = [
        {"model": "b", "layer": 10, "measure": "type_probe_f1", "value": 0.5},
        {"model": "b", "layer": 2, "measure": "type_probe_f1", "value": 0.5},
        {"model": "a", "measure": "matrix_probe_f1", "value": 0.7},
        {"model": "a", "measure": "suit_neighbours_shared", "value": 4},
        {"model": "Rand", "measure": "static_probe_f1", "value": 0.2},
    ]
    names = word_space_table.scores(tidy(rows))["name"].tolist()
    assert names == ["Rand", "BERTw, a", "AVG, layer 2, b", "AVG, layer 10, b"]
