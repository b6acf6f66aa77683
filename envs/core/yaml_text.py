"""YAML with the line of every key, and without its two traps: duplicate keys and numbers read as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import yaml

from reichenbach.envs.core.digits import MOST_DIGITS
from reichenbach.envs.core.problems import Problem, dotted

Path = tuple[str | int, ...]

MOST_VALUES = 10_000
MOST_DEEP = 48  # lists and mappings in one another, or keys of an override; reading them takes a call or more for each

# YAML 1.1, which PyYAML reads, wants a point and a sign: it takes 1e-3 for text.
_ALMOST_A_NUMBER = re.compile(r"[-+]?(\d[\d_]*\.?|\d[\d_]*\.\d+|\.\d+)[eE][-+]?\d+$")


@dataclass
class Document:
    """The values of a file, the line of each path in it, and what is wrong with it."""

    file: str
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    lines: dict[Path, int] = field(default_factory=dict[Path, int])
    problems: list[Problem] = field(default_factory=list[Problem])
    size: int = 0  # values read so far
    inside: set[int] = field(default_factory=set[int])  # nodes being read, for those that hold themselves

    def line(self, path: Path) -> int:
        """The line of the path or of the nearest part of it that stands in the file."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def where(self, path: Path) -> str:
        """``file:line`` of the path or of the nearest part of it that stands in the file."""
        return f"{self.file}:{self.line(path)}"

    def wrong(self, path: Path, message: str) -> None:
        """Notes one problem of what stands at the path."""
        self.refuse(path, self.line(path), message)

    def refuse(self, path: Path, line: int, message: str) -> None:
        """Notes one problem of the text."""
        self.problems.append(Problem(f"{self.file}:{line}", dotted(path), message))


def parse(text: str, file: str, kind: str) -> Document:
    """The values of a YAML text that is ``kind``, as "a config". Nothing is raised: ``problems`` says what is wrong."""
    document = Document(file)
    node = _composed(document, text)
    if node is None:
        return document
    if not isinstance(node, yaml.MappingNode):
        document.refuse((), node.start_mark.line + 1, f"{kind} is a mapping of keys to values")
        return document
    values = _value(document, node, ())
    document.values = values if isinstance(values, dict) else {}
    return document


def scalar(text: str) -> Any:
    """A value given on the command line: a number in any usual form, else what YAML makes of it.

    Raises:
        ValueError: it is no YAML, or has one of the traps of the file.
    """
    if _ALMOST_A_NUMBER.match(text):
        return float(text)
    document = Document("")
    node = _composed(document, text)
    value = None if node is None else _value(document, node, ())
    if document.problems:
        raise ValueError(document.problems[0].message)
    return value


class _Loader(yaml.SafeLoader):
    """Gives up on its way down, before Python does: so it can say where."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """One node with all in it."""
        self.depth += 1
        if self.depth > MOST_DEEP + 1:
            event: Any = cast("Any", self).peek_event()
            raise yaml.MarkedYAMLError(problem="it is nested too deep", problem_mark=event.start_mark)
        node: yaml.Node | None = super().compose_node(parent, index)
        self.depth -= 1
        return node


def _composed(document: Document, text: str) -> yaml.Node | None:
    try:
        node: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        document.refuse((), line, f"this is no YAML: {error.problem}")
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        document.refuse((), line, f"this is no YAML: character {chr(error.character)!a} is not allowed")
    else:
        return node
    return None


def _value(document: Document, node: yaml.Node, path: Path) -> Any:
    line = node.start_mark.line + 1
    document.size += 1
    if document.size > MOST_VALUES:  # a few lines of references to references could ask for billions
        if document.size == MOST_VALUES + 1:
            document.refuse(path, line, f"there are more than {MOST_VALUES} values")
        return None
    document.lines.setdefault(path, line)
    if len(path) > MOST_DEEP:  # by references: the text itself is not so deep
        document.refuse(path[:1], line, f"it is nested too deep: in more than {MOST_DEEP} lists and mappings")
        return None
    if isinstance(node, yaml.CollectionNode):
        if id(node) in document.inside:
            document.refuse(path, line, "this holds itself")
            return None
        document.inside.add(id(node))
        values = _collection(document, node, path)
        document.inside.discard(id(node))
        return values
    if _is_plain_text(node) and _ALMOST_A_NUMBER.match(node.value):
        number = float(node.value)
        document.refuse(path, line, f"YAML reads {node.value} as text; write {_with_point(number)}")
        return number
    if node.tag.endswith(":int") and len(node.value.lstrip("+-")) > MOST_DIGITS:
        document.refuse(path, line, f"this is no value: a whole number has at most {MOST_DIGITS} digits")
        return None
    try:
        constructor: Any = yaml.SafeLoader("")
        return constructor.construct_object(node, deep=True)
    except yaml.MarkedYAMLError as error:
        document.refuse(path, line, f"this is no value: {error.problem}")
    except (ValueError, LookupError, AttributeError) as error:  # PyYAML leaves what does not fit its tag to luck
        document.refuse(path, line, f"this is no value: {error}")
    return None


def _collection(document: Document, node: yaml.CollectionNode, path: Path) -> Any:
    if isinstance(node, yaml.MappingNode):
        return _mapping(document, node, path)
    return [_value(document, item, (*path, i)) for i, item in enumerate(node.value)]


def _is_plain_text(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style is None and node.tag.endswith(":str")


def _mapping(document: Document, node: yaml.MappingNode, path: Path) -> Mapping[str, Any]:
    values: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            document.refuse(path, line, "a key is a word")
            continue
        key = str(key_node.value)
        here = (*path, key)
        if key in values:
            document.refuse(here, line, f"this key stands twice, first in line {document.lines[here]}")
            continue
        document.lines[here] = line
        values[key] = _value(document, value_node, here)
    return values


def _with_point(number: float) -> str:
    text = repr(number)
    mantissa, letter, exponent = text.partition("e")
    return f"{mantissa}.0e{exponent}" if letter and "." not in mantissa else text
