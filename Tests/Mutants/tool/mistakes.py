"""The kept lists of mistakes: a line each, found in the code by its text."""

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

MARK = re.compile("«(.*?) ?⇒ ?(.*?)»", re.S)


@dataclass
class Mistake:
    module: str
    file: str
    """What stands in the code around the mistake, with «what is there ⇒ what to put instead»."""
    text: str
    """Why no test can notice it; None of one that counts."""
    equivalent: str | None = None
    """Where it was found."""
    found_in: Path | None = field(default=None, compare=False)
    span: tuple[int, int] | None = field(default=None, compare=False)

    @property
    def name(self):
        return hashlib.sha1(f"{self.file}\t{self.text}".encode()).hexdigest()[:6]

    @property
    def replacement(self):
        return MARK.search(self.text).group(2)

    @property
    def line(self):
        note = f"\tequivalent: {self.equivalent}" if self.equivalent else ""
        return f"{self.file}\t{self.text}{note}"

    def pattern(self):
        """What matches the code, however its white space falls; the first group is what goes."""
        mark = MARK.search(self.text)
        parts = [self.text[:mark.start()], mark.group(1), self.text[mark.end():]]
        before, there, after = (loose(part) for part in parts)
        return re.compile(f"{before}({there}){after}")

    def find(self, sources):
        """Says why it does not apply any more, or None and where it stands."""
        named = sources / self.file
        others = sorted((sources / self.module).rglob("*.swift"))
        for files in ([named] if named.exists() else [], others):
            hits = [
                (path, hit.span(1))
                for path in files
                for hit in self.pattern().finditer(path.read_text())
            ]
            if len(hits) == 1:
                self.found_in, self.span = hits[0]
                return None
            if len(hits) > 1:
                return f"found {len(hits)} times"
        return "not found"


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
    note = None
    if len(columns) == 3:
        if not columns[2].startswith("equivalent: "):
            raise SystemExit(f"{path}:{number}: the third column says “equivalent: why”")
        note = columns[2].removeprefix("equivalent: ")
    return Mistake(path.stem, columns[0], columns[1], note)
