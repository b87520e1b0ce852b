"""What a stranger may claim in payloads that are sound otherwise: blocks, pages of ids, outlines and the overview
taken apart, changed, and put together again."""

import functools

# Finds the payloads beside the other checks.
import pmtiles
from payloads import BLOCK, CONTENTS, FIELDS, OUTLINES, OVERVIEW, PAGE, decoded, encoded

NUMBERS = [0, 1, 2, 31, 32, 255, 4_000, 4_001, 2**20, 2**30, 2**31 - 1, 2**31, 2**32, 2**40, 2**48, 2**53, 2**62,
           2**63 - 1, -1, -2, -(2**31), -(2**53), -(2**63)]


@functools.cache
def large_points():
    """Small bytes that are much, in place of a block's points."""
    return [pmtiles.bomb(40), pmtiles.bomb(700), pmtiles.packed(pmtiles.layer(b"\x12\x00" * 4_000)),
            pmtiles.tile(4_000), pmtiles.tile(200_000), pmtiles.empty_features(900_000), b"", b"\x1f\x8b"]


def change_number(random, numbers):
    numbers[random.randrange(len(numbers))] = random.choice(NUMBERS)


def nudge(random, numbers):
    for _ in range(random.randint(1, 5)):
        numbers[random.randrange(len(numbers))] += random.choice([-1, 1, 2, -32, 4_000, -(2**20), 2**30])


def same(random, numbers):
    numbers[:] = [random.choice(NUMBERS)] * len(numbers)


def cut(random, numbers):
    del numbers[random.randrange(len(numbers)):]


def drop(random, numbers):
    del numbers[random.randrange(len(numbers))]


def insert(random, numbers):
    numbers.insert(random.randrange(len(numbers) + 1), random.choice(NUMBERS))


def turn(_, numbers):
    numbers.reverse()


def repeat(random, numbers):
    numbers *= random.choice([2, 100, 1_000_000 // len(numbers) + 1])


def changed(random, payload):
    """A payload with one to three of its claims changed; says in which way."""
    kind, message, rest = decoded(payload)
    said = []
    for _ in range(random.randint(1, 3)):
        name = random.choice(list(FIELDS[kind]))
        if not FIELDS[kind][name].is_list:
            message[name] = random.choice(NUMBERS)
            said.append(f"{name} = {message[name]}")
        elif not message[name]:
            message[name] = random.choices(NUMBERS, k=random.randint(1, 9))
            said.append(f"{name} = {message[name]}")
        else:
            way = random.choice([change_number, change_number, nudge, nudge, nudge, same, cut, drop, insert, turn, repeat])
            way(random, message[name])
            said.append(f"{way.__name__} {name}")
    if kind == BLOCK and random.random() < 0.2:
        rest = random.choice(large_points())
        said.append(f"points of {len(rest)} bytes")
    payload = encoded(kind, message, rest)
    if random.random() < 0.05:
        payload = payload[:16] + random.choice(NUMBERS[:15]).to_bytes(8, "little")[:4] + payload[20:]
        said.append("another length")
    return payload, f"{kind}: {', '.join(said)}"


def chosen(random, counts):
    """The number of a payload, of each kind as often; the overview decides most. `counts` is what the archive says."""
    blocks, pages, outlines = (counts.get(name, 0) for name in ("count", "pages", "outlines"))
    size = counts.get("chapter", 0)
    first = blocks + pages + outlines
    last = first + (-(-max(blocks, pages) // size) if size else 0)
    ranges = {BLOCK: range(blocks), PAGE: range(blocks, blocks + pages), OUTLINES: range(blocks + pages, first),
              OVERVIEW: range(first, last), CONTENTS: range(last, last + 1)}
    return random.choice(ranges[random.choice([BLOCK, BLOCK, PAGE, OUTLINES, OVERVIEW, CONTENTS])] or ranges[CONTENTS])
