"""What is kept between runs, so that nothing is run twice."""

import fcntl
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
    """What each suite reaches without a mistake, and how long it takes; of one compiled bundle."""

    def __init__(self, path, mark):
        self.path, self.mark = path, mark
        kept = json.loads(path.read_text()) if path.exists() else {}
        self.known = kept["suites"] if kept.get("bundle") == mark else {}

    def keep(self, group, outcome, reached):
        if group not in self.known and not outcome.noticed:
            self.known[group] = {"outcome": asdict(outcome), "reached": sorted(reached)}
            self.path.write_text(json.dumps({"bundle": self.mark, "suites": self.known}))


@contextmanager
def locked(path):
    with open(path.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
