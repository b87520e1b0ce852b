"""The kept lists of mistakes: a line each, found in the code by its text."""

import functools
import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from swift_text import code_only, function_bodies

MARK = re.compile("«(.*?) ?⇒ ?(.*?)»", re.S)


@dataclass
class Mistake:
    module: str
    file: str
    """What stands in the code around the mistake, with «what is there ⇒ what to put instead»."""
    text: str
    """Why no test can notice it; None of one that counts."""
    equivalent: str | None = None
    """Why it may go unnoticed although a test could notice it; it counts all the same."""
    excuse: str | None = None
    """Where it was found."""
    found_in: Path | None = field(default=None, compare=False)
    span: tuple[int, int] | None = field(default=None, compare=False)
    row: int | None = field(default=None, compare=False)

    @property
    def name(self):
        return hashlib.sha1(f"{self.file}\t{self.text}".encode()).hexdigest()[:6]

    @property
    def replacement(self):
        return MARK.search(self.text).group(2)

    @property
    def line(self):
        notes = {"equivalent": self.equivalent, "survives": self.excuse}
        note = "".join(f"\t{word}: {why}" for word, why in notes.items() if why)
        return f"{self.file}\t{self.text}{note}"

    @functools.cached_property
    def surroundings(self):
        """A mark of the function that it stands in, by which a change of it is seen."""
        text = self.found_in.read_text()
        start, end = next(
            (body for body in bodies_of(text) if body[0] <= self.span[0] and self.span[1] <= body[1]),
            (0, len(text)))
        return hashlib.sha1(text[start:end].encode()).hexdigest()[:12]

    def pattern(self):
        """What matches the code, however its white space falls; the first group is what goes."""
        mark = MARK.search(self.text)
        parts = [self.text[:mark.start()], mark.group(1), self.text[mark.end():]]
        before, there, after = (loose(part) for part in parts)
        return re.compile(f"{before}({there}){after}")

    def find(self, sources):
        """Says why it does not apply any more, or None and where it stands."""
        folder = module_folder(sources, self.module)
        named = folder.parent / self.file
        others = sorted(folder.rglob("*.swift"))
        for files in ([named] if named.exists() else [], others):
            hits = [
                (path, hit.span(1))
                for path in files
                for hit in self.pattern().finditer(path.read_text())
            ]
            if len(hits) == 1:
                self.found_in, self.span = hits[0]
                self.row = self.found_in.read_text().count("\n", 0, self.span[0]) + 1
                return None
            if len(hits) > 1:
                return f"found {len(hits)} times"
        return "not found"


def module_folder(sources, module):
    """Where a module lies: in the folder of its layer."""
    return next(sources.glob(f"*/{module}"), sources / module)


@functools.cache
def bodies_of(text):
    return function_bodies(code_only(text))


def loose(text):
    words = [re.escape(word) for word in re.split(r"\s+", text)]
    return r"\s+".join(words)


def read_lists(folder, modules=None):
    """All mistakes of the modules' lists, or of every list."""
    mistakes = []
    for path in sorted(folder.glob("*.txt")):
        if modules and path.stem not in modules:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            mistakes.append(parsed(line, path, number))
    return mistakes


def parsed(line, path, number):
    columns = line.split("\t")
    if len(columns) not in (2, 3) or not MARK.search(columns[1]):
        raise SystemExit(f"{path}:{number}: a mistake is FILE, tab, text with «there ⇒ instead»")
    notes = {"equivalent": None, "survives": None}
    if len(columns) == 3:
        word, _, why = columns[2].partition(": ")
        if word not in notes or not why:
            raise SystemExit(
                f"{path}:{number}: the third column says “equivalent: why” or “survives: why”")
        notes[word] = why
    return Mistake(path.stem, columns[0], columns[1], *notes.values())
