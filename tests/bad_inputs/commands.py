"""Class 8: words of a command line that name nothing that is there."""

from bad_inputs.making import write
from bad_inputs.row import Row

NAME = "ethayarajh2019/01_anisotropy"
NO_PROFILE = "^cwr: there is no profile '{}'; there are base, paper, small$"
PROFILE_NAMES = ["nosuch", "../../../etc/passwd", "", "small.yaml", "Small"]
COMMANDS = [f"cwr run {NAME} --dry-run", "cwr build", "cwr check --paper bis2021"]
ROWS = [
    Row(
        8,
        f"profile '{name}': {command}",
        f"{command} --profile '{name}'",
        NO_PROFILE.format(name),
    )
    for command in COMMANDS
    for name in PROFILE_NAMES
]
NO_NOTEBOOK = "^cwr: there is no notebook '{}'.*\\(`cwr list notebooks` shows all\\)$"
NOTEBOOK_NAMES = [
    "ethayarajh2019/09_nothing",
    "nobody2020",
    "../../etc",
    "ethayarajh2019/01",
]
NOTEBOOK_NAMES += [
    "profiles",
    "a" * 300,
    "00_the_paper_against_itself.ipynb",
    "é/ü",
    "<b>",
]
ROWS += [
    Row(8, f"notebook '{name[:40]}'", f"cwr run '{name}'", NO_NOTEBOOK.format(name))
    for name in NOTEBOOK_NAMES
]
ROWS += [
    Row(8, "a chapter that is not there", "cwr build --chapters 'bis2020'",
        "^cwr: there is no chapter 'bis2020': did you mean 'bis2021'\\?"),
    Row(8, "one chapter of two that is not there", "cwr build --chapters 'bis2021 x'",
        "^cwr: there is no chapter 'x': "),
    Row(8, "a mistyped parameter", f"cwr run {NAME} -p modles '[]'",
        f"^cwr: unknown parameter 'modles' of {NAME}: did you mean 'models'\\?"),
    Row(8, "a parameter of no notebook of a paper", "cwr run bis2021 -p pooling first",
        "^cwr: unknown parameter 'pooling' of bis2021/"),
    Row(8, "an empty parameter", f"cwr run {NAME} -p '' 3",
        f"^cwr: unknown parameter '' of {NAME}: "),
    Row(8, "a paper that is not there", "cwr check --paper nobody2020",
        "^cwr: no claim matches nobody2020"),
    Row(8, "a claim that is not there", "cwr check --claim eth-anisotropy",
        "^cwr: no claim matches eth-anisotropy: did you mean eth-"),
    Row(8, "a claim of another paper", "cwr check --paper bis2021 --claim eth-gpt2-plateau",
        "^cwr: no claim matches bis2021 eth-gpt2-plateau"),
    Row(8, "a rerun without a model", "cwr check --run abc",
        "^cwr: --run chooses among the reruns of a model: name it with --model$"),
    Row(8, "a model that has not been run", "cwr check --model nobody/nothing",
        "^cwr: there are no results of the model nobody/nothing: "),
    Row(8, "jobs 0", f"cwr run {NAME} --jobs 0", "^Error: Invalid value for '--jobs'"),
    Row(8, "jobs that are a text", f"cwr run {NAME} --jobs many", "^Error: Invalid value for '--jobs'"),
    Row(8, "a command that is not there", "cwr biuld", "^Error: No such command 'biuld'"),
    Row(8, "an option that is not there", "cwr check --papper x", "^Error: No such option"),
    Row(8, "-p without a value", f"cwr run {NAME} -p models", "^Error: Option '-p' requires 2 arg"),
    Row(8, "a cache that is a file, to be listed", "cwr cache", "^cwr: the cache '.*/cache' can be no folder, since ",
        prepare=write("cache", "")),
    Row(8, "a cache that is a file, to be emptied", "cwr cache --empty",
        "^cwr: the cache '.*/cache' can be no folder, since ", prepare=write("cache", "")),
    Row(8, "a list of nothing known", "cwr list papers", "^Error: Invalid value for "),
]  # fmt: skip
