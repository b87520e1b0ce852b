"""Compiles all mistakes at once, each behind a switch that the environment sets."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from modules import Modules
from swift_text import code_only, function_bodies

HEADER = """#pragma once
#include <stdbool.h>

extern int covey_active_mutant;
extern unsigned char *covey_reached_mutants;

static inline bool covey_reached(int number) {
    if (covey_reached_mutants) covey_reached_mutants[number] = 1;
    return covey_active_mutant == number;
}

static inline bool covey_mutant(int number) { return covey_active_mutant == number; }
"""

# Children of a test inherit the switch and write to the same shared page of what was reached.
SOURCE = """#include "mutants.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

int covey_active_mutant = -1;
unsigned char *covey_reached_mutants = 0;

__attribute__((constructor)) static void covey_read_mutant(void) {
    const char *number = getenv("COVEY_MUTANT");
    if (number) covey_active_mutant = atoi(number);
    const char *path = getenv("COVEY_MUTANTS_REACHED");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *bytes = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes != MAP_FAILED) covey_reached_mutants = bytes;
}
"""

# The copies may hold what a warning forbids: a condition that is always true, a variable unused.
# Tests are compiled as ever, so that they may be written beside the copy.
MANIFEST = """
package.targets.append(.target(name: "CMutants", path: "Sources/CMutants"))
for target in package.targets where target.type != .system && target.name != "CMutants" {
    target.dependencies.append("CMutants")
    if target.type == .test || target.name == "TestSupport" { continue }
    target.swiftSettings = [
        .swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes"),
        .enableUpcomingFeature("ExistentialAny"), .unsafeFlags(["-suppress-warnings"]),
    ]
}
"""


@dataclass
class Wrapped:
    """A file with its mistakes behind switches, and whose copy each of its lines is."""

    text: str
    owners: list[tuple[int, int, list[int]]]


def wrap(text, mistakes, returning=frozenset()):
    """The text of a file in which each of the mistakes (number, span, replacement) is a copy of
    the function that it stands in. Functions whose start is in `returning` say `return` first."""
    code = code_only(text)
    bodies = {body: [] for body in function_bodies(code)}
    edits = []
    for number, span, instead in mistakes:
        body = next((b for b in bodies if b[0] <= span[0] and span[1] <= b[1]), None)
        if body:
            bodies[body].append((number, span, instead))
        else:
            there = text[span[0]:span[1]]
            edits.append((span, [f"(covey_reached({number}) ? {instead} : {there})"],
                          [number]))
    for (start, end), inside in bodies.items():
        if inside:
            edits.append(((start, end), copies(text, start, end, inside, start in returning),
                          [start, *(number for number, _, _ in inside)]))
    return assembled(text, sorted(edits))


def copies(text, start, end, mistakes, returning):
    prefix = " return " if returning else ""
    reached = " || ".join(f"covey_reached({number})" for number, _, _ in mistakes)
    pieces = [f" if {reached} {{ "]
    for number, span, instead in mistakes:
        copy = text[start:span[0]] + instead + text[span[1]:end]
        pieces.append(f"if covey_mutant({number}) {{{prefix}{copy}}} else ")
    pieces.append(f"{{ fatalError() }} }} else {{{prefix}{text[start:end]}}} ")
    return pieces


def assembled(text, edits):
    out, owners, index = "import CMutants; ", [], 0
    for (start, end), pieces, numbers in edits:
        out += text[index:start]
        for place, piece in enumerate(pieces):
            first = out.count("\n") + 1
            out += piece
            owner = numbers if len(pieces) == 1 or place in (0, len(pieces) - 1) \
                else [numbers[place]]
            owners.append((first, out.count("\n") + 1, owner))
        index = end
    return Wrapped(out + text[index:], owners)


class Switchboard:
    """A copy of the tree with every mistake compiled in."""

    def __init__(self, root, scratch):
        self.root, self.tree = root, scratch / "tree"
        self.wrapped = {}
        self.returning = {}
        # The modules whose tests are compiled; all where none is named.
        self.tested = []

    def put(self, path, text):
        """Writes a file unless it says that already: what is older need not be compiled."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)

    def copy_tree(self):
        names = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "Sources", "Tests", "tilesets",
             "proto", "scripts", "docs", "README.md"],
            cwd=self.root, check=True, capture_output=True, text=True).stdout.split("\n")
        names = {n for n in names if n and (self.root / n).exists()}
        names = {n for n in names if not n.startswith("Tests/Mutants/")}
        for name in names:
            source, target = self.root / name, self.tree / name
            if name.startswith("Sources/") and name.endswith(".swift"):
                continue
            if not target.exists() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
        for old in self.tree.rglob("*"):
            name = str(old.relative_to(self.tree))
            if old.is_file() and name.split("/")[0] in ("Sources", "Tests") \
                    and not name.startswith("Sources/CMutants/") and name not in names:
                old.unlink()
        self.put(self.tree / "Package.swift", (self.root / "Package.swift").read_text() + MANIFEST)
        self.put(self.tree / "Sources/CMutants/include/mutants.h", HEADER)
        self.put(self.tree / "Sources/CMutants/mutants.c", SOURCE)

    def write_sources(self, numbered):
        by_file = {}
        for number, mistake in numbered.items():
            by_file.setdefault(mistake.found_in, []).append(
                (number, mistake.span, mistake.replacement))
        for path in sorted((self.root / "Sources").rglob("*.swift")):
            text, name = path.read_text(), str(path.relative_to(self.root))
            if path in by_file:
                wrapped = wrap(text, by_file[path], self.returning.get(name, frozenset()))
                self.wrapped[name] = wrapped
                text = wrapped.text
            self.put(self.tree / name, text)

    def build(self, numbered, say, drop):
        """Compiles the copy; takes mistakes out that do not compile, and calls `drop(number, why)`
        for each of them."""
        self.copy_tree()
        self.write_sources(numbered)
        modules = Modules(self.root, self.tree)
        pending = sorted({m.module for m in numbered.values()} & modules.commands.keys())
        modules.make_faces(pending)
        while logs := modules.errors(pending):
            self.take_out("\n".join(logs.values()), numbered, say, drop)
            pending = sorted(logs)
        say("every module compiles; building the tests")
        while log := self.compile():
            self.take_out(log, numbered, say, drop)

    def take_out(self, log, numbered, say, drop):
        """Takes out the mistakes that a compiler's log speaks of."""
        blamed = self.blame(log)
        if not blamed:
            raise SystemExit("the copy does not compile:\n" + "\n".join(
                line for line in log.split("\n") if "error" in line)[:4000])
        for number, why in blamed.items():
            if number in numbered:
                drop(number, why)
                del numbered[number]
        say(f"{len(blamed)} mistakes or functions do not compile; once more without them")
        self.write_sources(numbered)

    def compile(self):
        """Only what a run needs: the tests, of some modules where no others are asked, and the program
        that some of them start."""
        chosen = {"COVEY_TESTS": ",".join(self.tested)} if self.tested else {}
        for product in ("coveyPackageTests", "covey"):
            run = subprocess.run(
                ["nice", "-n", "3", "swift", "build", "--product", product], cwd=self.tree,
                env=dict(os.environ, **chosen), capture_output=True, text=True)
            if run.returncode != 0:
                return run.stdout + run.stderr
        return None

    def blame(self, log):
        """The mistakes whose copies the compiler's errors lie in. An error in the copy without a
        mistake asks for `return` in that function first, and then for all of its mistakes."""
        blamed = {}
        pattern = re.compile(rf"^{re.escape(str(self.tree))}/(\S+?):(\d+):\d+: error: (.*)$", re.M)
        for name, line, why in pattern.findall(log):
            if name not in self.wrapped:
                continue
            for first, last, numbers in self.wrapped[name].owners:
                if not first <= int(line) <= last:
                    continue
                if len(numbers) == 1:
                    blamed[numbers[0]] = why
                elif numbers[0] not in self.returning.setdefault(name, set()):
                    self.returning[name].add(numbers[0])
                    blamed[(name, numbers[0])] = why
                elif not any(n in blamed for n in numbers[1:]):
                    blamed.update({number: why for number in numbers[1:]})
        return blamed
