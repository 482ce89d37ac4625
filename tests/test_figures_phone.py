"""A figure laid out anew for a phone: narrow, nothing lost, nothing cut off, or refused."""

import matplotlib.pyplot as plt
import pytest

from cwr.figures import headline, layout, paper_style, phone

X = [1, 2, 3]


@pytest.fixture
def grid():
    """A figure of four panels, two in a row, with one label below and one legend."""
    with paper_style():
        fig, axes = plt.subplots(2, 2, figsize=(6.8, 5), sharex=True, sharey=True)
        for number, ax in enumerate(axes.flat):
            ax.plot(X, X, "o-", label="rising values")
            ax.plot(X, X[::-1], "s--", label="falling values")
            ax.set_title(f"panel {number}")
        fig.supxlabel("layer\n\n")
        fig.legend(
            *axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2
        )
        yield fig, axes
    plt.close(fig)


def place(ax):
    box = ax.get_position()
    return box.x0, -box.y0


def test_panels_stand_below_one_another_in_their_order(grid):
    fig, axes = grid
    height = fig.get_figheight()
    assert phone.rearrange(fig)
    lefts, downs = zip(*map(place, axes.flat), strict=True)
    assert max(lefts) - min(lefts) < 1e-6 and list(downs) == sorted(downs)
    assert fig.get_figwidth() == phone.WIDTH and height < fig.get_figheight() < 2 * height


def test_each_panel_has_its_numbers_and_the_last_one_the_label(grid):
    fig, axes = grid
    phone.rearrange(fig)
    for ax in axes.flat:
        for axis in (ax.xaxis, ax.yaxis):
            assert any(
                tick.get_visible() and tick.get_text() for tick in axis.get_ticklabels()
            )
    assert [ax.get_xlabel() for ax in axes.flat] == ["", "", "", "layer"]
    assert fig.get_supxlabel() == ""


@pytest.mark.parametrize(
    "longer, columns", [("", 2), (" of a series with a long name", 1)]
)
def test_a_legend_has_as_many_columns_as_fit(grid, longer, columns):
    fig, _ = grid
    for text in fig.legends[0].get_texts():
        text.set_text(text.get_text() + longer)
    assert phone.rearrange(fig)
    [legend] = fig.legends
    assert legend._ncols == columns and len(legend.get_texts()) == 2


def test_a_legend_of_more_rows_takes_no_height_from_the_panels(grid):
    fig, axes = grid
    texts = fig.legends[0].get_texts()
    texts[0].set_text("rising values of a series with a long name")
    [before] = {round(text.get_window_extent().height) for text in texts}
    assert phone.rearrange(fig)
    scale = 5 * 2 * phone.SHARES[0] + phone.TITLE
    assert fig.get_figheight() - scale == pytest.approx(1.4 * before / fig.dpi, rel=0.3)


def test_a_legend_in_a_vacant_cell_and_one_below_become_one(grid):
    fig, axes = grid
    axes[1, 1].remove()
    cell = fig.add_subplot(layout.vacant(fig)[0])
    cell.set_axis_off()
    cell.legend([plt.Line2D([], [], color="red")], ["a third"])
    assert phone.rearrange(fig) and cell not in fig.axes
    [legend] = fig.legends
    assert {text.get_text() for text in legend.get_texts()} == {
        "rising values",
        "falling values",
        "a third",
    }


def test_crowded_numbers_thin_out_and_crowded_names_turn():
    with paper_style():
        fig, (numbers, names) = plt.subplots(2, 1)
        for ax, labels in (
            (numbers, range(20_000, 20_012)),
            (names, [f"a long\nname {n}" for n in range(12)]),
        ):
            ax.plot(range(12), range(12))
            ax.set_xticks(range(12), [str(label) for label in labels])
        assert phone.rearrange(fig)
        seen = [
            int(tick.get_text())
            for tick in numbers.get_xticklabels()
            if tick.get_visible()
        ]
        assert seen == list(range(20_000, 20_012, 2))
        assert {tick.get_rotation() for tick in names.get_xticklabels()} == {90}
        assert names.get_xticklabels()[3].get_text() == "a long name 3"
        plt.close(fig)


def test_long_names_of_rows_break_where_there_is_room_for_two_lines():
    with paper_style():
        fig, ax = plt.subplots(figsize=(6.8, 4))
        ax.plot(X, X, "o")
        long = "the name of a row in so many words"
        ax.set_yticks(X, [long, "short", long])
        assert phone.rearrange(fig)
        names = [tick.get_text() for tick in ax.get_yticklabels()]
        assert names == ["the name of a row in\nso many words", "short", names[0]]
        plt.close(fig)


def test_what_does_not_fit_is_refused():
    with paper_style():
        fig, ax = plt.subplots()
        ax.plot(X, X)
        ax.text(
            0,
            0.5,
            "a sentence that cannot be cut and is wider than a phone",
            transform=ax.transAxes,
        )
        assert layout.faults(fig) == [] and not phone.rearrange(fig)
        plt.close(fig)


def test_names_that_leave_a_panel_no_width_are_refused_without_a_warning(recwarn):
    with paper_style():
        fig, ax = plt.subplots()
        ax.plot(X, X, "o")
        ax.set_yticks(X, ["a-name-without-a-blank-that-is-as-long-as-a-phone-is-wide"] * 3)
        assert not phone.rearrange(fig) and not recwarn.list
        plt.close(fig)


def test_a_panel_of_a_low_figure_is_high_enough_for_its_curves_and_its_label():
    with paper_style():
        fig, ax = plt.subplots(figsize=(6.8, 2.1))
        ax.plot(X, X)
        headline(
            fig, "A title that has three lines on a phone, because it says so much " * 2
        )
        fig.supylabel("micro F1 (points)")
        assert phone.rearrange(fig)
        assert ax.bbox.height >= phone.FLAT * ax.bbox.width
        assert fig.get_supylabel() == "" and ax.get_ylabel().split() == [
            "micro",
            "F1",
            "(points)",
        ]
        label, title = (
            text.get_window_extent() for text in (ax.yaxis.label, fig._suptitle)
        )
        assert label.y1 < title.y0
        plt.close(fig)


def test_a_figure_without_a_grid_is_left_as_it_is():
    with paper_style():
        fig = plt.figure()
        fig.add_axes((0.1, 0.1, 0.8, 0.8)).plot(X, X)
        assert not phone.rearrange(fig) and fig.get_figwidth() == 6.8
        plt.close(fig)


@pytest.mark.parametrize("height, hides", [(0.1, False), (0.95, True)])
def test_the_legend_of_a_panel_goes_below_where_it_hides_points(height, hides):
    with paper_style():
        fig, ax = plt.subplots()
        ax.plot(X, [height] * 3, "o-", label="a series")
        ax.set_ylim(0, 1)
        ax.legend(loc="upper right")
        assert phone.rearrange(fig)
        assert (ax.get_legend() is None, len(fig.legends)) == (hides, int(hides))
        plt.close(fig)
