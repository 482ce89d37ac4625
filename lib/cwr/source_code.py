"""Finds the definitions that a piece of code depends on, and computes their digest.

A definition is a name that a module of cwr binds at its top level: a function, a class or a
constant. Code depends on the definitions whose names it uses, on the definitions that these use,
and so on. A name that a package re-exports is followed to the module that defines it. Importing a
module of cwr only defines names, so an import that is not used decides nothing.

Comments, docstrings and layout do not change a digest.
"""

import ast
import functools
import hashlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cwr.errors import UserError

LIBRARY = Path(__file__).parents[1]  # the folder that holds cwr
Definition = tuple[Path, str]  # the module's file, and a name that it defines
FOUND_BY_FOLDER = {"cwr.papers.registry": "cwr.texts.{}.claims"}  # what it imports of each text
LAZY = {"cwr": "cwr.front_door"}  # where a package's `__getattr__` looks
MODULE_LEVEL = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@functools.lru_cache(maxsize=256)
def reached(code: str, name: str, lib: Path = LIBRARY) -> frozenset[Definition]:
    """Finds all definitions that code depends on; arguments and errors as `used`."""
    return frozenset(behind(used(code, name, lib), lib))


def used(code: str, name: str, lib: Path = LIBRARY) -> set[Definition]:
    """Finds the definitions whose names code uses.

    code: Python. name: the code's name in an error.
    lib: the folder that contains cwr. Raises UserError if the code, or a module that it leads to,
        is not Python.
    """
    tree = parsed(code, name)
    return set(_used(tree, _bindings(ast.walk(tree)), {}, Path(name), lib))


def behind(start: Iterable[Definition], lib: Path = LIBRARY) -> set[Definition]:
    """Finds all definitions that those in `start` depend on, and `start`; errors as `used`."""
    found, waiting = set(), list(start)
    while waiting:
        definition = waiting.pop()
        if definition not in found:
            found.add(definition)
            waiting += _needed(definition, lib)
    return found


def definition(named: Callable) -> Definition:
    """Returns the definition that contains a function or a class."""
    return Path(inspect.getfile(named)), named.__qualname__.split(".")[0]


def everything(file: Path, lib: Path = LIBRARY) -> set[Definition]:
    """Finds all definitions of a module and of its imports; errors as `used`."""
    module = _module(file)
    found = {(file, name) for name in module.defined if name != "__all__"}
    for dotted in module.bound.values():
        if file_of(lib, dotted) != file:
            found.update(_resolved(dotted, [], lib))
    return found


def digest(definitions: Iterable[Definition], lib: Path = LIBRARY) -> str:
    """Computes the sha256 over modules, names and code of definitions."""
    total = hashlib.sha256()
    for file, name in sorted(definitions):
        total.update(f"{_dotted(file, lib)} {name} {_sum(file, name)}\n".encode())
    return total.hexdigest()


def parsed(code: str, name: str) -> ast.Module:
    """Returns the syntax tree of code. Raises UserError with `name` if it is not Python."""
    try:
        return ast.parse(code)
    except SyntaxError as error:
        position = f"{error.msg} (line {error.lineno})"
        raise UserError(f"{name} is not Python: {position}; mend it") from None


@functools.cache
def file_of(lib: Path, module: str) -> Path | None:
    """Returns the file of a module or package; None if there is none."""
    stem = lib.joinpath(*module.split("."))
    files = [stem.with_suffix(".py"), stem / "__init__.py"]
    return next((file for file in files if file.exists()), None)


# ---- one module


@dataclass(frozen=True)
class _Module:
    """The statements of a module, without docstrings, by the names they define, and its imports."""

    defined: dict[str, list[ast.stmt]]
    bound: dict[str, str]


@functools.lru_cache(maxsize=1024)
def _module(file: Path) -> _Module:
    tree = parsed(file.read_text(encoding="utf-8"), str(file))
    _drop_docstrings(tree)
    defined, imports = {}, []
    for statement in tree.body:
        for node in _at_this_level(statement):
            imports.append(node)
            for name in _names_defined(node):
                defined.setdefault(name, []).append(statement)
    return _Module(defined, _bindings(imports))


def _at_this_level(node: ast.stmt) -> Iterator[ast.AST]:
    """Yields a statement and the nodes in it that run at import: no bodies of definitions."""
    yield node
    if not isinstance(node, MODULE_LEVEL):
        for child in ast.iter_child_nodes(node):
            yield from _at_this_level(child)


def _names_defined(node: ast.AST) -> Iterator[str]:
    if isinstance(node, MODULE_LEVEL):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id


def _bindings(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Returns {name: dotted name} for the imports from cwr among some nodes."""
    bound = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name if alias.asname else alias.name.split(".")[0]
                bound[alias.asname or top] = top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return {name: dotted for name, dotted in bound.items() if dotted.split(".")[0] == "cwr"}


@functools.cache
def _sum(file: Path, name: str) -> str:
    """Computes the sha256 of a definition's syntax."""
    dumped = [ast.dump(node) for node in _module(file).defined[name]]
    return hashlib.sha256("\n".join(dumped).encode()).hexdigest()


def _drop_docstrings(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, MODULE_LEVEL) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]


# ---- what uses what


@functools.cache
def _needed(definition: Definition, lib: Path) -> frozenset[Definition]:
    """Finds the definitions that a definition uses."""
    file, name = definition
    module, needed = _module(file), set()
    for statement in module.defined[name]:
        bound = module.bound | _bindings(ast.walk(statement))
        needed |= set(_used(statement, bound, module.defined, file, lib))
    of_texts = FOUND_BY_FOLDER.get(_dotted(file, lib), "")
    for folder in lib.glob("cwr/texts/*/claims") if of_texts else ():
        needed |= set(_resolved(of_texts.format(folder.parent.name), [], lib))
    return frozenset(needed - {definition})


def _used(
    tree: ast.AST, bound: dict[str, str], defined: dict, file: Path, lib: Path
) -> Iterator[Definition]:
    """Yields the definitions whose names a tree uses.

    bound: {name: dotted name} of imports. defined: the names that the tree's module, `file`,
    defines.
    """
    waiting = [tree]
    while waiting:
        node, attributes = waiting.pop(), []
        start = node
        while isinstance(node, ast.Attribute):
            attributes.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            waiting += ast.iter_child_nodes(node) if node is start else [node]
        elif node.id in bound:
            yield from _resolved(bound[node.id], attributes, lib)
        elif node.id in defined:
            yield (file, node.id)


def _resolved(dotted: str, attributes: list[str], lib: Path) -> Iterator[Definition]:
    """Yields the definitions that `dotted.attributes` means; for a whole module, all of them."""
    package, _, name = dotted.rpartition(".")
    module = file_of(lib, dotted)
    if module is None:  # a name in a module
        yield from _of_module(package, name, attributes, lib)
    elif attributes:
        yield from _of_module(dotted, attributes[0], attributes[1:], lib)
    else:
        yield from everything(module, lib)


def _of_module(module: str, name: str, attributes: list[str], lib: Path) -> Iterator[Definition]:
    """Yields the definitions that `module.name.attributes` means."""
    file = file_of(lib, module)
    if file is None:
        return
    if file_of(lib, f"{module}.{name}") is not None:
        yield from _resolved(f"{module}.{name}", attributes, lib)
    elif name in _module(file).defined:
        yield (file, name)
    elif name in _module(file).bound:
        yield from _resolved(_module(file).bound[name], attributes, lib)
    elif module in LAZY:
        yield (file, "__getattr__")
        yield from _of_module(LAZY[module], name, attributes, lib)


@functools.cache
def _dotted(file: Path, lib: Path) -> str:
    place = file.relative_to(lib) if file.is_relative_to(lib) else Path(file.name)
    return ".".join(place.with_suffix("").parts)
