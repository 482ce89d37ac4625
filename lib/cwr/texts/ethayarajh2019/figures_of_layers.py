"""Names the dashed level of a figure, such as the 5 % of a claim, beside its line."""

from cwr import figures


def name_level(fig: figures.plt.Figure, level: float, name: str) -> None:
    """Writes a level's name above its line, at the left end of the first panel."""
    fig.axes[0].annotate(
        name,
        (0, level),
        xycoords=("axes fraction", "data"),
        xytext=(4, 2),
        textcoords="offset points",
        fontsize=10,
        color=figures.GREY,
    )
