"""A blind draw: mistakes that no list holds, tried once. Nothing of it is kept but what it prints."""

import shutil
import tempfile
from itertools import islice
from pathlib import Path

from draw import in_drawn_order
from mistakes import module_folder
from runs import Bundle
from survey import Survey, own_tests

# What each module gets at least, where the count allows: fewer tell nothing about it.
LEAST = 8


def tested_modules(root):
    """Every module that has tests of its own, whether or not a list names it."""
    return sorted(folder.name for folder in (root / "Sources").glob("*/*")
                  if (root / "Tests" / own_tests(folder.name)).is_dir())


def line_count(sources, module):
    return sum(path.read_text().count("\n") for path in module_folder(sources, module).rglob("*.swift"))


class BlindDraw:
    """So many mistakes over the modules, each with its share by lines, and some to spare for those
    that do not compile."""

    def __init__(self, sources, modules, count, seed, taken):
        self.shares, self.drawn = {}, {}
        sizes = {module: line_count(sources, module) for module in modules}
        lines, least = sum(sizes.values()), min(LEAST, count // len(modules))
        # Small modules first: what they have no places for goes to the larger ones.
        for module in sorted(modules, key=lambda m: (sizes[m], m)):
            share = max(least, round(count * sizes[module] / max(lines, 1)))
            places = in_drawn_order(sources, module, seed, taken)
            self.drawn[module] = list(islice(places, share + share // 2 + 2))
            self.shares[module] = min(share, len(self.drawn[module]))
            count -= self.shares[module]
            lines -= sizes[module]

    @property
    def mistakes(self):
        return [mistake for drawn in self.drawn.values() for mistake in drawn]

    def chosen(self, compiling):
        """The first of each module that compile, as many as its share."""
        names = {mistake.name for mistake in compiling}
        return [mistake for module, drawn in self.drawn.items()
                for mistake in [m for m in drawn if m.name in names][:self.shares[module]]]


class BlindSurvey(Survey):
    """A survey whose traces go when it ends."""

    def __init__(self, board, scratch, numbered, dependents, say):
        folder = tempfile.mkdtemp(prefix="blind-", dir=scratch)
        self.folder = Path(folder)
        super().__init__(Bundle(board.tree, self.folder), self.folder, numbered, dependents, say)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class KeptNowhere:
    """Stands where other runs keep their results."""

    def note(self, mistake, outcome):
        pass


def survivors_text(mistakes, outcomes):
    """The survivors as lines of the lists, so that one that is equivalent can be noted there."""
    lines = []
    for mistake in mistakes:
        outcome = outcomes.get(mistake.name)
        if outcome and not outcome.noticed:
            note = f" ({outcome.detail})" if outcome.detail else ""
            lines.append(f"survives{note}: {mistake.module}, line {mistake.row}\n{mistake.line}")
    return "\n".join(lines)
