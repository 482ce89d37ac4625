"""Class 6: a profile of another form is named in one sentence."""

from pathlib import Path

from bad_inputs.making import NAME, PROFILE, profile_sets, write
from bad_inputs.row import Row

NO_MAPPING = "^cwr: notebooks/profiles/small.yaml is no mapping of notebooks to their parameters; mend it$"
PROFILES = [
    ("a list", "- a\n- b\n"),
    ("a text", "seed\n"),
    ("a number", "3\n"),
    ("half YAML", "default: {seed: 3\n"),
    ("tabs", "default:\n\tseed: 3\n"),
    ("a mapping of numbers", "default: 3\n"),
    ("a mapping of lists", "default: [1, 2]\n"),
    ("a mapping of nothing and a text", f"default:\n{NAME}: seed\n"),
    ("names that are numbers", "1: {seed: 3}\n"),
    ("parameters that are numbers", "default: {1: 3}\n"),
    ("a tag of Python", "!!python/object/apply:os.system ['true']\n"),
    ("two documents", "a: 1\n---\nb: 2\n"),
    ("bytes", b"\xff\xfe\x00\x80"),
]
RUN, BUILD = f"cwr run {NAME} --dry-run", "cwr build --chapters bis2021"
BIS = "bis2021/00_the_paper_against_itself"
ROWS = []
for what, content in PROFILES:
    broken = write(PROFILE, content)
    ROWS.append(Row(6, f"profile: {what}", RUN, NO_MAPPING, prepare=broken))
    ROWS.append(Row(6, f"profile: {what}, built", BUILD, NO_MAPPING, prepare=broken))


def folder_instead(checkout: Path) -> None:
    """A folder in the place of the profile."""
    (checkout / PROFILE).unlink()
    (checkout / PROFILE).mkdir()


REFUSED = [  # what, how it is made, the sentence
    ("a folder", folder_instead, NO_MAPPING),
    (
        "a value out of its bounds",
        profile_sets("draws: 0"),
        f"^cwr: parameter 'draws' of {NAME} must be at least 2, but draws is 0$",
    ),
    (
        "a value that is no number",
        profile_sets("tokens: .nan"),
        f"^cwr: parameter 'tokens' of {NAME} must be int, but tokens is nan$",
    ),
    (
        "a notebook of another book",
        write(PROFILE, "x/01_a: {seed: 3}\n"),
        "^cwr: profile small sets parameters of 'x/01_a', which is no notebook of this book; ",
    ),
    (
        "a parameter of no notebook",
        profile_sets("sede: 3"),
        "^cwr: profile small sets 'sede', which is a parameter of no notebook; ",
    ),
]
ROWS += [
    Row(6, f"profile: {what}", RUN, says, prepare=broken) for what, broken, says in REFUSED
]
ROWS += [
    Row(6, "profile: null, which sets nothing", RUN, "", 0, write(PROFILE, "null\n")),
    Row(
        2,
        "profile: a float that is NaN",
        "cwr run bis2021 --dry-run",
        f"^cwr: parameter 'reach' of {BIS} must be a finite number, but reach is nan$",
        prepare=write(PROFILE, f"{BIS}:\n  reach: .nan\n"),
    ),
]
