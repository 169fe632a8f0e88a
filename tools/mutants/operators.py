"""Small wrong changes of Python sources: a check removed, a comparison turned, a constant off."""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

_COMPARISONS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}  # fmt: skip
_ARITHMETIC = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"), ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
}  # fmt: skip
_OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Mutant:
    """One change of one file; ``before`` and ``after`` are the texts of the changed line."""

    file: str
    function: str
    """Where it is: the dotted name of the function, or empty at the top of the file."""
    operator: str
    before: str
    after: str
    lines: range
    """The lines of the statement that it changes, without those of a body."""
    import_time: bool
    """Whether the line runs when the module is imported, so that no test in particular runs it."""
    source: str
    """The whole changed file."""
    copy: int = 0
    """How many changes with the same texts stand above it in the function."""

    @property
    def name(self) -> str:
        """Eight digits that stay the same when lines above are added."""
        parts = (self.file, self.function, self.operator, self.before, self.after, str(self.copy))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]


class _Change(NamedTuple):
    operator: str
    node: ast.AST
    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def mutants_of(file: str, source: str) -> list[Mutant]:
    """All mutants of a source, in the order of its lines."""
    lines = source.splitlines(keepends=True)
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    tree = ast.parse(source)
    early = _called_at_import(tree)
    for place, change in _walk(tree, lines, _Place("", False, range(0))):
        changed = _replace(lines, change)
        try:
            compile(changed, file, "exec")
        except SyntaxError:  # such as `return` of a generator that was the only yield
            continue
        pairs = zip_longest(lines, changed.splitlines(), fillvalue="")
        before, after = next(
            pair for one, two in pairs if (pair := (one.strip(), two.strip()))[0] != pair[1]
        )
        key = (place.function, change.operator, before, after)
        found.append(
            Mutant(
                file, place.function, change.operator, before, after, place.lines,
                not place.in_body or place.function in early, changed, seen[key],
            )
        )  # fmt: skip
        seen[key] += 1
    return found


def _called_at_import(tree: ast.Module) -> set[str]:
    """The functions that statements at the top of a module call by name."""
    found, waiting = set(), [node for node in tree.body if not isinstance(node, _FUNCTIONS)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found.add(node.func.id)
        if not isinstance(node, (*_FUNCTIONS, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
    return found


class _Place(NamedTuple):
    function: str
    in_body: bool
    lines: range


def _walk(node: ast.AST, lines: list[str], place: _Place) -> Iterator[tuple[_Place, _Change]]:
    if _is_skipped(node):
        return
    if isinstance(node, ast.stmt):
        place = place._replace(lines=_own_lines(node))
    for change in _changes(node, lines):
        yield place, change
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        inner = place
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            inside = place.in_body or (field == "body" and isinstance(node, _FUNCTIONS))
            inner = _Place(f"{place.function}.{node.name}".lstrip("."), inside, place.lines)
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child, lines, inner)


def _own_lines(node: ast.stmt) -> range:
    body = getattr(node, "body", None)
    assert node.end_lineno is not None
    last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
    return range(node.lineno, last + 1)


def _is_skipped(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.unparse(node.test)
    if isinstance(node, ast.Assign):
        return any(isinstance(one, ast.Name) and one.id == "__all__" for one in node.targets)
    if isinstance(node, ast.keyword):  # zip(..., strict=True) asserts what holds
        return node.arg == "strict"
    return isinstance(node, (ast.Import, ast.ImportFrom, ast.JoinedStr))


def _span(node: ast.expr | ast.stmt) -> tuple[tuple[int, int], tuple[int, int]]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _changes(node: ast.AST, lines: list[str]) -> Iterator[_Change]:
    def whole(operator: str, part: ast.expr | ast.stmt, text: str) -> _Change:
        return _Change(operator, part, *_span(part), text)

    def text_of(part: ast.expr) -> str:
        return _cut(lines, *_span(part))

    def between(operator: str, left: ast.expr, right: ast.expr, pair: tuple[str, str]):
        start, end = _span(left)[1], _span(right)[0]
        gap = _cut(lines, start, end)
        if pair[0] in gap:
            yield _Change(operator, left, start, end, gap.replace(*pair, 1))

    match node:
        case ast.Raise():
            yield whole("raise removed", node, "pass")
        case ast.If() | ast.While() | ast.IfExp() | ast.Assert():
            if not isinstance(node.test, (ast.UnaryOp, ast.Compare, ast.Constant)):
                yield whole("condition negated", node.test, f"(not ({text_of(node.test)}))")
        case ast.Compare():
            parts = [node.left, *node.comparators]
            for left, op, right in zip(parts, node.ops, parts[1:], strict=False):
                yield from between("comparison", left, right, _COMPARISONS[type(op)])
        case ast.BoolOp():
            pair = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield from between("and/or", node.values[0], node.values[1], pair)
        case ast.UnaryOp(op=ast.Not()):
            yield whole("not dropped", node, f"({text_of(node.operand)})")
        case ast.BinOp() if type(node.op) in _ARITHMETIC and not _is_text(node):
            yield from between("arithmetic", node.left, node.right, _ARITHMETIC[type(node.op)])
        case ast.AugAssign() if type(node.op) in _ARITHMETIC and not _is_text(node.value):
            yield from between("arithmetic", node.target, node.value, _ARITHMETIC[type(node.op)])
        case ast.Constant(value=bool()):
            yield whole("constant", node, str(not node.value))
        case ast.Constant(value=int()):
            yield whole("constant", node, str(node.value + 1))
        case ast.Constant(value=float()):
            yield whole("constant", node, str(node.value * 1.5 + (node.value == 0)))
        case ast.Return(value=ast.expr() as value):
            if not (isinstance(value, ast.Constant) and value.value is None):
                yield whole("return None", value, "None")
        case ast.Break() | ast.Continue():
            yield whole("jump dropped", node, "pass")
        case ast.With() if all(item.optional_vars is None for item in node.items):
            first, last = node.items[0].context_expr, node.items[-1].context_expr
            yield from _without_with(node, _span(first)[0], _span(last)[1], lines)
        case ast.Expr(value=ast.Call()):
            yield whole("call dropped", node, "pass")
        case ast.Call(func=ast.Attribute(attr="copy", value=value), args=[], keywords=[]):
            yield whole("copy dropped", node, text_of(value))
        case ast.Call(func=ast.Name(id=name) as func) if name in _OPPOSITES:
            yield whole("min/max", func, _OPPOSITES[name])


def _without_with(
    node: ast.With, start: tuple[int, int], end: tuple[int, int], lines: list[str]
) -> Iterator[_Change]:
    here = (node.lineno, node.col_offset)
    if start[0] == end[0] == node.lineno and node.body[0].lineno > node.lineno:
        stop = (node.lineno, len(lines[node.lineno - 1].rstrip("\n").encode()))
        yield _Change("with dropped", node, here, stop, "if True:")


def _is_text(node: ast.expr) -> bool:
    """Whether it joins texts or types, as far as can be seen."""
    found = ast.walk(node)
    return any(
        isinstance(one, ast.JoinedStr)
        or (isinstance(one, ast.Constant) and (one.value is None or isinstance(one.value, str)))
        for one in found
    )


def _cut(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    rows = [line.encode() for line in lines[start[0] - 1 : end[0]]]
    rows[-1] = rows[-1][: end[1]]
    rows[0] = rows[0][start[1] :]
    return b"".join(rows).decode()


def _replace(lines: list[str], change: _Change) -> str:
    (first, left), (last, right) = change.start, change.end
    head = "".join(lines[: first - 1]) + lines[first - 1].encode()[:left].decode()
    tail = lines[last - 1].encode()[right:].decode() + "".join(lines[last:])
    return head + change.text + tail
