"""Classes 1, 8 and 9: what a comment says of entries, of other parameters and of models."""

from bad_inputs.in_a_kernel import TINY, WRITES_NAN, notebook
from bad_inputs.making import Break, write
from bad_inputs.row import Row

CELL = """models: list[str] = ["cwr-bert"]  # hub ids too; with a tokenizer; at least 1
copied: list[str] = ["cwr-bert"]  # with untrained copies;
                                  # default: those of models, else all; at least 0
percents: list[int] = [30, 98]  # of a text, each 1 to 100, ascending
kinds: list[str] = []           # of copies: whole | only blocks; each once
layers: list[int] = [0]         # each at most layers of models; at least 1"""
TOLD = f"parameter '{{}}' of {TINY} "
REFUSED = [  # parameters, which of them is refused, and how
    ("-p copied cwr-gtp", "copied",
     "must be of `models`, but copied\\[0\\] is 'cwr-gtp': did you mean 'cwr-bert'"),
    ("-p models '[\"cwr-bert\", \"minilm\"]' -p copied minilmm", "copied",
     "must be of `models`, but copied\\[0\\] is 'minilmm': did you mean 'minilm'\\?"),
    ("-p percents '[0]'", "percents", "must have entries at least 1, but percents\\[0\\] is 0"),
    ("-p percents '[101]'", "percents", "must have entries at most 100, but percents\\[0\\] is 101"),
    ("-p percents '[30, 30]'", "percents",
     "must have ascending entries, but percents\\[1\\] is 30 after 30"),
    ("-p kinds '[\"only block\"]'", "kinds",
     "must have the entries whole or only blocks, but kinds\\[0\\] is 'only block'"),
    ("-p kinds '[\"whole\", \"whole\"]'", "kinds",
     "must have each entry once, but kinds\\[1\\] is 'whole' again"),
    ("-p layers '[0, 7]'", "layers", "must be at most 4, the layers of cwr-bert, but layers\\[1\\] is 7"),
    ("-p models cwr-elmo", "models", "takes models with a tokenizer, but models\\[0\\] is cwr-elmo"),
]  # fmt: skip
BLOOM: Break = write("mine/config.json", '{"model_type": "bloom"}')
ROWS = [
    Row(9, f"against a word of its comment: {texts}", f"cwr run {TINY} {texts}",
        f"^cwr: {TOLD.format(name)}{says}", 2, notebook(CELL))
    for texts, name, says in REFUSED
]  # fmt: skip
ROWS += [
    Row(9, "a parameter that is of itself in a circle", f"cwr run {TINY} -p one a",
        "^cwr: the parameters .* say `of` each other in a circle", 2,
        notebook("one: list[str] = []  # of two\ntwo: list[str] = []  # of one")),
    Row(9, "an entry of a list that a cell sets", f"cwr run {TINY} -p percents '[5]'",
        f"^\\[1/1\\] failed: {TINY}, cell \\[4\\]: parameter 'percents' of this notebook must have entries at",
        1, notebook(CELL, "percents = [0]", WRITES_NAN), kernel=True),
    Row(9, "a text where papermill needs -y", f"cwr run {TINY} -p percents '[5]'",
        f"^\\[1/1\\] failed: {TINY}, cell .*papermill's -p gives a text: write -y 'percents: \\[0\\]'",
        1, notebook(CELL, "percents = '[0]'", WRITES_NAN), kernel=True),
    Row(8, "half of a sign", "cwr run survey --dry-run -p corpus '\"\\ud800\"'",
        "^cwr: parameter 'corpus' of survey/.* has .*, which is half of a sign"),
    Row(1, "a chapter with a type that cannot be read", "cwr run survey -p models mine",
        "^cwr: mine is of type 'bloom', which cwr cannot read", 2, BLOOM),
    Row(1, "a plan with a type that cannot be read", "cwr run zhao2020 --dry-run -p models mine",
        "^cwr: mine is of type 'bloom', which cwr cannot read", 2, BLOOM),
    Row(1, "matrices of no model", "cwr run zhao2020 --dry-run -p matrices minlm",
        "^cwr: there is no model 'minlm'; did you mean 'minilm'\\?"),
    Row(8, "word vectors that are not there",
        "cwr run gupta2021/04_downstream --dry-run -p static glove.txt",
        "^cwr: there are no word vectors 'glove.txt'"),
    Row(8, "words that do not stand in the sentence",
        "cwr run survey/04_changing_its_mind --dry-run -p span Toront",
        "^cwr: the words 'Toront' do not stand in the text 'He smoked Toronto in"),
]  # fmt: skip
