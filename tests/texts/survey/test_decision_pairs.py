"""Relations and mentions that share a word, steps between layers, whole sentences."""

import numpy as np
import pandas as pd
import pytest

from cwr import corpora
from cwr.corpora import Corpus, edge_tasks, joined
from cwr.errors import UserError
from cwr.texts.survey import decision_pairs


def test_pairs_share_a_word_in_one_sentence():
    """A naive loop over both tables."""
    generator = np.random.default_rng(0)

    def spans(n, *columns):
        first = generator.integers(0, 6, (n, len(columns)))
        table = {"sentence": generator.integers(0, 4, n)}
        for number, (begin, end) in enumerate(columns):
            table[begin] = first[:, number]
            table[end] = first[:, number] + generator.integers(0, 3, n)
        return pd.DataFrame(table, index=generator.permutation(100)[:n])

    relations = spans(30, ("first", "last"), ("first_2", "last_2"))
    mentions = spans(20, ("first", "last"))
    expected = set()
    for row, relation in enumerate(relations.itertuples()):
        words = {*range(relation.first, relation.last + 1)}
        words |= {*range(relation.first_2, relation.last_2 + 1)}
        for number, mention in enumerate(mentions.itertuples()):
            if relation.sentence == mention.sentence:
                if words & {*range(mention.first, mention.last + 1)}:
                    expected.add((row, number))
    found = decision_pairs.sharing_a_word(relations, mentions)
    assert {tuple(pair) for pair in found.tolist()} == expected
    assert len(found) == len(expected) > 20


def test_steps_gain_what_accuracy_gains():
    generator = np.random.default_rng(0)
    decided, gold = generator.integers(0, 3, (5, 200)), generator.integers(0, 3, 200)
    table = decision_pairs.steps(decided, gold)
    assert table["step"].tolist() == ["0 to 1", "1 to 2", "2 to 3", "3 to 4"]
    accuracy = 100 * (decided == gold).mean(axis=1)
    assert table["gain"].to_numpy() == pytest.approx(np.diff(accuracy))
    assert (table["corrected"] - table["corrupted"]).sum() == pytest.approx(
        2 * (accuracy[-1] - accuracy[0])
    )
    assert (table["holm"] >= table["p"]).all()


def test_the_clearest_change_has_the_largest_product_of_all():
    """A naive loop over items, labels and pairs of layers."""
    generator = np.random.default_rng(2)
    for layers in (2, 4):
        shares = generator.dirichlet(np.full(5, 0.1), size=(layers, 30))
        gold = generator.integers(0, 5, 30)
        products = {}
        for item, right in enumerate(gold):
            for wrong in set(range(5)) - {right}:
                for upper in range(layers):
                    for lower in range(upper):
                        product = shares[lower, item, wrong] * shares[upper, item, right]
                        products[item, right, wrong, lower, upper] = product
        best = max(products, key=products.get)
        change = decision_pairs.clearest_change(shares, gold)
        found = change.item, change.right, change.wrong, change.lower, change.upper
        assert found == best and change.product == pytest.approx(products[best])
        assert change.product > 0.5, "so both layers decide"
        assert shares[change.lower, change.item].argmax() == change.wrong
        assert shares[change.upper, change.item].argmax() == change.right
    with pytest.raises(ValueError, match="2 layers"):
        decision_pairs.clearest_change(shares[:1], gold)


def test_whole_sentences_are_drawn_and_the_same_of_two_tasks():
    sentences = []
    for number in range(40):
        words = [f"w{number}", "and", "b"]
        notes = {
            "upos": ["NOUN", "CCONJ", "NOUN"],
            "entities": [[0, 0, "person"], [2, 2, "place"]],
        }
        notes |= {"genre": "news", "document": f"d{number % 8}"}
        sentence = joined(words)
        sentences.append(
            type(sentence)(
                f"s{number}", sentence.text, sentence.spans, number % 8, annotations=notes
            )
        )
    corpus = Corpus("planted", tuple(sentences), "f", "")
    drawn = {}
    for name, of_a_sentence in (("pos", 3), ("entities", 2)):
        task = decision_pairs.by_sentence(edge_tasks.load(name, corpus, 2))
        rows = task.tested(10 * of_a_sentence)
        drawn[name] = set(task.table["sentence"].iloc[rows])
        assert len(rows) == 10 * of_a_sentence and len(drawn[name]) == 10
    assert drawn["pos"] == drawn["entities"]


def test_the_course_of_an_item_by_hand():
    probabilities = np.array([[0.7, 0.3], [0.8, 0.2], [0.45, 0.55]])
    course = decision_pairs.course(probabilities, ("place", "organization"), 0.2)
    assert course["decision"].tolist() == ["place", "place", "organization"]
    assert course["margin"].to_numpy() == pytest.approx([0.4, 0.6, 0.1])
    assert course["firm"].tolist() == [True, False, False]
    assert course["probability"].to_numpy() == pytest.approx([0.7, 0.8, 0.55])


RIVALS = ("organization", "place")


def test_all_tasks_on_a_text_draw_the_same_sentences():
    gum = corpora.load("gum")
    both = decision_pairs.tasks(["entities", "pos"], gum, 2, RIVALS)
    assert list(both) == ["entities", "pos"]
    orders = [
        task.table.drop_duplicates("sentence").set_index("sentence")["order"]
        for task in both.values()
    ]
    shared = orders[0].index.intersection(orders[1].index)
    assert len(shared) > 1000 and (orders[0][shared] == orders[1][shared]).all()


@pytest.mark.parametrize(
    "names, rivals, sentence",
    [
        (
            ["pos"],
            RIVALS,
            "^decisions are shown on mentions of entities, .* are pos: add entities$",
        ),
        (
            ["entities"],
            ("place", "organisation"),
            "'organisation': did you mean 'organization'",
        ),
    ],
)
def test_mentions_and_their_labels_must_be_there_before_anything_is_trained(
    names, rivals, sentence
):
    with pytest.raises(UserError, match=sentence):
        decision_pairs.tasks(names, corpora.load("gum"), 2, rivals)
