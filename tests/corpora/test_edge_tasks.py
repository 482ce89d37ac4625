"""Targets of edge probing: counted on GUM and SemEval, against sentences written here, refused."""

from dataclasses import replace

import numpy as np
import pytest

from cwr import corpora
from cwr.corpora import edge_tasks, folds, relations
from cwr.corpora.sentences import Corpus, fingerprint, joined
from cwr.errors import UserError


@pytest.fixture(scope="module")
def gum():
    return corpora.load("gum")


def of_one(**annotations) -> Corpus:
    """A corpus of two documents with one sentence each, of four words."""
    sentences = []
    for document in range(2):
        about = {
            "document": f"d{document}",
            "genre": "news",
            "split": "train",
            **annotations,
        }
        sentence = replace(joined(["a", "b", "c", "d"]), annotations=about)
        sentences.append(replace(sentence, id=f"d{document}", document=document))
    return Corpus("two", tuple(sentences), fingerprint(sentences), "ours")


# ---- what a target is


COUNTS = {
    "pos": (63_666, 17),
    "constituents": (51_907, 26),
    "dependencies": (63_666 - 3_038, 50),  # a root has no head
    "entities": (18_222, 10),
}


@pytest.mark.parametrize("name", COUNTS)
def test_every_target_of_gum_is_there(gum, name):
    task = edge_tasks.load(name, gum)
    assert (len(task.table), len(task.labels)) == COUNTS[name]
    assert task.is_of_pairs == (name == "dependencies")
    assert [task.labels[number] for number in task.gold[:50]] == task.table["label"][
        :50
    ].tolist()


def test_coreference_pairs_what_is_mentioned_again():
    mentions = [[0, 0, "person"], [1, 1, "person"], [3, 3, "person"], [2, 2, "place"]]
    task = edge_tasks.load(
        "coreference", of_one(entities=mentions, chains=[7, 8, 7, 9]), 2
    )
    first = task.table[task.table["document"] == 0]
    assert first[["label", "first", "first_2"]].to_numpy().tolist() == [["1", 0, 3]]
    assert task.labels == ("1",)


@pytest.mark.parametrize("folds", [2, 0])
def test_words_are_seen_if_a_target_that_was_learned_from_has_them_all(gum, folds):
    task = edge_tasks.load("entities", gum, folds)
    rows = task.tested(60)
    seen = edge_tasks.is_seen(task, rows, 500)
    assert 0 < seen.sum() < len(rows)
    for row, is_seen in zip(rows, seen, strict=True):
        target = task.table.iloc[row]
        found = False
        for other in task.trained(target["fold"], 500):
            learned, words = task.table.iloc[other], []
            for one in (target, learned):
                said = gum.sentences[one["sentence"]].words[one["first"] : one["last"] + 1]
                words.append([word.lower() for word in said])
            found = found or words[0] == words[1]
        assert is_seen == found


def test_coreference_of_gum_is_the_share_that_is_said(gum):
    task = edge_tasks.load("coreference", gum)
    pairs, same, within, links = 0, 0, 0, 0
    chains = {}
    for sentence in gum.sentences:
        for chain in sentence.annotations["chains"]:
            chains.setdefault((sentence.document, chain), []).append(sentence.id)
    for sentences in chains.values():
        n = len(sentences)
        links += n * (n - 1) // 2
        within += sum(
            one == other for k, one in enumerate(sentences) for other in sentences[:k]
        )
    for sentence in gum.sentences:
        again = [
            c
            for c in sentence.annotations["chains"]
            if len(chains[sentence.document, c]) > 1
        ]
        pairs += len(again) * (len(again) - 1) // 2
        same += sum(one == other for k, one in enumerate(again) for other in again[:k])
    assert (len(task.table), (task.table["label"] == "1").sum()) == (pairs, same)
    assert edge_tasks.kept_of_chains(gum) == pytest.approx(within / links)
    assert task.scored.tolist() == [False, True]  # "1" alone is scored


def test_a_dependency_is_a_word_and_its_head():
    corpus = of_one(heads=[1, -1, 1, 2], relations=["det", "root", "obj", "amod"])
    rows = edge_tasks.load("dependencies", corpus, 2).table
    first = rows[rows["document"] == 0][["label", "first", "first_2"]].to_numpy().tolist()
    assert first == [["det", 0, 1], ["obj", 2, 1], ["amod", 3, 2]]


# ---- SemEval


def test_semeval_is_read_with_its_nouns():
    task = edge_tasks.load("semeval", of_one(), 5)
    assert (len(task.table), len(task.labels)) == (8_000 + 2_717, 19)
    assert task.folds == [0] and (task.table["fold"] == folds.TRAINED).sum() == 8_000
    assert len(task.trained(0, 0)) == 8_000 and len(task.tested(0)) == 2_717
    assert task.scored.sum() == 18
    sentence = task.corpus.sentences[0]
    (first, last), second = sentence.annotations["nouns"]
    assert sentence.words[first : last + 1] == ("configuration",)
    assert sentence.words[second[0]] == "elements."


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("the <e1>big cat</e1> of <e2>Rome</e2>.", [[1, 2], [4, 4]]),
        ("<e1>doves</e1><e2>moles</e2>", [[0, 0], [0, 0]]),
        ("x <e2>a</e2> <e1>b</e1>", [[2, 2], [1, 1]]),
    ],
)
def test_nouns_are_whole_words(text, nouns):
    (sentence,) = relations.read([f"Other\t{text}\n"], "train", {})
    assert sentence.annotations["nouns"] == nouns
    assert "<" not in sentence.text


@pytest.mark.parametrize(
    "text",
    ["no tag", "<e1>a</e1> b", "<e1>a</e1> <e2>b", "<e1>a</e1> <e1>b</e1> <e2>c</e2>"],
)
def test_a_line_without_both_tags_is_one_sentence(text):
    with pytest.raises(
        UserError, match="line 1 of SemEval's part train does not have both tags"
    ):
        list(relations.read([f"Other\t{text}"], "train", {}))
    with pytest.raises(UserError, match="nothing between <e1>"):
        list(relations.read(["Other\t<e1> </e1> <e2>b</e2>"], "train", {}))


# ---- folds


@pytest.mark.parametrize("number", [2, 5])
def test_folds_share_no_document_and_spread_every_genre(gum, number):
    task = edge_tasks.load("entities", gum, number)
    documents = task.table.drop_duplicates(["document", "fold"])
    assert len(documents) == 70 and task.folds == list(range(number))
    counts = documents.groupby(["genre", "fold"]).size().unstack(fill_value=0)
    assert (counts.max(axis=1) - counts.min(axis=1)).max() <= 1
    assert np.ptp(counts.sum()) <= 1
    learned = set(task.table["document"][task.trained(0, 500)])
    assert not learned & set(task.table["document"][task.table["fold"] == 0])


def test_folds_depend_on_names_alone():
    strata = {f"d{number}": "ab"[number % 2] for number in range(9)}
    turned = dict(reversed(strata.items()))
    assert folds.folds(strata, 3) == folds.folds(turned, 3)
    three = folds.folds({"GUM_a": "x", "GUM_b": "x", "GUM_c": "x"}, 2)
    assert three == {"GUM_a": 0, "GUM_b": 0, "GUM_c": 1}  # on every machine
    with pytest.raises(ValueError, match="at least 2"):
        folds.folds(strata, 1)
    with pytest.raises(ValueError, match="no more than documents"):
        folds.folds(strata, 10)


def test_draws_are_the_same_for_all_and_nested(gum):
    task = edge_tasks.load("pos", gum, 2)
    few, more = task.trained(1, 200), task.trained(1, 900)
    assert len(few) == 200 and set(few) < set(more) and (np.diff(few) > 0).all()
    assert len(task.tested(0)) == len(task.table)
    share = (task.table["fold"].to_numpy()[task.tested(2000)] == 0).mean()
    assert share == pytest.approx(0.5, abs=0.05)
    tags = task.table["label"].to_numpy()
    drawn = (tags[task.tested(4000)] == "NOUN").mean()
    assert drawn == pytest.approx((tags == "NOUN").mean(), abs=0.02)


# ---- bad input


@pytest.mark.parametrize(
    ("name", "annotations", "says"),
    [
        ("pos", {}, "has no annotation 'upos'"),
        ("coreference", {"entities": []}, "has no annotation 'chains'"),
        ("entities", {"entities": []}, "no target of the task entities"),
        ("entities", {"entities": [[2, 1, "x"]]}, "from word 3 to 2 is empty or outside"),
        ("entities", {"entities": [[3, 4, "x"]]}, "which has 4 words"),
        ("dependencies", {"heads": [4], "relations": ["x"]}, "from word 5 to 5"),
        ("dependency", {}, "no edge-probing task 'dependency'"),
    ],
)
def test_bad_input_is_one_sentence(name, annotations, says):
    with pytest.raises(UserError, match=says) as caught:
        edge_tasks.load(name, of_one(**annotations), 2)
    assert "\n" not in str(caught.value)


def test_more_folds_than_documents_are_refused():
    with pytest.raises(UserError, match="cannot be divided"):
        edge_tasks.load("pos", of_one(upos=["A"] * 4), 3)
