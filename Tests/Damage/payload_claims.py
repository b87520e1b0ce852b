"""False values in valid payloads: blocks, pages of ids, outlines and the overview are decoded, changed, and encoded."""

import functools

# Adds the folder of `payloads` to the path.
import pmtiles
from payloads import BLOCK, CONTENTS, FIELDS, OUTLINES, OVERVIEW, PAGE, decoded, encoded

NUMBERS = [0, 1, 2, 31, 32, 255, 4_000, 4_001, 2**20, 2**30, 2**31 - 1, 2**31, 2**32, 2**40, 2**48, 2**53, 2**62,
           2**63 - 1, -1, -2, -(2**31), -(2**53), -(2**63)]


@functools.cache
def large_points():
    """Points for a block that are small when compressed."""
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
    """Changes one to three values of a payload. Returns the new payload and a description."""
    kind, message, rest = decoded(payload)
    descriptions = []
    for _ in range(random.randint(1, 3)):
        name = random.choice(list(FIELDS[kind]))
        if not FIELDS[kind][name].is_list:
            message[name] = random.choice(NUMBERS)
            descriptions.append(f"{name} = {message[name]}")
        elif not message[name]:
            message[name] = random.choices(NUMBERS, k=random.randint(1, 9))
            descriptions.append(f"{name} = {message[name]}")
        else:
            way = random.choice([change_number, change_number, nudge, nudge, nudge, same, cut, drop, insert, turn, repeat])
            way(random, message[name])
            descriptions.append(f"{way.__name__} {name}")
    if kind == BLOCK and random.random() < 0.2:
        rest = random.choice(large_points())
        descriptions.append(f"points of {len(rest)} bytes")
    payload = encoded(kind, message, rest)
    if random.random() < 0.05:
        payload = payload[:16] + random.choice(NUMBERS[:15]).to_bytes(8, "little")[:4] + payload[20:]
        descriptions.append("another length")
    return payload, f"{kind}: {', '.join(descriptions)}"


def chosen(random, counts):
    """The number of a random payload of a random kind. `counts` are those of the metadata."""
    blocks, pages, outlines = (counts.get(name, 0) for name in ("count", "pages", "outlines"))
    size = counts.get("chapter", 0)
    first = blocks + pages + outlines
    last = first + (-(-max(blocks, pages) // size) if size else 0)
    ranges = {BLOCK: range(blocks), PAGE: range(blocks, blocks + pages), OUTLINES: range(blocks + pages, first),
              OVERVIEW: range(first, last), CONTENTS: range(last, last + 1)}
    return random.choice(ranges[random.choice([BLOCK, BLOCK, PAGE, OUTLINES, OVERVIEW, CONTENTS])] or ranges[CONTENTS])
