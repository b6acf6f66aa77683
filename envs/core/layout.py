"""The observation as named sections: who may know each, where it begins, and the table in the docs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A run of float32 values; a seat that may not know it sees zeros there.

    ``known_by`` names the seats; ``option`` is the environment option that adds the section, None for the base.
    """

    name: str
    length: int
    known_by: tuple[str, ...]
    text: str
    option: str | None = None


@dataclass(frozen=True)
class Layout:
    """The sections of an observation in their order."""

    sections: tuple[Section, ...]

    @property
    def size(self) -> int:
        """Number of values in all."""
        return sum(section.length for section in self.sections)

    def start(self, name: str) -> int:
        """Where the section begins.

        Raises:
            KeyError: no section has this name.
        """
        position = 0
        for section in self.sections:
            if section.name == name:
                return position
            position += section.length
        raise KeyError(f"section {name!r}: there is none; sections are {', '.join(s.name for s in self.sections)}")

    def slice(self, name: str) -> slice:
        """The section's place in the observation."""
        start = self.start(name)
        return slice(start, start + next(s.length for s in self.sections if s.name == name))

    def digest(self) -> str:
        """Hash of names, lengths and order, to be compared by whoever stores a network."""
        return hashlib.sha256(repr([(s.name, s.length) for s in self.sections]).encode()).hexdigest()[:16]

    def table(self) -> str:
        """The layout as a Markdown table."""
        rows = ["| from | length | section | known to | meaning |", "|---|---|---|---|---|"]
        for section in self.sections:
            name = section.name if section.option is None else f"{section.name} (`{section.option}`)"
            known = ", ".join(section.known_by)
            rows.append(f"| {self.start(section.name)} | {section.length} | {name} | {known} | {section.text} |")
        return "\n".join(rows)
