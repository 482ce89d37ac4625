"""The commands: build, run, list, check, cosine, cache. Each says what it does and leaves the work to others."""
import difflib
import json
import sys

import click

from cwr import parameters
from cwr.cli import checkout, engine
from cwr.errors import UserError

profile_option = click.option("--profile", default="small", show_default=True, help="small, base or paper")
jobs_option = click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="notebooks at once")
unpinned_option = click.option("--allow-unpinned", is_flag=True, help="profile paper: hub models without a revision")
json_option = click.option("--json", "as_json", is_flag=True, help="print JSON")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def cli() -> None:
    """Contextual word representations, reproduced: run the notebooks, build the book, judge the claims."""


@cli.command()
@profile_option
@jobs_option
@unpinned_option
@click.option("--chapters", default="", help="only these, as in \"bis2021 survey\" (default: all)")
def build(profile: str, jobs: int, allow_unpinned: bool, chapters: str) -> None:
    """Run the notebooks whose inputs have changed, then build the book in _build/html."""
    folder = checkout.root()
    names = checkout.of_chapters(folder, chapters.split())
    _refuse(folder, profile, _values(folder, profile, names, {}), allow_unpinned)
    with engine.alone(folder):
        target, index = engine.book(folder)
        outcome = engine.run(folder, profile, jobs, [target], click.echo, chapters)
    if outcome.status:
        engine.explain(folder, outcome, _complain)
        _complain("the book was not built" + ("; the one of before is untouched" if index.exists() else ""))
        sys.exit(1)
    if not outcome.done and not outcome.book:
        click.echo("nothing has changed since the book was built")
    click.echo(f"The book: {index.as_uri()}")


@cli.command()
@click.argument("notebook", required=False)
@click.option("-p", "given", nargs=2, multiple=True, metavar="NAME VALUE", help="another value for a parameter")
@profile_option
@jobs_option
@click.option("--dry-run", is_flag=True, help="only list models, data and parameters, and what of it is here")
@unpinned_option
@click.option("--add-to-book", is_flag=True, help="with -p: list the run on the book's page of your runs")
def run(notebook: str | None, given: tuple[tuple[str, str], ...], profile: str, jobs: int, dry_run: bool,
        allow_unpinned: bool, add_to_book: bool) -> None:
    """Run NOTEBOOK: a name (ethayarajh2019/01_anisotropy), a path, or a paper (all of its notebooks).

    Without -p the results are the book's own; with -p they go to a folder of their own under runs/, with a page.
    Of a paper only those notebooks are run with -p that have one of the parameters.
    """
    folder = checkout.root()
    names = checkout.chosen(folder, notebook) if notebook else checkout.notebooks(folder)
    values = _values(folder, profile, names, dict(given))
    _refuse(folder, profile, values, allow_unpinned or dry_run)
    if dry_run:
        from cwr.cli import plan
        click.echo("\n".join(plan.lines({name: parameters.validate(checkout.path(folder, name), given_here)
                                         for name, given_here in values.items()})))
        return
    failed = _rerun(folder, values, add_to_book) if given else _run(folder, profile, jobs, names)
    sys.exit(1 if failed else 0)


def _run(folder, profile: str, jobs: int, names: list[str]) -> bool:
    """Bring the book's own results of some notebooks up to date; True if one failed."""
    with engine.alone(folder):
        outcome = engine.run(folder, profile, jobs, engine.results_of(profile, names), click.echo)
    if outcome.status:
        engine.explain(folder, outcome, _complain)
    else:
        click.echo("\n".join(f"  {(folder / target).as_uri()}" for target in engine.results_of(profile, names)))
    return outcome.status != 0


def _rerun(folder, values: dict[str, dict], add_to_book: bool) -> bool:
    """Run notebooks with parameters of the reader's own, and sum a whole chapter up on one page; True if one failed."""
    from cwr.cli import reruns
    failed = [line for name, given in values.items()
              if (line := reruns.run(folder, name, given, click.echo, add_to_book))]
    from cwr.cli import chapter_page
    if len(values) > 1 and not failed and next(iter(values)).split("/")[0] in chapter_page.PANELS:
        click.echo(f"  all on one page: {chapter_page.of_chapter(folder, values).as_uri()}")
    for line in failed:
        _complain(f"failed: {line}")
    return bool(failed)


def _values(folder, profile: str, names: list[str], given: dict[str, str]) -> dict[str, dict]:
    """For each notebook what the profile sets, and over it what was typed: {notebook: {name: value}}.

    What was typed for several notebooks at once must be a parameter of at least one. A notebook that has some of it
    does without the rest; one that has none of it is left out, since it would only give the book's own results again.
    """
    declared = {name: parameters.read(checkout.path(folder, name)) for name in names}
    _refuse_unknown(folder, declared, given)
    values = {}
    for name, its in declared.items():
        mine = {key: text for key, text in given.items() if key in its}
        if without := [key for key in given if key not in mine]:
            click.echo(f"{name} has no parameter {', '.join(without)}" + ("" if mine else ": not run"), err=True)
        if mine or not given:
            values[name] = (checkout.overrides(folder, profile, name)
                            | parameters.from_text(checkout.path(folder, name), mine))
    return values


def _refuse_unknown(folder, declared: dict[str, dict], given: dict[str, str]) -> None:
    """Refuse a name that is a parameter of no notebook; declared: {notebook: {name: parameter}}."""
    having = {key: name for name in reversed(declared) for key in declared[name]}       # the first notebook with it
    for key in given:
        if declared and key not in having:
            near = difflib.get_close_matches(key, having, n=1, cutoff=0)
            told = having[near[0]] if near else next(iter(declared))
            parameters.from_text(checkout.path(folder, told), {key: given[key]})        # raises, and names the nearest


def _refuse(folder, profile: str, values: dict[str, dict], allow_unpinned: bool) -> None:
    """What is wrong with a run as far as can be told before it starts."""
    checkout.check_profile(folder, profile)
    if profile == "paper" and not allow_unpinned:
        from cwr.cli import plan
        plan.refuse_unpinned({name: parameters.validate(checkout.path(folder, name), given)
                              for name, given in values.items()})


@cli.command(name="list")
@click.argument("what", type=click.Choice(["artifacts", "notebooks", "models", "corpora"]), default="artifacts")
@json_option
def list_(what: str, as_json: bool) -> None:
    """List the papers' figures and tables (or notebooks, models, corpora) and what can be run of them."""
    from cwr.cli import listing
    rows = getattr(listing, what)(checkout.root())
    click.echo(json.dumps(rows, indent=1) if as_json else listing.table(rows))


@cli.command()
@click.option("--paper", help="claims of this paper only")
@click.option("--claim", help="this claim only")
@click.option("--transfer", is_flag=True, help="the forms of claims that can be asked of any model")
@click.option("--model", help="verdicts on this model only, from the book's results or one of your reruns")
@click.option("--run", help="with --model: the rerun to judge, by the beginning of its hash (default: the newest)")
@profile_option
@json_option
def check(paper: str | None, claim: str | None, transfer: bool, model: str | None, run: str | None, profile: str,
          as_json: bool) -> None:
    """Judge the papers' claims on the published numbers and on the results of this checkout."""
    from cwr.cli import listing
    from cwr.report import render

    if run and not model:
        raise UserError("--run chooses among the reruns of a model: name it with --model")
    judged = listing.claims(checkout.root(), profile, paper, claim, transfer, model, run, _complain)
    rows = [render.row(each) for each in judged]
    click.echo(json.dumps(rows, indent=1) if as_json else listing.verdicts(judged))


@cli.command()
@click.argument("value", type=float)
@click.option("--model", default="cwr-bert", show_default=True, help="shipped name, hub id or folder")
@click.option("--layer", type=int, required=True, help="0 is the input, the model's number of layers its output")
@click.option("--corpus", default="lee", show_default=True, help="where the words to compare with come from")
def cosine(value: float, model: str, layer: int, corpus: str) -> None:
    """Is the cosine VALUE high? Its place among random and among same-word pairs of one layer."""
    from cwr import corpora, encoders
    from cwr.estimates import calibration

    sentences = corpora.load(corpus).sample(700, 0)
    click.echo(calibration.calibrate(value, encoders.load(model), layer, sentences).paragraph)


@cli.command()
@click.option("--empty", is_flag=True, help="remove everything; it is always safe to")
def cache(empty: bool) -> None:
    """Show the cache of vectors, or empty it."""
    from cwr.cli import listing
    click.echo(listing.emptied() if empty else listing.cached())


def _complain(line: str) -> None:
    click.echo(line, err=True)


def main() -> None:
    """Entry point of the command `cwr`: a user's error is one sentence, without a traceback."""
    try:
        cli()
    except UserError as error:
        _complain(f"cwr: {error}")
        sys.exit(engine.BUSY if isinstance(error, engine.Busy) else 2)


if __name__ == "__main__":
    main()
