"""A corpus in a file that brings its words: there and back, and the sentence for each bad line."""

import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cwr import corpora
from cwr.corpora import sentences
from cwr.errors import UserError

ODD = corpora.Sentence(
    "pair é/1",
    "Zoë 👩‍🚀 said:\u2028“no”\n\x00",
    ((0, 3), (4, 7), (7, 7)),
    4,
    2,
    {"score": 4.5, "tags": ["NNP", None], "heads": {"0": [1, 2]}, "gold": True},
)
GOOD = {"id": "a", "text": "No way", "spans": [[0, 2], [3, 6]]}


def corpus_of(*sentences):
    return corpora.Corpus("mine", sentences, corpora.fingerprint(sentences), "none")


def refusal(action) -> str:
    """The one line in which a file or corpus is refused."""
    with pytest.raises(UserError) as caught:
        action()
    message = str(caught.value)
    assert "\n" not in message and len(message) < 300
    return message


def test_there_and_back_is_the_same_corpus(lee, tmp_path):
    odd = corpus_of(ODD, corpora.joined(["can", "n't"]), corpora.Sentence("empty", "", ()))
    for corpus in (lee.sample(300), odd):
        corpora.write(corpus, tmp_path / "words.jsonl")
        copy = corpora.load(tmp_path / "words.jsonl")
        assert (
            copy.sentences == corpus.sentences and copy.fingerprint == corpus.fingerprint
        )
        before = (tmp_path / "words.jsonl").read_bytes()
        corpora.write(copy, tmp_path / "words.jsonl")
        assert (tmp_path / "words.jsonl").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["words.jsonl"]


def test_a_file_that_brings_its_words_is_read_and_sampled_without_spacy(tmp_path):
    corpora.write(corpus_of(ODD), tmp_path / "odd.jsonl")
    code = (
        "import sys; sys.modules['spacy'] = None\n"
        "from cwr import corpora\nfrom cwr.extraction import targets\n"
        f"corpus = corpora.load({str(tmp_path / 'odd.jsonl')!r})\n"
        "print(corpus.fingerprint, len(targets.frequent(corpus, 1)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [corpus_of(ODD).fingerprint, "2"]  # without ""


def test_a_text_without_words_is_refused_in_a_sentence_where_spacy_is_not_installed(
    tmp_path, monkeypatch
):
    (tmp_path / "plain.txt").write_text("No way.\n", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "spacy", None)
    sentences._english.cache_clear()
    assert "give a .jsonl file" in refusal(lambda: corpora.load(tmp_path / "plain.txt"))


def test_the_story_that_other_tests_read_has_the_words_of_the_tokeniser():
    for sentence in corpora.load(
        Path(__file__).parents[1] / "data" / "story.jsonl"
    ).sentences:
        (again,) = corpora.tokenise(sentence.text)
        assert again.spans == sentence.spans


def test_what_is_left_out_of_a_line_is_nought(tmp_path):
    file = tmp_path / "short.jsonl"
    file.write_text(f"\ufeff{json.dumps(GOOD)}\r\n\n", encoding="utf-8")
    (sentence,) = corpora.load(file).sentences
    assert sentence == corpora.Sentence("a", "No way", ((0, 2), (3, 6)), 0, 0, {})
    assert sentence.words == ("No", "way")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            json.dumps(GOOD | {"spans": [[0, 2], [3, 7]]}),
            "the span [3, 7] outside its text of 6",
        ),
        (json.dumps(GOOD | {"spans": [[-1, 2]]}), "the span [-1, 2] outside"),
        (json.dumps(GOOD | {"spans": [[2, 0]]}), "the span [2, 0] outside"),
        (json.dumps(GOOD | {"spans": [[0, 2.0]]}), "a pair [start, end]"),
        (json.dumps(GOOD | {"spans": [[0, True]]}), "a pair [start, end]"),
        (json.dumps(GOOD | {"spans": [[0, 1, 2]]}), "a pair [start, end]"),
        (json.dumps(GOOD | {"spans": {"0": 1}}), "no list of pairs"),
        (json.dumps({"id": "a", "spans": []}), "lacks text"),
        (json.dumps(GOOD | {"annotation": {}}), "a key 'annotation'"),
        (json.dumps(GOOD | {"text": ["No", "way"]}), "'text' that is not a string"),
        (json.dumps(GOOD | {"id": 7}), "'id' that is not a string"),
        (json.dumps(GOOD | {"document": True}), "'document' that is not an integer"),
        (json.dumps(GOOD | {"annotations": {"score": float("nan")}}), "NaN is no number"),
        (json.dumps(GOOD | {"text": "No wa\ud800"}), "half a character"),
        (json.dumps(GOOD)[:-1], "is not JSON"),
        ("[" * 10**5, "is not JSON"),
        ("[0]", "no JSON object"),
        (json.dumps(GOOD).replace("No", "N\udcff"), "is not UTF-8 (byte 0xff)"),
        (json.dumps(GOOD | {"id": "first"}), "has the id of line 1"),
    ],
)
def test_a_bad_line_is_refused_by_file_and_number(tmp_path, line, says):
    file = tmp_path / "bad.jsonl"
    text = json.dumps(GOOD | {"id": "first"}) + "\n" + line + "\n"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    message = refusal(lambda: corpora.load(file))
    assert message.startswith(f"line 2 of {file} ") and says in message


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"annotations": {"heads": (1, 2)}}, "would come back changed"),
        ({"annotations": {0: "NNP"}}, "would come back changed"),
        ({"annotations": {"score": float("inf")}}, "not JSON"),
        ({"annotations": {"seen": {1, 2}}}, "not JSON"),
        ({"spans": ((0, 99),)}, "outside its text"),
        ({"text": "\udcff" * 8}, "line 2 of"),
        ({"id": "twin"}, "has the id of line 1"),
    ],
)
def test_what_a_file_would_change_is_not_written(tmp_path, changes, says):
    corpus = corpus_of(
        dataclasses.replace(ODD, id="twin"), dataclasses.replace(ODD, **changes)
    )
    assert says in refusal(lambda: corpora.write(corpus, tmp_path / "words.jsonl"))
    assert not list(tmp_path.iterdir())


def test_another_ending_is_refused(tmp_path):
    assert "end it in .jsonl" in refusal(
        lambda: corpora.write(corpus_of(ODD), tmp_path / "x.txt")
    )


TEXTS = [
    {
        "text": "The bank is steep. It is closed.\nZoë said 1,234.50.",
        "id": 7,
        "label": ["a", None],
    },
    {"text": ""},
    {"text": "Yes."},
]


def test_lines_of_text_are_documents_cut_as_a_text_file_is_and_keep_their_other_keys(
    tmp_path,
):
    lines = [json.dumps(line, ensure_ascii=False) for line in TEXTS]
    (tmp_path / "hub.jsonl").write_text("\ufeff" + "\n\n".join(lines), encoding="utf-8")
    plain = "\n\n".join(line["text"] for line in TEXTS)
    (tmp_path / "plain.txt").write_text(plain, encoding="utf-8")
    ours = corpora.load(tmp_path / "hub.jsonl").sentences
    theirs = corpora.load(tmp_path / "plain.txt").sentences
    assert [(s.text, s.spans, s.paragraph) for s in ours] == [
        (s.text, s.spans, s.paragraph) for s in theirs
    ]
    assert [s.id for s in ours] == ["0.0.0", "0.0.1", "0.1.0", "2.0.0"]
    others = {"id": 7, "label": ["a", None]}
    assert [s.annotations for s in ours] == [others, others, others, {}]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (
            [{"text": "Yes."}, GOOD],
            "line 2 .* has spans, and the first line has none: write",
        ),
        ([GOOD, {"text": "Yes."}], "line 2 .* lacks id, spans: write"),
        ([{"sentence": "Yes."}], "line 1 .* lacks id, text, spans: write"),
        ([{"text": "Yes."}, {"id": "a"}], "line 2 .* lacks text: write"),
        ([["Yes."]], "line 1 .* is no JSON object: write"),
    ],
)
def test_a_line_of_the_other_form_or_of_neither_is_told_both_forms(tmp_path, lines, says):
    file = tmp_path / "mixed.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    message = refusal(lambda: corpora.load(file))
    both = '{"text": ...} on every line, or "id", "text" and "spans" on every line'
    assert re.match(says, message) and message.endswith(both)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"text": 3}, "'text' that is not a string"),
        ({"text": "\ud800"}, "half a character"),
        ({"text": "a", "score": float("nan")}, "NaN is no number"),
    ],
)
def test_a_bad_line_of_text_is_refused_by_file_and_number(tmp_path, line, says):
    file = tmp_path / "bad.jsonl"
    file.write_text(f'{{"text": "Yes."}}\n\n{json.dumps(line)}\n')
    message = refusal(lambda: corpora.load(file))
    assert message.startswith(f"line 3 of {file} ") and says in message


def test_a_file_of_no_sentences_is_refused(tmp_path):
    (tmp_path / "none.jsonl").write_text("\n\n", encoding="utf-8")
    assert "none.jsonl" in refusal(lambda: corpora.load(tmp_path / "none.jsonl"))
