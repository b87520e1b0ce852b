"""Which tests can see which mistakes, and whether they notice."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

from results import Traces
from runs import Outcome, plain

AT_ONCE = int(os.environ.get("COVEY_JOBS", 2))
# Suites that together take no longer than this, in seconds, are asked in one run.
LONGEST_BATCH = 12


def dependents(tree):
    """For each module the test modules that are built on it, its own first."""
    text = subprocess.run(
        ["swift", "package", "describe", "--type", "json"], cwd=tree, check=True,
        capture_output=True, text=True).stdout
    targets = {t["name"]: t for t in json.loads(text[text.index("{"):])["targets"]}
    below = {}

    def reach(name):
        if name not in below:
            below[name] = {name}
            for other in targets.get(name, {}).get("target_dependencies", []):
                below[name] |= reach(other)
        return below[name]

    tests = [name for name, target in targets.items() if target["type"] == "test"]
    return {
        name: sorted((t for t in tests if name in reach(t)), key=lambda t: t != own_tests(name))
        for name, target in targets.items() if target["type"] != "test"
    }


def own_tests(module):
    return f"{module[0].upper()}{module[1:]}Tests"


class Survey:
    """Runs the suites once without a mistake, then each mistake against the suites that reach it."""

    def __init__(self, bundle, scratch, numbered, dependents, say):
        self.bundle, self.scratch, self.numbered = bundle, scratch, numbered
        self.dependents, self.say = dependents, say
        self.traces = Traces(scratch / "traces.json", bundle.tree)
        self.seconds, self.reached, self.failing = {}, {}, {}
        self.every = bundle.suites()

    def trace(self, groups):
        """Runs suites unharmed; says how long each takes and what it reaches."""
        groups = [group for group in groups if group not in self.seconds]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for group, outcome, numbers in pool.map(self.trace_one, groups):
                self.traces.keep(group, outcome, numbers)
                self.seconds[group], self.reached[group] = outcome.seconds, numbers
                if outcome.noticed:
                    # It would notice whatever it is asked.
                    self.failing[group] = f"{outcome.kind} {outcome.detail}"
                    self.say(f"{group} fails without a mistake and is not asked: "
                             + self.failing[group])

    def trace_one(self, group):
        if known := self.traces.known.get(group):
            return group, Outcome(**known["outcome"]), set(known["reached"])
        page = self.scratch / f"reached-{group}"
        page.write_bytes(bytes(65536))
        outcome = self.bundle.run([group], reached=page)
        if outcome.noticed:
            # A machine under load may fail a test that waits; what fails twice, fails.
            outcome = self.bundle.run([group], reached=page)
        numbers = {number for number, byte in enumerate(page.read_bytes()) if byte}
        page.unlink()
        return group, outcome, numbers

    def run(self, numbers, far, report):
        """Runs mistakes against the suites of their own module, or (`far`) of those built on it;
        calls `report(number, outcome)` as each is done."""
        wanted = {n: self.suites_of(n, far) for n in numbers}
        self.trace(sorted({group for groups in wanted.values() for group in groups}))

        def one(number):
            groups = [g for g in wanted[number] if number in self.reached[g] and g not in self.failing]
            return number, self.try_out(number, sorted(groups, key=self.seconds.get))

        with ThreadPoolExecutor(AT_ONCE) as pool:
            for number, outcome in pool.map(one, numbers):
                report(number, outcome)

    def suites_of(self, number, far):
        module = self.numbered[number].module
        tests = self.dependents.get(module, [])
        tests = [t for t in tests if (t != own_tests(module)) == far]
        return [group for group in self.every if group.split(".")[0] in tests]

    def try_out(self, number, groups):
        """Quick suites go first, several in one run; then the slow ones, each by itself."""
        if not groups:
            return Outcome("passed", "no test reaches it", 0)
        spent = 0
        for batch in self.batches(groups):
            limit = 30 + 5 * sum(self.seconds[group] for group in batch)
            outcome = self.bundle.run(batch, number=number, limit=limit)
            spent += outcome.seconds
            if outcome.kind == "failed":
                outcome = self.again(number, batch, outcome.detail, limit)
                spent += outcome.seconds
            if outcome.noticed:
                return Outcome(outcome.kind, outcome.detail, spent)
        return Outcome("passed", "", spent)

    def batches(self, groups):
        batch, seconds = [], 0
        for group in groups:
            if batch and seconds + self.seconds[group] > LONGEST_BATCH:
                yield batch
                batch, seconds = [], 0
            batch.append(group)
            seconds += self.seconds[group]
        yield batch

    def again(self, number, batch, test, limit):
        """A busy machine fails a test that waits, mistake or not: what fails twice, fails. The
        suite that failed is asked alone, and all of them if it passes by itself."""
        suspects = [group for group in batch if plain(test) in self.every[group]]
        if suspects and suspects != batch:
            outcome = self.bundle.run(suspects, number=number, limit=limit)
            if outcome.noticed:
                return outcome
        return self.bundle.run(batch, number=number, limit=limit)
