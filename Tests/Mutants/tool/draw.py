"""Draws mistakes by rule: a seeded choice among all places where a rule has something to change."""

import random
import re
from collections import Counter
from itertools import islice

from mistakes import Mistake, bodies_of, module_folder
from swift_text import code_only, function_bodies


def swap(*pairs):
    """A rule that exchanges words."""
    both = {a: b for a, b in pairs} | {b: a for a, b in pairs}
    words = "|".join(sorted(map(re.escape, both), key=len, reverse=True))
    return words, lambda hit: both[hit.group()]


def binary(*pairs):
    words, change = swap(*pairs)
    return rf"(?<= )(?:{words})(?= )", change


def named(*pairs):
    words, change = swap(*pairs)
    return rf"\b(?:{words})\b", change


def dropped(pattern):
    return pattern, lambda hit: ""


# `self.x = x` is left alone: without it an initializer does not compile.
STATEMENT = r"(?m)(?<=\n)(?P<indent> +)(?:try )?(?:unsafe )?(?!self\.\w+ = )"

# A call whose arguments have an order: the lesser of two is the same either way.
ORDERED = "".join(rf"(?<!\b{name}[(])" for name in ("min", "max", "swapAt")) + r"(?<=\w[(])"

# Each class of mistakes with its rules: what is looked for, and what to put instead.
RULES = {
    "bounds": [
        binary(("<", "<="), (">", ">=")), (r"\.\.<", lambda hit: "..."),
        (r"\.\.\.(?=[\w(])", lambda hit: "..<"),
    ],
    "equality": [binary(("==", "!="), ("===", "!=="))],
    "arithmetic": [
        binary(("+", "-"), ("*", "/"), ("&+", "&-"), ("<<", ">>"), ("|", "&"), ("+=", "-=")),
        (r"(?<= )%(?= )", lambda hit: "/"), (r"(?<= )&\*(?= )", lambda hit: "&+"),
    ],
    "constants": [
        (r"(?<![\w.$#])\d[\d_]*(?![\w.]|\.\d)", lambda hit: off_by_one(hit.group())),
        (r"(?<![\w.$#])\d[\d_]*\.\d+(?!\w)", lambda hit: f"({hit.group()} * 1.01 + 0.001)"),
        named(("true", "false")),
    ],
    "extremes": [
        (r"(?<![.\w])min(?=\()", lambda hit: "Swift.max"),
        (r"(?<![.\w])max(?=\()", lambda hit: "Swift.min"),
        (r"(?<=\.)min(?=\()", lambda hit: "max"), (r"(?<=\.)max(?=\()", lambda hit: "min"),
        (r"\.(?:up|down)(?=\))", lambda hit: ".down" if hit.group() == ".up" else ".up"),
        (r"(?<=\.)(?:first|last)\b(?![(:])",
         lambda hit: "last" if hit.group() == "first" else "first"),
        (r"(?<=\.)(?:lowerBound|upperBound)\b",
         lambda hit: "upperBound" if hit.group() == "lowerBound" else "lowerBound"),
    ],
    "logic": [
        binary(("&&", "||")), dropped(r"(?<=[ (])!(?=[\w(])"),
        (r"(?<=[ (])(?=\w+(?:\.\w+)*\.isEmpty\b)", lambda hit: "!"),
    ],
    "calls left out": [
        (STATEMENT + r"[a-z_][\w.]*\([^{}\n]*\)(?=\n)", lambda hit: "do {}"),
        (STATEMENT + r"[a-z_][\w.]*(?:\[[^\]\n]*\])? (?:[-+|&]|<<|&\+)?= [^{}\n\0]*(?<![-+*/,(&|?:])(?=\n)(?!\n +[.?:&|+])",
         lambda hit: "do {}"),
    ],
    "signs": [dropped(r"(?<=[ (\[])-(?=[\w(.])")],
    "order": [
        (r"(?<=\.)x\b(?!:)", lambda hit: "y"), (r"(?<=\.)y\b(?!:)", lambda hit: "x"),
        named(("west", "east"), ("north", "south"), ("minX", "maxX"), ("minY", "maxY")),
        (ORDERED + r"(?!_)(\w+), (?!_)(\w+)(?=[)])", lambda hit: f"{hit.group(2)}, {hit.group(1)}"),
        (r"(?<=\$)[01](?=[.\w]* [<>] \$)", lambda hit: "10"[int(hit.group())]),
    ],
    "flow": [
        named(("continue", "break")),
        (r"(?<=if )(?!let |var |case |#)[^{}\n,]+(?= \{)", lambda hit: f"!({hit.group()})"),
        (r"(?<=guard )(?!let |var |case |#)[^{}\n,]+(?= else \{)", lambda hit: "true"),
        (r"(?<=return )(?:true|false)\b",
         lambda hit: "false" if hit.group() == "true" else "true"),
    ],
}

# What traps on bad code is no behaviour that a test may ask for.
LEFT_ALONE = re.compile(
    r"precondition|assert|fatalError|reserveCapacity|minimumCapacity|@available|#if|isolation:|"
    r"qos|description")


def off_by_one(number):
    value = int(number.replace("_", ""))
    return {0: "1", 1: "2"}.get(value, str(value - 1))


def sites(text):
    """All places of a file where a rule applies: (class, start, end, replacement)."""
    code = code_only(text)
    bodies = function_bodies(code)
    for name, rules in RULES.items():
        for pattern, change in rules:
            for hit in re.finditer(pattern, code):
                start, end = hit.span()
                start += len(hit.groupdict().get("indent", ""))
                line = text[text.rfind("\n", 0, start + 1) + 1:(text + "\n").find("\n", end)]
                inside = any(a <= start and end <= b for a, b in bodies)
                constant = name == "constants" and re.match(r".*static let \w+(: \w+)? = ", line)
                if not (inside or constant) or LEFT_ALONE.search(line):
                    continue
                if set("«»⇒\t") & set(text[start:end]) or is_whole(code, bodies, start, end):
                    continue
                # The rule sees strings blanked out; what stays of the code stays with them.
                yield name, start, end, change(hit).replace(hit.group(), text[slice(*hit.span())])


def is_whole(code, bodies, start, end):
    """Whether nothing else stands in the function: without it there is no value to return."""
    body = next((b for b in bodies if b[0] <= start and end <= b[1]), None)
    return body is not None and "\n" in code[start:end] + code[body[0]:body[1]] \
        and code[body[0]:body[1]].strip() == code[start:end].strip()


def described(module, path, sources, text, start, end, instead):
    """The mistake with as much of the text around it as tells it apart in the file."""
    first = text.rfind("\n", 0, start + 1) + 1
    last = text.find("\n", end)
    for _ in range(8):
        context = f"{text[first:start]}«{text[start:end]} ⇒ {instead}»{text[end:last]}"
        context = re.sub(r"\s+", " ", context).strip()
        mistake = Mistake(module, str(path.relative_to(module_folder(sources, module).parent)), context)
        if len(mistake.pattern().findall(text)) == 1:
            return mistake
        first = text.rfind("\n", 0, max(first - 1, 0)) + 1
    return None


def draw(sources, module, count, seed, taken=()):
    """A number of mistakes of one module, in the order of their lines."""
    drawn = islice(in_drawn_order(sources, module, seed, taken), count)
    return sorted(drawn, key=lambda mistake: mistake.line)


def in_drawn_order(sources, module, seed, taken=()):
    """Mistakes of one module as they are drawn: a class by lot, then a place of that class by lot;
    one a line, and three a function at most. What is `taken` (file, span, replacement) is left
    out."""
    lot = random.Random(f"{seed} {module}")
    places = {}
    for path in sorted(module_folder(sources, module).rglob("*.swift")):
        text = path.read_text()
        for name, start, end, instead in sites(text):
            places.setdefault(name, []).append((path, start, end, instead))
    lines, functions = set(), Counter()
    while places:
        name = lot.choice(sorted(places))
        path, start, end, instead = places[name].pop(lot.randrange(len(places[name])))
        if not places[name]:
            del places[name]
        text = path.read_text()
        line = (path, text.count("\n", 0, end))
        body = next((b for b in bodies_of(text) if b[0] <= start <= b[1]), None)
        mistake = described(module, path, sources, text, start, end, instead)
        if line in lines or functions[path, body] == 3 or mistake is None:
            continue
        if (path, (start, end), instead) in taken:
            continue
        lines.add(line)
        functions[path, body] += 1
        yield mistake
