"""Class 6: a profile of another form is named in one sentence."""

import os

from bad_inputs.making import NAME, PROFILE, profile_sets, write
from bad_inputs.row import Row

ROWS = []
NO_MAPPING = (
    "^cwr: notebooks/profiles/small.yaml is no mapping of notebooks to their parameters; mend it$"
)
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
for what, content in PROFILES:
    ROWS += [
        Row(6, f"profile: {what}", f"cwr run {NAME} --dry-run", NO_MAPPING, 2, write(PROFILE, content)),
        Row(6, f"profile: {what}, built", "cwr build --chapters bis2021", NO_MAPPING, 2, write(PROFILE, content)),
    ]  # fmt: skip
ROWS += [
    Row(6, "profile: null, which sets nothing", f"cwr run {NAME} --dry-run", "", 0,
        write(PROFILE, "null\n")),
    Row(6, "profile: a folder", f"cwr run {NAME} --dry-run", NO_MAPPING, 2,
        lambda checkout: (os.unlink(checkout / PROFILE), os.mkdir(checkout / PROFILE))),
    Row(6, "profile: a value out of its bounds", f"cwr run {NAME} --dry-run",
        f"^cwr: parameter 'draws' of {NAME} must be at least 2, but draws is 0$", 2,
        profile_sets("draws: 0")),
    Row(6, "profile: a value that is no number", "cwr run bis2021 --dry-run",
        "^cwr: parameter 'reach' of bis2021/.* must be a finite number, but reach is nan$", 2,
        write(PROFILE, "bis2021/00_the_paper_against_itself:\n  reach: .nan\n")),
    Row(6, "profile: a notebook of another book", f"cwr run {NAME} --dry-run",
        "^cwr: profile small sets parameters of 'x/01_a', which is no notebook of this book; ", 2,
        write(PROFILE, "x/01_a: {seed: 3}\n")),
    Row(6, "profile: a parameter of no notebook", f"cwr run {NAME} --dry-run",
        "^cwr: profile small sets 'sede', which is a parameter of no notebook; ", 2,
        profile_sets("sede: 3")),
]  # fmt: skip
