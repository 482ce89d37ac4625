"""GUM, EWT, WikiGold and WNUT-17: counted as their sources are, and bad files in one sentence."""

import functools
import gzip

import numpy as np
import pytest

from cwr import corpora
from cwr.corpora import jsonl, treebanks
from cwr.corpora.treebanks import brackets, conllu, entities, sources
from cwr.errors import UserError

load = functools.cache(corpora.load)  # each corpus is read once

SENTENCE = """# newdoc id = GUM_news_walk
# meta::genre = news
# sent_id = walk-1
# text = We'll "go", Ann.
1-2	We'll	_	_	_	_	_	_	_	_
1	We	we	PRON	PRP	_	4	nsubj	_	Entity=(2-person-new-coref)
2	'll	will	AUX	MD	_	4	aux	_	_
3	"	"	PUNCT	``	_	4	punct	_	SpaceAfter=No
4	go	go	VERB	VB	_	0	root	_	Entity=(7-event-new-sgl|SpaceAfter=No
4.1	not	_	_	_	_	_	_	_	_
5	"	"	PUNCT	''	_	4	punct	_	SpaceAfter=No
6	,	,	PUNCT	,	_	4	punct	_	_
7	Ann	Ann	PROPN	NNP	_	4	vocative	_	Entity=(3-person-new-sgl)7)|SpaceAfter=No
8	.	.	PUNCT	.	_	4	punct	_	_

"""


@pytest.fixture
def mirrored(shared, monkeypatch):
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))
    return shared / "data"


@pytest.fixture
def read(tmp_path):
    """What reads a text as a file of GUM's kind."""

    def read(text):
        file = tmp_path / "walk.conllu"
        file.write_text(text, encoding="utf-8", newline="\n")
        return list(sources.treebank({"train": file}, has_entities=True))

    return read


def test_a_sentence_keeps_its_text_words_tree_and_entities(read):
    (sentence,) = read(SENTENCE)
    assert sentence.text == 'We\'ll "go", Ann.'
    assert sentence.words == ("We", "'ll", '"', "go", '"', ",", "Ann", ".")
    assert sentence.annotations["heads"] == [3, 3, 3, conllu.ROOT, 3, 3, 3, 3]
    assert sentence.annotations["relations"][0] == "nsubj"
    assert sentence.annotations["xpos"][2] == "``"
    assert sentence.annotations["entities"] == [
        [0, 0, "person"],
        [3, 6, "event"],
        [6, 6, "person"],
    ]
    assert sentence.annotations["chains"] == [2, 7, 3]
    assert sentence.annotations["genre"] == "news"


def test_gum_has_as_many_sentences_words_and_mentions_as_its_source():
    gum = load("gum")
    assert "CC BY" in gum.licence
    assert (
        len(gum.sentences) == 3038 and sum(len(s.spans) for s in gum.sentences) == 63_666
    )
    assert [len(treebanks.numbers(gum, split)) for split in treebanks.SPLITS] == [
        2387,
        304,
        347,
    ]
    assert {s.document for s in gum.sentences} == set(range(70))
    table = treebanks.span_table(gum)
    assert table.groupby("split").size().to_dict() == {
        "train": 14_036,
        "dev": 2064,
        "test": 2122,
    }
    sizes = table[table["split"] == "test"]["chain"].value_counts()
    assert len(sizes) == 1150 and (sizes == 1).sum() == 819
    assert table["class"].nunique() == 10
    genres = {s.document: s.annotations["genre"] for s in gum.sentences}
    count = {genre: list(genres.values()).count(genre) for genre in genres.values()}
    assert count == {"academic": 18, "court": 9, "interview": 19, "news": 24}


def test_the_words_of_gum_are_the_forms_of_its_file_and_cover_its_text():
    forms = []
    for split in treebanks.SPLITS:
        file = sources.HERE / "gum" / f"{split}.conllu.gz"
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            rows = (line.split("\t") for line in lines)
            forms += [row[1] for row in rows if row[0].isdecimal()]
    sentences = load("gum").sentences
    assert [word for sentence in sentences for word in sentence.words] == forms
    for sentence in sentences:
        assert "".join(sentence.words) == "".join(sentence.text.split())


def test_every_tree_of_gum_has_one_root_and_each_word_reaches_it():
    for sentence in load("gum").sentences:
        heads = sentence.annotations["heads"]
        root = heads.index(conllu.ROOT)
        assert sentence.annotations["relations"][root] == "root"
        for word in range(len(heads)):
            for _ in heads:
                word = word if heads[word] == conllu.ROOT else heads[word]
            assert word == root


def test_labels_of_words_and_spans_fit_the_sentences():
    gum = load("gum")
    tags = treebanks.word_labels(gum, "upos")
    assert [len(row) for row in tags] == [len(s.spans) for s in gum.sentences]
    assert len({tag for row in tags for tag in row}) == 17
    for row in treebanks.span_table(gum).itertuples():
        assert 0 <= row.first <= row.last < len(gum.sentences[row.sentence].spans)


def test_a_chain_of_gum_is_one_documents_own():
    table = treebanks.span_table(load("gum"))
    assert (table.groupby("chain")["document"].nunique() == 1).all()


def test_gum_survives_the_way_through_a_jsonl_file(tmp_path):
    gum = load("gum").sample(20)
    corpora.write(gum, tmp_path / "gum.jsonl")
    assert tuple(jsonl.read(tmp_path / "gum.jsonl")) == gum.sentences


def test_a_tree_in_brackets_is_its_words_and_constituents():
    tree = (
        "(ROOT (S (NP-SBJ (DT The) (NN cook)) (VP (VBD burned) (NP (NP (PRP it)))) (. .)))"
    )
    words, constituents = brackets.parsed(tree)
    assert words == ["The", "cook", "burned", "it", "."]
    assert constituents == [
        [0, 4, "S"],
        [0, 1, "NP"],
        [2, 3, "VP"],
        [3, 3, "NP"],
        [3, 3, "NP"],
    ]
    assert brackets.parsed("(NP=2 (NNS Governor-LRB-s-RRB-))")[0] == ["Governor(s)"]


@pytest.mark.parametrize(
    ("tree", "sentence"),
    [
        (
            "(S (NP (PRP It)) (VP (VBZ rains))",
            r"the bracket \(S that word 1 opens is never closed",
        ),
        (
            "(S (NP (PRP It)) (VP (VBZ rains",
            r"the bracket \( that word 2 opens is never closed",
        ),
        ("(S (PRP It)))", r"'\)' stands behind the tree's last bracket"),
        ("(S (PRP It)) (S (PRP It))", r"'\(S' stands behind the tree's last bracket"),
        (")", "closes what was never opened"),
        ("(S (PRP It) (NP))", r"the bracket \(NP behind word 1 has no word"),
        ("(S (PRP It) rains)", "the word 'rains' has no class before it"),
    ],
)
def test_a_tree_in_brackets_that_is_none_says_why(tree, sentence):
    with pytest.raises(ValueError, match=sentence):
        brackets.parsed(tree)
    it = corpora.joined(["It"])
    with pytest.raises(
        UserError, match="the tree in brackets of joined is none: .*" + sentence
    ):
        list(sources.with_constituents([it], [tree]))


def test_trees_of_other_sentences_are_refused():
    it = corpora.joined(["It"])
    with pytest.raises(UserError, match="joined has other words than its sentence: 'She'"):
        list(sources.with_constituents([it], ["(S (PRP She))"]))
    for sentences, trees in ([it], []), ([], ["(S (PRP It))"]):
        with pytest.raises(UserError, match="not as many trees in brackets as sentences"):
            list(sources.with_constituents(sentences, trees))


def test_the_constituents_of_gum_nest_and_are_as_many_as_the_brackets_of_its_source():
    labels = []
    for sentence in load("gum").sentences:
        constituents = sentence.annotations["constituents"]
        labels += [label for *_, label in constituents]
        spans = [(first, last) for first, last, _ in constituents]
        assert all(0 <= first <= last < len(sentence.spans) for first, last in spans)
        for a, b in spans:
            assert not any(a < c <= b < d for c, d in spans)  # none crosses another
    files = [sources.HERE / "gum" / f"{split}.trees.gz" for split in treebanks.SPLITS]
    trees = [tree for file in files for tree in conllu.lines(file)]
    brackets_around_words = sum(len(s.spans) for s in load("gum").sentences)
    assert (
        len(labels)
        == sum(tree.count("(") for tree in trees) - brackets_around_words - 3038
    )
    assert labels.count("NP") == sum(
        tree.count("(NP ") + tree.count("(NP-") for tree in trees
    )


def test_the_teaching_treebank_has_the_sentences_and_constructions_of_its_notes():
    sentences = load("teaching-treebank").sentences
    upos = [tag for sentence in sentences for tag in sentence.annotations["upos"]]
    assert (len(sentences), len(upos), len(upos) - upos.count("PUNCT")) == (
        224,
        1697,
        1461,
    )
    kinds = [sentence.annotations["construction"] for sentence in sentences]
    assert len(set(kinds)) == 14 and kinds.count("ppattach") == 24
    assert len({sentence.document for sentence in sentences}) == 224


def test_wikigold_is_counted_without_the_marks_between_documents(shared):
    wikigold = load("wikigold")
    assert len(wikigold.sentences) == 1841 - 145
    assert sum(len(s.spans) for s in wikigold.sentences) == 39_152 - 145
    lines = (shared / "data" / "ner" / "wikigold.conll.txt").read_text().splitlines()
    tagged = [
        line.split(" ")[1][2:] for line in lines if line.strip() and "DOCSTART" not in line
    ]
    tags = [tag for row in treebanks.word_labels(wikigold, "entities") for tag in row]
    assert [tag[2:] for tag in tags] == tagged
    documents = [
        {
            wikigold.sentences[number].document
            for number in treebanks.numbers(wikigold, split)
        }
        for split in treebanks.SPLITS
    ]
    assert not documents[0] & documents[1] and not documents[1] & documents[2]
    shares = [len(treebanks.numbers(wikigold, split)) / 1696 for split in treebanks.SPLITS]
    assert shares == pytest.approx([0.6, 0.2, 0.2], abs=0.1)


def test_wnut_17_has_the_tags_of_its_files_in_their_order(mirrored):
    wnut = load("wnut-17")
    tags = [tag for row in treebanks.word_labels(wnut, "entities") for tag in row]
    source = []
    for name in sources.WNUT_17.values():
        lines = (mirrored / "ner" / name).read_text(encoding="utf-8").split("\n")
        source += [line.split("\t")[1] for line in lines if line.strip()]
    assert tags == source
    sizes = [len(treebanks.numbers(wnut, split)) for split in treebanks.SPLITS]
    assert sizes == [3394, 1009, 1287]


def test_ewt_has_as_many_sentences_as_the_notes_counted(mirrored):
    ewt = load("ud-english-ewt")
    sizes = [len(treebanks.numbers(ewt, split)) for split in treebanks.SPLITS]
    assert sizes == [12_544, 2001, 2077]
    assert len({s.annotations["genre"] for s in ewt.sentences}) == 5
    assert "entities" not in ewt.sentences[0].annotations


def test_a_class_that_touches_itself_is_two_entities_in_iob1_and_iob2():
    assert entities.tagged(["I-PER", "I-PER", "B-PER", "O", "I-LOC", "I-ORG"]) == [
        [0, 1, "PER"],
        [2, 2, "PER"],
        [4, 4, "LOC"],
        [5, 5, "ORG"],
    ]
    assert entities.tagged(["B-PER", "B-PER", "O"]) == [[0, 0, "PER"], [1, 1, "PER"]]


def test_tags_and_entities_are_inverse():
    draw = np.random.default_rng(0)
    for _ in range(200):
        tags = [str(tag) for tag in draw.choice(["O", "B-a", "B-b", "I"], size=8)]
        for word, tag in enumerate(tags):
            before = tags[word - 1] if word else "O"
            if tag == "I":
                tags[word] = "O" if before == "O" else f"I-{before[2:]}"
        assert entities.tags(entities.tagged(tags), 8) == tags


def test_one_chain_opened_twice_is_closed_from_within():
    spans, chains = entities.nested(["(1-place-x", "(1-place-x", "1)", "1)"])
    assert spans == [[0, 3, "place"], [1, 2, "place"]] and chains == [1, 1]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("\t0\troot", "\t9\troot", "word 4 of 8 has head 9, which is no word"),
        ("\t4\tnsubj", "\t0\troot", r"it needs one root and has 2: words \[1, 4\]"),
        ("\t0\troot", "\t7\tdep", "it needs one root and has 0"),
        ("we\tPRON\tPRP\t_\t4", "we\tPRON\tPRP\t_\t1", "word 1 is above itself, a cycle"),
        ("\t0\troot", "\t_\troot", "its heads make no tree"),
        (")7)", ")", "the event that word 4 opens is never closed"),
        (
            "(7-event-new-sgl|",
            "",
            "entity 7 is closed and was never opened|opens or closes no",
        ),
        ("(7-event-new-sgl", "7-event-new-sgl", "opens or closes no entity"),
        ("1\tWe\twe", "1.1\tWe\twe", "a multi-word token or an empty node is no word"),
        ("1-2\tWe'll", "1-2\tWeʼll", "the words of token 1-2, .* make"),
        ("\tAnn\tAnn", "\tBob\tBob", "word 7, 'Bob', is not what its text goes on with"),
        ("Ann.\n", "Ann. So.\n", "its text goes on behind the last word: ' So.'"),
        ("# text = ", "# texts = ", "it lacks its text"),
    ],
)
def test_a_file_that_is_not_sound_says_where_and_why(read, old, new, sentence):
    assert old in SENTENCE
    with pytest.raises(UserError, match=sentence):
        read(SENTENCE.replace(old, new, 1))


def test_a_file_that_is_cut_off_is_one_sentence(read, tmp_path):
    with pytest.raises(
        UserError, match="ends in the middle of a sentence .line 1.: fetch it anew"
    ):
        read(SENTENCE.removesuffix("\n"))
    with pytest.raises(
        UserError, match="line 14 of walk.conllu has 3 columns, not the 10"
    ):
        read(SENTENCE[: SENTENCE.index("\tPUNCT\t.\t")])
    file = tmp_path / "cut.conllu.gz"
    file.write_bytes(gzip.compress(SENTENCE.encode())[:-20])
    with pytest.raises(UserError, match="is cut off or no gzip file: fetch it anew"):
        conllu.lines(file)
    file.with_suffix("").write_bytes(b"# text = caf\xe9\n")
    with pytest.raises(UserError, match=r"is not UTF-8 .byte 12.: fetch it anew"):
        conllu.lines(file.with_suffix(""))


def test_a_line_without_its_tag_and_a_tag_that_is_none_are_one_sentence():
    with pytest.raises(UserError, match="line 2 of x is no word with a tag .'Punk'"):
        list(sources.tagged_sentences(["a O", "Punk", ""], "x", " "))
    with pytest.raises(UserError, match="at line 1 of x: word 2 has the tag 'PER'"):
        list(sources.tagged_sentences(["a O", "Ann PER", ""], "x", " "))


def test_labels_that_a_corpus_does_not_have_are_one_sentence():
    with pytest.raises(UserError, match="the corpus wikigold has no annotation 'upos'"):
        treebanks.word_labels(load("wikigold"), "upos")
    with pytest.raises(
        UserError, match="a word of gum has no one entity tag .*take its span"
    ):
        treebanks.word_labels(load("gum"), "entities")
    with pytest.raises(UserError, match="no sentence of gum is in 'validation'"):
        treebanks.numbers(load("gum"), "validation")
