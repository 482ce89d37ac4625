"""Which checks of the printed numbers of this text differ: none."""

from cwr.papers import registry


def test_every_check_of_the_printed_numbers_agrees():
    text = registry.paper("__key__")
    wrong = [check.id for check in text.checks if not check.find(text.published()).agrees]
    assert wrong == []
