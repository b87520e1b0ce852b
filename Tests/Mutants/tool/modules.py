"""Asks the compiler what is wrong in each module, without building those below it first."""

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# What a build writes beside the module itself. Those with a value are followed by it.
WRITTEN = {"-emit-dependencies", "-emit-module", "-c", "-incremental", "-enable-batch-mode",
           "-serialize-diagnostics", "-parseable-output", "-emit-objc-header", "-j2"}
WRITTEN_WITH_VALUE = {"-emit-module-path", "-output-file-map", "-index-store-path",
                      "-emit-objc-header-path", "-I"}


class Modules:
    """The Swift modules of a package under a folder, each compiled on its own.

    A build stops at the first module with an error, and those that use it are not looked at. Here
    all modules get their faces first, which no mistake in a function changes; then each can be
    compiled without the others.
    """

    def __init__(self, root, tree):
        self.root, self.tree = root, tree
        self.commands = self.planned()
        self.faces = tree / ".build/faces"
        self.faces.mkdir(parents=True, exist_ok=True)

    def planned(self):
        """What the build runs for each module of Sources: its arguments, and what it waits for."""
        subprocess.run(["swift", "build", "--target", "CMutants"], cwd=self.tree,
                       check=True, capture_output=True)
        text = (self.tree / ".build/debug.yaml").read_text()
        commands = {}
        for part in re.split(r'\n\n  (?=")', text):
            inputs = re.search(r"^    inputs: (\[.*\])$", part, re.M)
            arguments = re.search(r'^    args: (\[.*"-module-name".*\])$', part, re.M)
            if not arguments or f'"{self.tree}/Sources/' not in inputs.group(1):
                continue
            words = json.loads(arguments.group(1))
            name = words[words.index("-module-name") + 1]
            needed = re.findall(r"/Modules/(\w+)\.swiftmodule", inputs.group(1))
            sources = re.findall(r'"([^"]*\.swift)"', inputs.group(1))
            commands[name] = (self.kept(words), sources, needed)
        return commands

    def kept(self, words):
        kept, words = [], iter(words)
        for word in words:
            if word == "-Xcc":
                kept += [word, next(words)]
            elif word in WRITTEN_WITH_VALUE:
                next(words)
            elif word not in WRITTEN and not word.startswith("@"):
                kept.append(word)
        return kept

    def run(self, name, sources, *words):
        run = subprocess.run(
            ["nice", "-n", "3", *self.commands[name][0], *sources, "-I", str(self.faces), "-wmo", *words],
            cwd=self.tree, capture_output=True, text=True)
        return None if run.returncode == 0 else run.stdout + run.stderr

    def make_faces(self, names):
        """These modules and those that they use, without what their functions do: first those that
        others need. From the sources without mistakes, of which some do not even parse."""
        made = set()

        def make(name):
            if name in made or name not in self.commands:
                return
            made.add(name)
            _, sources, needed = self.commands[name]
            for other in needed:
                make(other)
            right = [path.replace(f"{self.tree}/Sources/", f"{self.root}/Sources/")
                     for path in sources]
            log = self.run(name, right, "-emit-module", "-emit-module-path",
                           str(self.faces / f"{name}.swiftmodule"),
                           "-Xfrontend", "-experimental-skip-all-function-bodies")
            if log:
                raise SystemExit(f"{name} has no face:\n{log[:4000]}")

        for name in names:
            make(name)

    def errors(self, names):
        """What the compiler says of those modules that have errors, two modules at a time."""
        with ThreadPoolExecutor(2) as pool:
            logs = pool.map(lambda name: self.run(name, self.commands[name][1], "-emit-sil",
                                                  "-o", "/dev/null"), names)
            return {name: log for name, log in zip(names, logs) if log}
