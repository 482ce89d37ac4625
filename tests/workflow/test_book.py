"""The book rule: built from results, not built in vain, and never lost to a failure."""


def test_the_book_is_built_once_and_survives_what_fails_after(checkout, with_book):
    index = with_book(checkout)
    built = checkout.cwr("build")
    assert built.returncode == 0, built.stdout + built.stderr
    assert built.stdout.endswith(f"The book: {index.as_uri()}\n")
    assert "A small book" in index.with_name("intro.html").read_text()
    assert "[2/2] tiny/0" in built.stdout and "building the book" in built.stdout

    before = index.stat().st_mtime_ns
    again = checkout.cwr("build")
    assert "nothing has changed" in again.stdout and index.stat().st_mtime_ns == before

    checkout.edit("book/intro.md", "A small book", "{ref}`nowhere` A small book")
    refused = checkout.cwr("build")
    assert refused.returncode == 1 and "nowhere" in refused.stderr
    assert "the one of before is untouched" in refused.stderr
    assert index.stat().st_mtime_ns == before

    checkout.edit("book/intro.md", "{ref}`nowhere` A small book", "A small book")
    checkout.edit("notebooks/tiny/01_a.ipynb", "0.5", "1 / 0")
    failed = checkout.cwr("build")
    assert (
        failed.returncode == 1
        and "tiny/01_a, cell [2]: ZeroDivisionError: division by zero" in failed.stderr
    )
    assert index.stat().st_mtime_ns == before
