"""The commands: build, run, new, list, check, cosine, vectors, cache. The work is done by other modules."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from cwr import parameters, paths
from cwr.cli import checkout, engine
from cwr.errors import UserError, most_like

profile_option = click.option(
    "--profile", default="small", show_default=True, help="small, base or paper"
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=min(2, engine.cores()),  # a small model gains little from a second core
    show_default=True,
    help="notebooks at once",
)
unpinned_option = click.option(
    "--allow-unpinned", is_flag=True, help="profile paper: hub models without a revision"
)
on_option = click.option(
    "--on",
    default=engine.HERE,
    show_default=True,
    help="where notebooks run: a folder of workflow/ with the engine's settings, as slurm",
)
json_option = click.option("--json", "as_json", is_flag=True, help="print JSON")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def cli() -> None:
    """Contextual word representations, reproduced: run the notebooks, build the book, judge the
    claims.
    """


# ---- build and run


@cli.command()
@profile_option
@jobs_option
@unpinned_option
@on_option
@click.option(
    "--shares",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="jobs that encode the text of each notebook between them, before it is run",
)
@click.option("--chapters", default="", help='only these, as in "bis2021 survey" (default: all)')
def build(
    profile: str, jobs: int, allow_unpinned: bool, on: str, shares: int, chapters: str
) -> None:
    """Run the notebooks whose inputs have changed, then build the book in _build/html."""
    folder = checkout.root()
    checkout.refuse_unknown_place(folder, on)
    names = checkout.of_chapters(folder, chapters.split())
    settings = _settings(folder, profile, names, {})
    _refuse(folder, profile, settings, allow_unpinned)
    with engine.alone(folder):
        target, index = engine.book(folder)
        outcome = engine.run(folder, profile, jobs, [target], click.echo, chapters, on, shares)
    if outcome.status:
        engine.explain(folder, outcome, _complain)
        untouched = "; the one of before is untouched" if index.exists() else ""
        _complain(f"the book was not built{untouched}")
        sys.exit(1)
    _tell_pins(folder, profile, settings, allow_unpinned)
    if not outcome.done and not outcome.book:
        click.echo("nothing has changed since the book was built")
    click.echo(f"The book: {index.as_uri()}")


@cli.command()
@click.argument("notebooks", nargs=-1, metavar="[NOTEBOOK]...")
@click.option(
    "-p",
    "typed",
    nargs=2,
    multiple=True,
    metavar="NAME VALUE",
    help="another value for a parameter",
)
@profile_option
@jobs_option
@click.option(
    "--dry-run", is_flag=True, help="only list models, data and parameters, and what of it is here"
)
@unpinned_option
@click.option("--quick", is_flag=True, help="leave out the notebooks that no verdict reads")
@click.option(
    "--add-to-book", is_flag=True, help="with -p: list the run on the book's page of your runs"
)
def run(
    notebooks: tuple[str, ...],
    typed: tuple[tuple[str, str], ...],
    profile: str,
    jobs: int,
    dry_run: bool,
    allow_unpinned: bool,
    quick: bool,
    add_to_book: bool,
) -> None:
    """Run each NOTEBOOK: a name (ethayarajh2019/01_anisotropy), a path, a paper (its notebooks), or
    all.

    Without -p the results are the book's own; with -p they go to a folder of their own under runs/,
    with one page about them all. Of a paper only those notebooks are run with -p that have one of
    the parameters.
    """
    folder = checkout.root()
    names = checkout.selected(folder, notebooks)
    if quick:
        names = _read_by_verdicts(names)
    settings = _settings(folder, profile, names, dict(typed))
    _refuse(folder, profile, settings, allow_unpinned or dry_run)
    usable = _usable(folder, settings, dry_run) if typed or dry_run else settings
    if dry_run:
        from cwr.cli import plan

        strict = profile == "paper" and not allow_unpinned
        matrices = [name for name in usable if checkout.reads_matrices(folder, name)]
        click.echo("\n".join(plan.lines(_complete(folder, usable), matrices, strict)))
        sys.exit(2 if usable != settings else 0)
    if typed:
        has_failed = _rerun(folder, usable, jobs, add_to_book) or usable != settings
    else:
        has_failed = _run(folder, profile, jobs, names)
    _tell_pins(folder, profile, settings, allow_unpinned)
    sys.exit(1 if has_failed else 0)


def _read_by_verdicts(names: list[str]) -> list[str]:
    """Returns the notebooks whose estimates decide claims; prints the names of the others.

    Raises UserError if there are none.
    """
    from cwr.papers import artifacts

    read = [name for name in names if name in artifacts.measures()]
    if not read:
        raise UserError(
            f"no verdict reads {', '.join(names)}, so --quick leaves nothing to run: leave it away"
        )
    left_out = [name for name in names if name not in read]
    if left_out:
        _complain(f"--quick leaves out {', '.join(left_out)}")
    return read


def _run(folder: Path, profile: str, jobs: int, names: list[str]) -> bool:
    """Brings the book's results of some notebooks up to date; returns True if one failed."""
    targets = engine.results_of(profile, names)
    with engine.alone(folder):
        outcome = engine.run(folder, profile, jobs, targets, click.echo)
    if outcome.status:
        engine.explain(folder, outcome, _complain)
        return True
    click.echo("\n".join(f"  {(folder / target).as_uri()}" for target in targets))
    _tell_exports((folder / target).parent for target in targets)
    return False


def _rerun(folder: Path, settings: dict[str, dict], jobs: int, add_to_book: bool) -> bool:
    """Runs notebooks with the reader's parameters and writes one page; returns True if one failed.

    settings: {notebook: {parameter: value}}, without defaults. The page leaves out notebooks that
    failed. add_to_book: lists one page per chapter in the book.
    """
    from cwr.cli import chapter_page, reruns

    names = reruns.run_all(folder, settings, jobs, click.echo, _complain)
    done = {name: settings[name] for name in names}
    by_chapter: dict[str, dict] = {}
    for name in names:
        by_chapter.setdefault(name.split("/")[0], {})[name] = settings[name]
    if done:
        click.echo(f"Your run: {chapter_page.of_settings(folder, done).as_uri()}")
    for of_chapter in by_chapter.values() if add_to_book else ():
        page = chapter_page.of_settings(folder, of_chapter)
        (page.parent / reruns.MARK).touch()
    for name, changes in done.items():
        values = parameters.validate(checkout.path(folder, name), changes)
        _tell_exports([reruns.folder_of(folder, name, values)])
    return len(done) < len(settings)


def _tell_exports(runs: Iterable[Path]) -> None:
    """Prints the folders of word vectors that notebooks left; runs: folders of their results."""
    for run in runs:
        if (run / paths.EXPORT).is_dir():
            click.echo(f"Word vectors: {run / paths.EXPORT}")


# ---- parameters of a run


def _settings(
    folder: Path, profile: str, names: list[str], typed: dict[str, str]
) -> dict[str, dict[str, Any]]:
    """Returns the parameters that a profile sets, overridden by those typed, without defaults.

    typed: {parameter: text}. A notebook ignores parameters that it does not have. A notebook that
    has none of them is left out: its results would be the book's own.
    Returns {notebook: {parameter: value}}. Raises UserError for a parameter that no notebook has,
    and for a value of the wrong type.
    """
    declared = {name: parameters.read(checkout.path(folder, name)) for name in names}
    _refuse_unknown(folder, declared, typed)
    settings = {}
    for name in names:
        texts = {key: text for key, text in typed.items() if key in declared[name]}
        lacking = [key for key in typed if key not in texts]
        if lacking:
            consequence = "" if texts else ": not run"
            _complain(f"{name} has no parameter {', '.join(lacking)}{consequence}")
        if texts or not typed:
            usual = checkout.overrides(folder, profile, name)
            settings[name] = parameters.from_text(checkout.path(folder, name), texts, usual)
    return settings


def _refuse_unknown(folder: Path, declared: dict[str, dict], typed: dict[str, str]) -> None:
    """Raises UserError, with the nearest name, for a name that is a parameter of no notebook.

    declared: {notebook: {name: parameter}}. typed: {name: text}.
    """
    first_with = {}  # {parameter: the first notebook that has it}
    for notebook, names in declared.items():
        for name in names:
            first_with.setdefault(name, notebook)
    for name in typed:
        if declared and name not in first_with:
            found = most_like(name, first_with, least=0)
            notebook = first_with[found] if found else next(iter(declared))
            parameters.from_text(checkout.path(folder, notebook), {name: typed[name]})


def _complete(folder: Path, settings: dict[str, dict]) -> dict[str, dict]:
    """Returns the settings of notebooks, completed by the defaults of all other parameters.

    Raises UserError for a value of the wrong type.
    """
    return {
        name: parameters.validate(checkout.path(folder, name), values)
        for name, values in settings.items()
    }


def _refuse(folder: Path, profile: str, settings: dict[str, dict], allow_unpinned: bool) -> None:
    """Raises UserError for a profile that no run could use, and for unpinned models in `paper`."""
    checkout.check_profile(folder, profile)
    if profile == "paper" and not allow_unpinned:
        from cwr.cli import plan

        plan.refuse_unpinned(_complete(folder, settings))


def _usable(folder: Path, settings: dict[str, dict], is_plan: bool) -> dict[str, dict]:
    """Returns the settings of the notebooks that can run; prints why others cannot.

    is_plan: as in `refusals.of_run`. Exits if no notebook can run.
    """
    from cwr.cli import refusals

    refused = refusals.of_run(folder, settings, is_plan)
    for line in refusals.lines(refused, len(settings)):
        _complain(f"cwr: {line}")
    unusable = {name for names in refused.values() for name in names}
    usable = {name: values for name, values in settings.items() if name not in unusable}
    if settings and not usable:
        sys.exit(2)
    return usable


def _tell_pins(folder: Path, profile: str, settings: dict[str, dict], allow: bool) -> None:
    """Prints the commits and hashes that a run with --allow-unpinned found."""
    if profile == "paper" and allow:
        from cwr.cli import plan

        for line in plan.pins(_complete(folder, settings)):
            click.echo(line)


# ---- list, check, cosine, vectors, cache


@cli.command()
@click.argument("what", type=click.Choice(["text"]))
@click.argument("key")
@click.argument("title")
def new(what: str, key: str, title: str) -> None:
    """Start another text: KEY names its folders and TITLE heads its chapter."""
    from cwr.cli import new_text

    for file in new_text.write(checkout.root(), key, title):
        click.echo(file)


@cli.command(name="list")
@click.argument(
    "what", type=click.Choice(["artifacts", "notebooks", "models", "corpora"]), default="artifacts"
)
@json_option
def list_(what: str, as_json: bool) -> None:
    """List the papers' figures and tables (or notebooks, models, corpora) and what can be run of
    them.
    """
    from cwr.cli import listing

    rows = getattr(listing, what)(checkout.root())
    text = f"{listing.table(rows)}\n{listing.explained(what)}".rstrip()
    click.echo(json.dumps(rows, indent=1) if as_json else text)


@cli.command()
@click.option("--paper", help="claims of this paper only")
@click.option("--claim", help="this claim only")
@click.option("--transfer", is_flag=True, help="the forms of claims that can be asked of any model")
@click.option(
    "--model",
    help="this model only, by the name, path or hub id it was run by: in the book, or in a rerun",
)
@click.option(
    "--run",
    help="with --model: the rerun to judge, by the beginning of its hash (default: the newest)",
)
@click.option(
    "--profile",
    help="small, base or paper alone, or both: small and base together, as on the scoreboard "
    "(default: small)",
)
@json_option
def check(
    paper: str | None,
    claim: str | None,
    transfer: bool,
    model: str | None,
    run: str | None,
    profile: str | None,
    as_json: bool,
) -> None:
    """Judge the papers' claims on the published numbers and on the results of this checkout."""
    from cwr.cli import judging, listing
    from cwr.report import render

    if run and not model:
        raise UserError("--run chooses among the reruns of a model: name it with --model")
    folder = checkout.root()
    if profile not in (None, judging.BOTH):
        checkout.refuse_unknown_profile(folder, profile)
    name = judging.name_in_results(model) if model else None
    width = listing.width()

    def say(line: str) -> None:
        _complain(listing.wrapped(line, width))

    judged = judging.claims(folder, profile, paper, claim, transfer, name, run, say)
    if as_json:
        click.echo(json.dumps([render.row(form) for form in judged], indent=1))
    elif model:
        click.echo(judging.one_model(judged, not (paper or claim), width))
    else:
        click.echo(judging.every_model(judged, width))


@cli.command(context_settings={"ignore_unknown_options": True})  # -0.2 is a number
@click.argument("value", type=float)
@click.option(
    "--model", default="cwr-bert", show_default=True, help="shipped name, hub id or folder"
)
@click.option("--layer", type=int, help="this layer only, 0 is the input (default: all layers)")
@click.option(
    "--corpus", default="lee", show_default=True, help="where the words to compare with come from"
)
def cosine(value: float, model: str, layer: int | None, corpus: str) -> None:
    """Is the cosine VALUE high? Its place among random and among same-word pairs, by layer."""
    from cwr import corpora, encoders
    from cwr.encoders import hub
    from cwr.encoders.layer_count import layer_count
    from cwr.estimates import calibration

    calibration.check(value)
    n_layers = layer_count(hub.find(model, weights=False).folder)
    if layer is not None and n_layers is not None:
        calibration.check_layer(layer, model, n_layers)  # before torch is imported
    text = corpora.load(corpus).sample(700, 0)
    encoder = encoders.load(model)
    if layer is not None:
        calibration.check_layer(layer, encoder.name, encoder.n_layers)
        (entry,) = calibration.calibrate(encoder, text, [layer])
        click.echo(entry.sentence(value))
        return
    entries = calibration.calibrate(encoder, text)
    click.echo(f"{value:g} in {encoder.name}, on {entries[0].text} (share of the pairs below it):")
    for entry in entries:
        click.echo(f"  {entry.line(value)}")


@cli.command()
@click.argument("teacher")
@click.argument("corpus")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default="vectors",
    show_default=True,
    help="a new folder for the two files",
)
@click.option(
    "--min-count",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="occurrences that a word needs",
)
@click.option(
    "--threshold",
    type=float,
    default=1e-5,
    show_default=True,
    help="thins out frequent words; a short text needs a higher one",
)
@click.option(
    "--updates",
    type=click.IntRange(min=1),
    default=8960,
    show_default=True,
    help="of X2Static at most; it ends where its held-out loss is flat",
)
def vectors(
    teacher: str, corpus: str, folder: Path, min_count: int, threshold: float, updates: int
) -> None:
    """Write word vectors of CORPUS by TEACHER, distilled and averaged, and say which are better.

    TEACHER is a shipped name, a hub id or a folder, CORPUS the name of a corpus or a file of text.
    """
    from cwr.cli import word_vectors

    for line in word_vectors.write(teacher, corpus, folder, min_count, threshold, updates):
        click.echo(line)


@cli.command()
@click.option("--empty", is_flag=True, help="remove everything; it is always safe to")
def cache(empty: bool) -> None:
    """Show the cache of vectors, or empty it."""
    from cwr.cli import listing

    click.echo(listing.emptied() if empty else listing.cached())


def _complain(line: str) -> None:
    click.echo(line, err=True)


def main() -> None:
    """Runs the command `cwr`; prints a user's error as one sentence, without a traceback."""
    try:
        cli()
    except UserError as error:
        _complain(f"cwr: {error}")
        sys.exit(engine.BUSY if isinstance(error, engine.Busy) else 2)
    except OSError as error:
        _complain(f"cwr: {paths.unwritable(error)}")
        sys.exit(2)


if __name__ == "__main__":
    main()
