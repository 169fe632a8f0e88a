"""Tables as people have them: right, odd, damaged or not tables at all, with what is expected.

``write_all(folder)`` writes the files. Each :class:`MessyFile` says how a user would want it read:
``expected`` has the columns, or ``refused`` the whole message after the file's name. Files made by
other programs are in tests/data.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class MessyFile:
    """A file, and what should come of it."""

    name: str
    content: bytes
    expected: dict[str, list[Any]] | None = None
    """Columns by name: floats, None or text. None if the file is refused."""
    index: list[Any] | None = None
    """The row names; None for 1, 2, ..."""
    refused: str | None = None
    """The message after "NAME: "."""
    notes: tuple[str, ...] = ()
    """The warnings, whole."""
    options: dict[str, Any] = field(default_factory=dict)
    """Arguments of ``pycdf.read_table``."""

    @property
    def label(self) -> str:
        """The id of the test."""
        return self.name + "".join(f" {name}={value}" for name, value in self.options.items())

    def write(self, folder: Path) -> Path:
        """Write the file; its path."""
        path = folder / self.name
        path.write_bytes(self.content)
        return path


AB = {"a": [1.0, 2.5, -3.0], "b": [4.0, 5.0, 6.25], "y": ["u", "v", "u"]}
PLAIN = "a,b,y\n1,4,u\n2.5,5,v\n-3,6.25,u\n"

FILES = [
    MessyFile("plain.csv", PLAIN.encode(), AB),
    MessyFile("tabs.csv", PLAIN.replace(",", "\t").encode(), AB),
    MessyFile("semicolons.csv", PLAIN.replace(",", ";").encode(), AB),
    MessyFile("bom.csv", PLAIN.encode("utf-8-sig"), AB),
    MessyFile("empty.csv", b"", refused="it has no rows below a header line."),
]
