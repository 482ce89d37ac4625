"""The table of the choices that flip a verdict."""

from cwr.report import results, verdicts


def isotropies(centred: dict[str, float], variant: str | None) -> list[dict]:
    """The measures of `bis-isotropy-order` for two models."""
    rows = []
    for model, value in centred.items():
        keys = {"model": model, "family": "causal", "variant": variant}
        isotropy = {"": 0.2, "_centred": value, "_removed": 0.99}
        for ending, number in isotropy.items():
            rows.append({**keys, "measure": f"partition_isotropy{ending}", "value": number})
    return rows


def table(rows: list[dict]) -> list[list[str]]:
    """The cells of the table, without its head."""
    text = verdicts.compared(results.collect(rows), "bis2021")
    return [line.strip("| ").split(" | ") for line in text.splitlines()[2:]]


def test_models_for_which_a_choice_changes_nothing_share_a_row() -> None:
    chapter = {"one": 0.5, "two": 0.6}
    assert table(isotropies(chapter, None) + isotropies(chapter, "again")) == [
        ["again", "one, two", "none"]
    ]


def test_a_flipped_verdict_stands_beside_its_choice_and_model() -> None:
    rows = isotropies({"one": 0.5, "two": 0.6}, None)
    rows += isotropies({"one": 0.1, "two": 0.6}, "other")  # below I(W) = 0.2
    flipped, same = table(rows)
    assert flipped[:2] == ["other", "one"] and same == ["other", "two", "none"]
    assert "`bis-isotropy-order` holds → fails" in flipped[2].split("<br>")
