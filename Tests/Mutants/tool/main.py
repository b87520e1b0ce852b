"""The command line of scripts/mutants."""

import argparse
import json
import sys
import time
from pathlib import Path

from blind import BlindDraw, BlindSurvey, KeptNowhere, survivors_text, tested_modules
from draw import draw
from mistakes import read_lists
from results import Numbers, Results, locked
from runs import Bundle
from survey import Survey, dependents, own_tests
from switchboard import Switchboard

ROOT = Path(__file__).resolve().parents[3]
LISTS = ROOT / "Tests/Mutants"
SCRATCH = ROOT / ".build-mutants"


def say(text):
    print(text, file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/mutants",
        description="Puts realistic mistakes into the code, one at a time, and counts which the "
        "tests notice. Tests/Mutants keeps them, a list a module.")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="all, if none is said")
    parser.add_argument("--list", action="store_true", help="shows the mistakes, runs nothing")
    parser.add_argument("--only", action="append", metavar="NAME", help="this mistake alone")
    parser.add_argument("--near", action="store_true",
                        help="asks the module's own tests only, not those of modules above it")
    parser.add_argument("--fresh", action="store_true",
                        help="forgets earlier runs; else what was noticed is not run again")
    parser.add_argument("--compile", action="store_true", help="tells which compile, runs nothing")
    parser.add_argument("--show", action="store_true", help="shows what earlier runs found")
    parser.add_argument("--json", action="store_true", help="prints all outcomes as JSON")
    parser.add_argument("--draw", type=int, metavar="COUNT",
                        help="draws new mistakes by rule for one module and prints their lines")
    parser.add_argument("--blind", type=int, metavar="COUNT",
                        help="draws and tries mistakes that no list holds; keeps nothing")
    parser.add_argument("--seed", type=int, help="of the draw; a blind one takes the clock's")
    return parser.parse_args()


def main():
    words = arguments()
    mistakes = read_lists(LISTS, words.modules)
    every = read_lists(LISTS)
    gone = {m.name: why for m in every if (why := m.find(ROOT / "Sources"))}
    if words.draw or words.blind:
        taken = {(m.found_in, m.span, m.replacement) for m in every if m.name not in gone}
        return blind(words, taken) if words.blind else print_drawn(words, taken)
    asked = {m.name for m in mistakes if not words.only or m.name in words.only}
    mistakes = [m for m in every if m.name in asked]
    if words.list:
        for mistake in mistakes:
            print(f"{mistake.name} {where(mistake)} {gone.get(mistake.name, '')}\n{mistake.line}\n")
        return 0
    SCRATCH.mkdir(exist_ok=True)
    results = Results(SCRATCH / "results.json")
    if words.fresh:
        results.forget()
    outcomes = {m.name: results.outcome(m) for m in mistakes if counts(m, gone)}
    return run(words, every, mistakes, gone, results, outcomes)


def print_drawn(words, taken):
    for module in words.modules:
        for mistake in draw(ROOT / "Sources", module, words.draw, words.seed or 1, taken):
            print(mistake.line)
    return 0


def blind(words, taken):
    """Tries mistakes that the tests' author has not seen, and prints the score."""
    start = time.monotonic()
    seed = int(time.time()) if words.seed is None else words.seed
    modules = words.modules or tested_modules(ROOT)
    print(f"seed {seed}, {words.blind} mistakes over {len(modules)} modules", flush=True)
    lot = BlindDraw(ROOT / "Sources", modules, words.blind, seed, taken)
    SCRATCH.mkdir(exist_ok=True)
    with locked(SCRATCH / "tree"):
        board = Switchboard(ROOT, SCRATCH)
        board.tested = [own_tests(m).removesuffix("Tests") for m in modules] if words.near else []
        found = [m for m in lot.mistakes if m.find(ROOT / "Sources") is None]
        numbered = dict(enumerate(found))
        say(f"{len(numbered)} mistakes, some to spare; compiling them all at once")
        board.build(numbered, say, lambda number, why: None)
        survey = BlindSurvey(board, SCRATCH, numbered, dependents(ROOT), say)
    mistakes = lot.chosen(numbered.values())
    outcomes = {m.name: None for m in mistakes}
    try:
        try_all(words, survey, outcomes, KeptNowhere())
    finally:
        survey.remove()
        print(survivors_text(mistakes, outcomes))
        print_scores(mistakes, {}, outcomes)
        print(f"\nseed {seed}, {(time.monotonic() - start) / 60:.0f} minutes")
    return 0


def counts(mistake, gone):
    return mistake.name not in gone and not mistake.equivalent


def run(words, every, mistakes, gone, results, outcomes):
    start = time.monotonic()
    pending = any(not (known and known.noticed) for known in outcomes.values())
    survey = None
    if words.compile or pending and not words.show:
        survey = compiled(words, every, gone, results)
        gone_now = gone.keys() & outcomes.keys()
        outcomes = {name: known for name, known in outcomes.items() if name not in gone_now}
    if survey:
        try:
            try_all(words, survey, outcomes, results)
        finally:
            survey.bundle.remove()
    show(words, mistakes, gone, outcomes, time.monotonic() - start)
    for group, why in survey.failing.items() if survey else ():
        print(f"fails without a mistake: {group} {why}")
    survivors = [known for known in outcomes.values() if known and not known.noticed]
    return 1 if survivors or gone else 0


def compiled(words, every, gone, results):
    """Compiles the mistakes of all lists, whichever are asked for: what is tried next need not be
    compiled again. None if that was all."""
    with locked(SCRATCH / "tree"):
        board = Switchboard(ROOT, SCRATCH)
        gone |= {m.name: why for m in every if m.name not in gone and (why := results.broken(m))}
        numbered = Numbers(SCRATCH / "numbers.json").of([m for m in every if counts(m, gone)])
        say(f"{len(numbered)} mistakes; compiling them all at once")

        def drop(number, why):
            gone[numbered[number].name] = results.note_broken(numbered[number], why)

        board.build(numbered, say, drop)
        if words.compile:
            return None
        return Survey(Bundle(board.tree, SCRATCH), SCRATCH, numbered, dependents(ROOT), say)


def try_all(words, survey, outcomes, results):
    numbered = {n: m for n, m in survey.numbered.items() if m.name in outcomes}
    for far in [False] if words.near else [False, True]:
        pending = [n for n, m in numbered.items()
                   if not (outcomes[m.name] and outcomes[m.name].noticed)]
        say(f"{len(pending)} to try on tests of "
            + ("modules above" if far else "their own module"))

        def report(number, outcome):
            mistake = numbered[number]
            if far and not outcome.noticed and outcomes[mistake.name]:
                outcome.seconds += outcomes[mistake.name].seconds
                outcome.detail = outcome.detail and outcomes[mistake.name].detail
            outcomes[mistake.name] = outcome
            results.note(mistake, outcome)
            mark = "·" if outcome.noticed else "?"
            say(f"{mark} {mistake.name} {where(mistake)} "
                f"{outcome.kind} {outcome.detail} {outcome.seconds:.0f} s")

        # Module by module, small ones first, so that there is something to read soon.
        for module in sorted({numbered[n].module for n in pending},
                             key=lambda m: sum(numbered[n].module == m for n in pending)):
            survey.run([n for n in pending if numbered[n].module == module], far, report)


def where(mistake):
    if mistake.found_in is None:
        return mistake.file
    return f"{mistake.found_in.relative_to(ROOT)}:{mistake.row}"


def show(words, mistakes, gone, outcomes, seconds):
    if words.json:
        print(json.dumps({
            m.name: {
                "module": m.module, "where": where(m), "text": m.text, "gone": gone.get(m.name),
                "equivalent": m.equivalent, "outcome": vars(outcomes[m.name])
                if outcomes.get(m.name) else None,
            } for m in mistakes}, indent=1, ensure_ascii=False))
        return
    for mistake in mistakes:
        if mistake.name in gone:
            print(f"no longer applies ({gone[mistake.name]}): {mistake.name} {mistake.line}")
    for mistake in mistakes:
        outcome = outcomes.get(mistake.name)
        if outcome and not outcome.noticed and mistake.name not in gone:
            note = mistake.excuse or outcome.detail
            note = f" ({note})" if note else ""
            print(f"survives{note}: {mistake.name} {where(mistake)}\n    {mistake.text}")
    print_scores(mistakes, gone, outcomes)
    print(f"\n{seconds / 60:.0f} minutes")


def print_scores(mistakes, gone, outcomes):
    print(f"\n{'module':<16}{'noticed':>8}{'of':>6}{'share':>8}{'equivalent':>12}")
    rows = [(module, [m for m in mistakes if m.module == module])
            for module in sorted({m.module for m in mistakes})]
    for name, members in [*rows, ("all", mistakes)]:
        tried = [m for m in members if m.name not in gone and outcomes.get(m.name)]
        noticed = sum(outcomes[m.name].noticed for m in tried)
        share = f"{100 * noticed / len(tried):.0f} %" if tried else ""
        equivalent = sum(m.equivalent is not None for m in members)
        print(f"{name:<16}{noticed:>8}{len(tried):>6}{share:>8}{equivalent:>12}")


if __name__ == "__main__":
    sys.exit(main())
