"""What pages say of themselves: the paper in titles and search, a path above, how to cite them."""

from docutils import nodes

import cwr
from cwr.papers import registry
from cwr.report import provenance

CHAPTERS = {f"{paper.key}/index": paper for paper in registry.PAPERS}
CITATION = """@misc{{cwr-{key},
  author       = {{{{{author}}}}},
  title        = {{{{{title}}}}},
  howpublished = {{In: {{{book}}}}},
  year         = {{{year}}},
  note         = {{Version {version}{commit}}},
}}"""


def chapter_of(page: str) -> str:
    """The page of the chapter that a page belongs to; none for a page of no paper's chapter."""
    chapter = f"{page.partition('/')[0]}/index"
    return chapter if chapter in CHAPTERS else ""


def name_paper(app, doctree) -> None:
    """Put the paper before a page's title in its tab and in the search, and, where the page is a
    chapter's first, in the contents.
    """
    env, page = app.env, app.env.docname
    if chapter := chapter_of(page):
        name = f"{CHAPTERS[chapter].name}: "
        env.longtitles[page] = env.titles[page].deepcopy()
        env.longtitles[page].insert(0, nodes.Text(name))
        if page == chapter:
            next(env.tocs[page].findall(nodes.reference)).insert(0, nodes.Text(name))


def tell(app, pagename, templatename, context, doctree) -> None:
    """Give a page's templates its path and its citation, and the search its whole title."""
    if doctree is None:  # a page of Sphinx's own
        return
    whole, root = app.env.longtitles[pagename].astext(), app.config.root_doc
    chapter, address = chapter_of(pagename), app.builder.get_relative_uri
    if chapter and chapter != pagename:
        context["above"] = (address(pagename, chapter), CHAPTERS[chapter].name)
        context["own_title"] = app.env.titles[pagename].astext()
    elif pagename != root:
        context["above"] = (address(pagename, root), "Front page")
        context["own_title"] = whole
    context["citation"] = citation(app, pagename, whole)
    headings = app.builder.indexer._all_titles[pagename]
    headings[0] = (context["title"], None)  # else the search shows "title > title"


def citation(app, page: str, title: str) -> str:
    """A page's entry in BibTeX, with version and commit."""
    commit = provenance.commit()
    return CITATION.format(
        key=page.replace("/", "-").replace("_", "-"),
        author=app.config.author,
        title=title.replace("&", r"\&"),
        book=app.config.html_title,
        year=app.config.copyright,
        version=cwr.__version__,
        commit=f", commit {commit[:12]}" if commit else "",
    )


def setup(app) -> dict:
    """Sphinx calls this once: connect the functions above."""
    app.connect("doctree-read", name_paper, priority=900)  # when titles have been collected
    app.connect("html-page-context", tell)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
