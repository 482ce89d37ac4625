"""Licensed corpora: read from files that we wrote in their very forms, and refused in a sentence."""

import pytest

from cwr import corpora
from cwr.cli import plan
from cwr.corpora import edge_tasks, treebanks
from cwr.corpora.treebanks import brackets, labels, licensed
from cwr.errors import UserError

TREES = """
( (S
    (NP-SBJ-1 (DT The) (NNS cats) )
    (VP (VBD wanted)
      (S
        (NP-SBJ (-NONE- *-1) )
        (VP (TO to) (VP (VB sleep) (NP-TMP (CD 1\\/2) (NN hour) )))))
    (. .) ))
( (NP (-LRB- -LRB-) (NNP Ann) (-RRB- -RRB-) ))
"""
SECTIONS = {"wsj_0001": None, "wsj_0200": "train", "wsj_2199": "train", "wsj_2201": "dev"}
SECTIONS |= {"wsj_2301": "test", "wsj_2401": None}


@pytest.fixture
def ours(tmp_path, monkeypatch):
    """Writes files below one that CWR_DATA names: ours({path: text})."""
    monkeypatch.setenv("CWR_DATA", str(tmp_path))

    def write(files):
        for path, text in files.items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        return tmp_path

    return write


# ---- the Penn Treebank


def test_a_tree_of_the_penn_treebank_keeps_the_words_of_its_text(ours):
    ours({"ptb/wsj/02/wsj_0200.mrg": TREES})
    first, second = corpora.load("ptb").sentences
    assert first.text == "The cats wanted to sleep 1/2 hour ."
    assert first.words == tuple(first.text.split())
    assert first.annotations["xpos"] == ["DT", "NNS", "VBD", "TO", "VB", "CD", "NN", "."]
    assert first.annotations["constituents"] == [
        [0, 7, "S"],
        [0, 1, "NP"],
        [2, 6, "VP"],
        [3, 6, "S"],  # its subject is a trace and is gone
        [3, 6, "VP"],
        [4, 6, "VP"],
        [5, 6, "NP"],
    ]
    assert second.words == ("(", "Ann", ")")
    assert second.annotations["xpos"] == ["-LRB-", "NNP", "-RRB-"]
    assert (first.id, second.id) == ("wsj_0200.mrg 0", "wsj_0200.mrg 1")


def test_a_tree_without_traces_stays_as_it_is():
    assert brackets.without_traces("(S (NP (PRP It)) (VP (VBZ rains)))") == (
        "(S (NP (PRP It)) (VP (VBZ rains)))"
    )
    nested = "(S (SBAR (-NONE- 0) (S (-NONE- *T*-2))) (PRP It))"
    assert brackets.leaves(brackets.without_traces(nested)) == [("It", "PRP")]
    assert brackets.parsed(brackets.without_traces(nested)) == (["It"], [[0, 0, "S"]])


def test_sections_of_the_penn_treebank_are_divided_as_parsers_do(ours):
    ours({f"ptb/{name[4:6]}/{name}.mrg": TREES for name in SECTIONS})
    sentences = corpora.load("ptb").sentences
    splits = {s.annotations["document"]: s.annotations["split"] for s in sentences}
    assert splits == {name: split for name, split in SECTIONS.items() if split}
    assert [s.document for s in sentences] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_the_penn_treebank_has_two_tasks_of_edge_probing(ours):
    ours({f"ptb/{name}.mrg": TREES for name in SECTIONS})
    ptb = corpora.load("ptb")
    pos = edge_tasks.load("pos", ptb, edge_tasks.OFFICIAL)
    assert pos.labels[:3] == ("-LRB-", "-RRB-", ".") and "DT" in pos.labels
    assert list(pos.table["fold"]) == [-1] * 22 + [0] * 11, (
        "two documents train, one tests"
    )
    constituents = edge_tasks.load("constituents", ptb, 2)
    assert constituents.labels == ("NP", "S", "VP") and len(constituents.table) == 4 * 8
    with pytest.raises(UserError, match="corpus ptb has no annotation 'heads'"):
        edge_tasks.load("dependencies", ptb, 2)


def test_a_tree_that_is_cut_off_says_which(ours):
    ours({"ptb/wsj_0200.mrg": TREES[:-20]})
    with pytest.raises(
        UserError, match="in brackets of wsj_0200.mrg 1 is none: .* is never closed"
    ):
        corpora.load("ptb")


def test_other_sections_alone_are_no_corpus(ours):
    ours({"ptb/wsj_0001.mrg": TREES})
    with pytest.raises(
        UserError, match="ptb has no file of the sections 02 to 23: put wsj_"
    ):
        corpora.load("ptb")


# ---- what is not there


@pytest.mark.parametrize("name", licensed.FILES)
def test_a_corpus_that_is_not_there_says_what_to_do(name, ours):
    folder = ours({f"{name}/notes.txt": "none of its files"})
    wanted = rf"put .* into a folder {name} below one that CWR_DATA names"
    with pytest.raises(
        UserError, match=f"the corpus {name} is licensed and no part .*: {wanted}"
    ):
        corpora.load(name)
    assert plan.data(name).startswith("not here: licensed; put ")
    (folder / name / licensed.FILES[name].pattern.replace("*", "x")).touch()
    assert plan.data(name) == "here"


# ---- OntoNotes

HEAD = "#begin document (nw/ours/00/ours_0001); part 001"
ROWS = [
    "nw/ours/00/ours_0001 1 0 Ann NNP (TOP(S(NP* - - - Ann (PERSON* * (3|(12",
    "nw/ours/00/ours_0001 1 1 Lee NNP *) - - - Ann *) * 3)",
    "nw/ours/00/ours_0001 1 2 sold VBD (VP* sell 01 1 Ann * (V*) -",
    "nw/ours/00/ours_0001 1 3 Acme NNP (NP*) - - - Ann (ORG) * 12)|(4)",
    "nw/ours/00/ours_0001 1 4 -LRB- -LRB- (PRN* - - - Ann * * (5",
    "nw/ours/00/ours_0001 1 5 it PRP (NP*) - - - Ann * * (4|5)",
    "nw/ours/00/ours_0001 1 6 -RRB- -RRB- *)))) - - - Ann * * 4)",
]
CONLL = "\n".join([HEAD, *ROWS, "", *ROWS, "", "#end document", ""])
GOLD = "ontonotes/data/train/data/english/annotations/nw/ours_0001.v4_gold_conll"


def test_a_sentence_of_ontonotes_has_phrases_types_and_mentions_of_their_own(ours):
    ours({GOLD: CONLL})
    first, second = corpora.load("ontonotes").sentences
    assert first.text == "Ann Lee sold Acme ( it )"
    notes = first.annotations
    assert notes["xpos"] == ["NNP", "NNP", "VBD", "NNP", "-LRB-", "PRP", "-RRB-"]
    assert notes["constituents"] == [
        [0, 6, "S"],
        [0, 1, "NP"],
        [2, 6, "VP"],
        [3, 3, "NP"],
        [4, 6, "PRN"],
        [5, 5, "NP"],
    ]
    assert notes["entities"] == [[0, 1, "PERSON"], [3, 3, "ORG"]]
    assert list(
        zip(notes["chains"], [span[:2] for span in notes["mentions"]], strict=True)
    ) == [
        ("1.3", [0, 1]),
        ("1.12", [0, 3]),
        ("1.4", [3, 3]),
        ("1.5", [4, 5]),
        ("1.4", [5, 6]),
    ]
    assert (notes["document"], notes["genre"]) == ("nw/ours/00/ours_0001", "nw")
    assert (first.id, second.id) == (
        "nw/ours/00/ours_0001 1.0",
        "nw/ours/00/ours_0001 1.1",
    )


def test_the_split_of_ontonotes_is_its_folder_or_the_name_of_a_file_of_all(ours):
    texts = {
        where: CONLL.replace("ours_0001", f"ours_{number:04}")
        for number, where in enumerate(
            [
                "ontonotes/v4/data/test/data/english/annotations/a.v4_gold_conll",
                "ontonotes/v4/data/development/data/english/annotations/a.v4_gold_conll",
                "ontonotes/train.english.v4_gold_conll",
                "ontonotes/v4/data/train/data/chinese/annotations/a.v4_gold_conll",
            ]
        )
    }
    ours(texts)
    sentences = corpora.load("ontonotes").sentences
    shown = [
        (s.annotations["split"], s.annotations["document"][-4:]) for s in sentences[::2]
    ]
    assert shown == [("train", "0002"), ("dev", "0001"), ("test", "0000")]
    assert [s.document for s in sentences] == [0, 0, 1, 1, 2, 2]


def test_chains_of_ontonotes_are_those_of_a_part_and_belong_to_its_mentions(ours):
    other = CONLL.replace("part 001", "part 002")
    ours({GOLD: CONLL + other})
    ontonotes = corpora.load("ontonotes")
    assert {sentence.document for sentence in ontonotes.sentences} == {0}
    table = treebanks.span_table(ontonotes, labels.mentions(ontonotes))
    assert len(table) == 4 * 5 and table["chain"].nunique() == 2 * 4
    assert "chain" not in treebanks.span_table(ontonotes), "types have no chains"
    coreference = edge_tasks.load("coreference", two_documents(ours), 2)
    assert coreference.table["label"].value_counts().to_dict() == {
        "0": 2 * 2 * 9,
        "1": 2 * 2,
    }
    assert edge_tasks.kept_of_chains(ontonotes) == 4 / (2 * (3 * 1 + 6))


def two_documents(ours):
    ours({GOLD: CONLL, GOLD.replace("0001", "0002"): CONLL.replace("0001", "0002")})
    return corpora.load("ontonotes")


def test_ontonotes_has_four_tasks_of_edge_probing(ours):
    ontonotes = two_documents(ours)
    sizes = {
        name: len(edge_tasks.load(name, ontonotes, 2).table)
        for name in ("pos", "constituents", "entities")
    }
    assert sizes == {"pos": 4 * 7, "constituents": 4 * 6, "entities": 4 * 2}
    with pytest.raises(
        UserError, match="ontonotes has no test part: take 2 folds or more"
    ):
        edge_tasks.load("pos", ontonotes, edge_tasks.OFFICIAL)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "#end document\n",
            "",
            "ours_0001.v4_gold_conll ends in the middle of a document",
        ),
        (f"{ROWS[6]}\n\n#end document\n", ROWS[6], "ends in the middle of a document"),
        (
            "Ann * * (5",
            "Ann * (5",
            "line 6 of ours_0001.* has 12 columns, not the 13 of its",
        ),
        (
            "Ann (PERSON* * (3|(12",
            "(3|(12",
            "line 2 of .* has 10 columns, not the 12 of its",
        ),
        (
            HEAD,
            "#begin",
            r"line 2 of .* is in no document \(#begin document \(NAME\); part 000\)",
        ),
        (
            "(PERSON*",
            "PERSON*",
            "ends at line 8 of .*: word 1 has 'PERSON\\*', which opens or",
        ),
        (
            "(ORG)",
            "-",
            "ends at line 8 of .*: word 4 has '-', which opens or closes no span",
        ),
        (" *)))) ", " *))) ", r"ends at line 8 of .*: the bracket \(.* is never closed"),
        (
            " *)))) ",
            " *)))))) ",
            r"ends at line 8 of .*: .*stands behind the tree's last bracket",
        ),
        (
            " 12)|(4)",
            " (4)",
            "ends at line 8 of .*: the mention that word 1 opens is never closed",
        ),
        (
            " (3|(12",
            " (12",
            "ends at line 8 of .*: entity 3 is closed and was never opened",
        ),
    ],
)
def test_a_file_of_ontonotes_that_is_not_sound_says_where_and_why(
    old, new, sentence, ours
):
    assert old in CONLL
    ours({GOLD: CONLL.replace(old, new, 1)})
    with pytest.raises(UserError, match=sentence):
        corpora.load("ontonotes")


def test_a_file_of_ontonotes_in_no_split_is_refused(ours):
    ours({"ontonotes/ours_0001.v4_gold_conll": CONLL})
    with pytest.raises(
        UserError, match="conll is in no split of ontonotes: put it into a folder"
    ):
        corpora.load("ontonotes")


# ---- CoNLL-2003

NEWS = """-DOCSTART- -X- -X- O

Acme NNP I-NP I-ORG
hired VBD I-VP O
Ann NNP I-NP I-PER
Lee NNP I-NP I-PER

Bob NNP I-NP I-PER
Cat NNP B-NP B-PER

"""


def test_conll_2003_has_types_and_penn_classes_in_its_own_split(ours):
    ours({f"conll-2003/{name}": NEWS * 2 for name in licensed.CONLL_2003.values()})
    sentences = corpora.load("conll-2003").sentences
    assert sentences[0].text == "Acme hired Ann Lee"
    assert sentences[0].annotations["xpos"] == ["NNP", "VBD", "NNP", "NNP"]
    assert sentences[0].annotations["entities"] == [[0, 0, "ORG"], [2, 3, "PER"]]
    assert sentences[1].annotations["entities"] == [
        [0, 0, "PER"],
        [1, 1, "PER"],
    ]  # they touch
    assert [s.document for s in sentences] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert len({s.annotations["document"] for s in sentences}) == 6
    assert [s.annotations["split"] for s in sentences[::4]] == ["train", "dev", "test"]
    entities = edge_tasks.load("entities", corpora.load("conll-2003"), edge_tasks.OFFICIAL)
    assert (
        entities.labels == ("ORG", "PER")
        and list(entities.table["fold"]) == [-1] * 8 + [0] * 8
    )


def test_conll_2003_without_a_part_or_a_column_is_one_sentence(ours):
    ours({"conll-2003/eng.train": NEWS, "conll-2003/eng.testa": NEWS})
    with pytest.raises(
        UserError, match="the corpus conll-2003 lacks eng.testb: put eng.t"
    ):
        corpora.load("conll-2003")
    ours({"conll-2003/eng.testb": NEWS[:-13]})
    with pytest.raises(
        UserError, match=r"line 9 of eng.testb is no word with a tag \('Cat NNP'"
    ):
        corpora.load("conll-2003")
    ours({"conll-2003/eng.testb": NEWS.replace("I-ORG", "ORG")})
    with pytest.raises(
        UserError, match="at line 3 of eng.testb: word 1 has the tag 'ORG'"
    ):
        corpora.load("conll-2003")
