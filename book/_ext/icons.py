"""The theme's icons: pages get those that they name, as a style, for the script that draws any of two thousand."""

import re
from pathlib import Path

ICONS = "scripts/fontawesome.js"  # all that there are: 1.5 MB
ICON = re.compile(r"\bfa-solid fa-([\w-]+)")
ICON_RULE = """.fa-{name} {{ --icon: url("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' \
viewBox='0 0 {width} {height}'><path d='{path}'/></svg>"); }}
"""


def without_icons(head: str) -> str:
    """The head of a page, as HTML, without the script of all icons."""
    return re.sub(rf"<script[^>]*{re.escape(ICONS)}[^>]*></script>", "", str(head))


def draw_icons(app, exception) -> None:
    """Sphinx calls this at the end: add the icons that pages name to the style, drop all others."""
    folder = Path(app.outdir)
    script = folder / "_static" / ICONS
    if exception or not script.exists():
        return
    pages = (page.read_text(encoding="utf-8") for page in folder.rglob("*.html"))
    names = sorted({name for page in pages for name in ICON.findall(page)})
    text = script.read_text(encoding="utf-8")
    with (folder / "_static" / "icons.css").open("a", encoding="utf-8") as style:
        style.writelines(_drawn(name, text) for name in names)
    for file in script.parent.glob(f"{script.name}*"):
        file.unlink()


def _drawn(name: str, script: str) -> str:
    """The rule of an icon, its path out of the theme's script, where the solid ones come last."""
    entry = rf'[{{,]"?{name}"?:\[(\d+),(\d+),\[[^\]]*\],"\w+","([^"]+)"'
    if not (drawings := re.findall(entry, script)):
        return ""
    width, height, path = drawings[-1]
    return ICON_RULE.format(name=name, width=width, height=height, path=path)


def setup(app) -> dict:
    """Sphinx calls this once: connect the functions above."""
    app.connect("html-page-context", lambda *args: args[3].update(without_icons=without_icons))
    app.connect("build-finished", draw_icons)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
