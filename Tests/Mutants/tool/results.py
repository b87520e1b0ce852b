"""What is kept between runs, so that nothing is run twice."""

import fcntl
import hashlib
import json
from contextlib import contextmanager
from dataclasses import asdict

from runs import Outcome


class Results:
    """What came of each mistake: what was noticed stays noticed as long as the function that it
    stands in says the same; what was not is tried again."""

    def __init__(self, path):
        self.path = path
        self.known = json.loads(path.read_text()) if path.exists() else {}

    def forget(self):
        self.path.unlink(missing_ok=True)
        self.known = {}

    def outcome(self, mistake):
        entry = self.entry(mistake)
        return Outcome(**entry["outcome"]) if "outcome" in entry else None

    def broken(self, mistake):
        """Why it did not compile when it was tried last; None if it did."""
        return self.entry(mistake).get("broken")

    def entry(self, mistake):
        entry = self.known.get(mistake.name, {})
        return entry if entry.get("function") == mistake.surroundings else {}

    def note_broken(self, mistake, why):
        text = f"does not compile: {why}"
        self.save(mistake, {"broken": text})
        return text

    def note(self, mistake, outcome):
        self.save(mistake, {"outcome": asdict(outcome)})

    def save(self, mistake, entry):
        """Keeps what another run has noted meanwhile."""
        with locked(self.path):
            if self.path.exists():
                self.known = json.loads(self.path.read_text())
            self.known[mistake.name] = {"function": mistake.surroundings, **entry}
            self.path.write_text(json.dumps(self.known, indent=1))


class Numbers:
    """The number of each mistake, for good: a list that changes leaves other files' copies alone."""

    def __init__(self, path):
        self.path = path

    def of(self, mistakes):
        with locked(self.path):
            known = json.loads(self.path.read_text()) if self.path.exists() else {}
            for mistake in mistakes:
                known.setdefault(mistake.name, len(known))
            self.path.write_text(json.dumps(known))
        return {known[mistake.name]: mistake for mistake in mistakes}


class Traces:
    """What each suite reaches without a mistake, and how long it takes: known as long as the code
    and the suite's own module say the same."""

    def __init__(self, path, tree):
        self.path = path
        self.code = marked(tree, "Package.swift", "Sources", "tilesets",
                           "Tests/TestSupport", "Tests/MessageTiles")
        self.modules = {folder.name: self.code + marked(folder, ".")
                        for folder in (tree / "Tests").iterdir()}
        kept = json.loads(path.read_text()) if path.exists() else {}
        self.known = {group: trace for group, trace in kept.items()
                      if trace.get("mark") == self.mark(group)}

    def mark(self, group):
        return self.modules.get(group.split(".")[0])

    def keep(self, group, outcome, reached):
        if group not in self.known and not outcome.noticed:
            self.known[group] = {"mark": self.mark(group), "outcome": asdict(outcome),
                                 "reached": sorted(reached)}
            self.path.write_text(json.dumps(self.known))


def marked(folder, *names):
    """A mark of all that these files and folders say."""
    mark = hashlib.sha1()
    for name in names:
        top = folder / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file():
                mark.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return mark.hexdigest()[:12]


@contextmanager
def locked(path):
    with open(path.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
