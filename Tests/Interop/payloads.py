"""Decodes and encodes the payloads of an archive's clusters (formats 4 and 5), by docs/pmtiles.md.

    kind, message, rest = decoded(payload)     # a dictionary of numbers and lists, with all differences added up
    payload = encoded(kind, message, rest)
"""
import zlib
from typing import NamedTuple

BLOCK, OVERVIEW, PAGE, OUTLINES, CONTENTS = 100, 101, 102, 103, 104
LARGEST = 16 << 20


class Field(NamedTuple):
    number: int
    signed: bool = False
    # The number of interleaved lists whose numbers are stored as differences; 0 if they are stored as they are.
    lanes: int = 0
    is_list: bool = True


FORMAT = {"format": Field(1, is_list=False)}
FIELDS = {
    BLOCK: FORMAT | {
        "leaves": Field(4, is_list=False), "hull": Field(5, True, 2), "firsts": Field(6, lanes=1),
        "zooms": Field(7), "counts": Field(8), "xs": Field(9, True), "ys": Field(10, True),
        "shifted": Field(14, True)},
    OVERVIEW: FORMAT | {
        "edges": Field(2, True, 4), "pages": Field(3, lanes=1), "counts": Field(4), "listed": Field(5),
        "blocks": Field(6, True, 1), "begins": Field(7, lanes=1), "lengths": Field(8), "zooms": Field(9),
        "xs": Field(10, True), "ys": Field(11, True), "shifted": Field(12, True),
        "names": Field(13, lanes=1), "namedBlocks": Field(14, True, 1)},
    CONTENTS: FORMAT | {
        "edges": Field(2, True, 4), "pages": Field(3, lanes=1), "counts": Field(4), "large": Field(5),
        "numbers": Field(6, lanes=1), "begins": Field(7, lanes=1), "lengths": Field(8), "zooms": Field(9),
        "xs": Field(10, True), "ys": Field(11, True), "shifted": Field(12, True), "firsts": Field(13, lanes=1),
        "leaves": Field(14), "wideEdges": Field(15, True, 4)},
    PAGE: FORMAT | {"ids": Field(2, lanes=1), "blocks": Field(3)},
    OUTLINES: FORMAT | {"sizes": Field(2), "corners": Field(3, True, 2)},
}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def varint_of(number):
    number &= 2**64 - 1
    data = bytearray()
    while number >= 128:
        data.append(number & 127 | 128)
        number >>= 7
    data.append(number)
    return bytes(data)


def fields(data):
    """The fields of a message: number and value, which is a number or bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            assert tag & 7 == 2, f"a field of kind {tag & 7}"
            length, at = varint(data, at)
            assert at + length <= len(data), "a field is cut off"
            value, at = data[at:at + length], at + length
        yield tag >> 3, value


def field_of(number, value):
    if isinstance(value, bytes):
        return varint_of(number << 3 | 2) + varint_of(len(value)) + value
    return varint_of(number << 3) + varint_of(value)


def unpacked(data, signed=False):
    values, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        values.append((value >> 1) ^ -(value & 1) if signed else value)
    return values


def packed(values, signed=False):
    return b"".join(varint_of(2 * value if value >= 0 else -2 * value - 1) if signed else varint_of(value)
                    for value in values)


def members(payload):
    """The first member and the bytes after it: the points of a block, or nothing."""
    assert payload[:8] == b"\x1f\x8b\x08\x04\0\0\0\0" and payload[10:16] == b"\x08\0Cv\x04\0", "the first bytes"
    length = int.from_bytes(payload[16:20], "little")
    return payload[:length], payload[length:]


def inflated(member, largest=LARGEST):
    """The contents of one member of gzip; no bytes may follow it."""
    inflater = zlib.decompressobj(31)
    data = inflater.decompress(member, largest + 1)
    assert len(data) <= largest and inflater.eof and not inflater.unused_data, "no member of gzip"
    return data


def member_of(data):
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    body = packer.compress(data) + packer.flush()
    body += zlib.crc32(data).to_bytes(4, "little") + len(data).to_bytes(4, "little")
    return b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x08\0Cv\x04\0" + (20 + len(body)).to_bytes(4, "little") + body


def decoded(payload):
    member, rest = members(payload)
    [(kind, body)] = fields(inflated(member))
    message = {name: [] if field.is_list else 0 for name, field in FIELDS[kind].items()}
    names = {field.number: name for name, field in FIELDS[kind].items()}
    for number, value in fields(body):
        if number not in names:
            continue
        field = FIELDS[kind][names[number]]
        if field.is_list:
            value = unpacked(value, field.signed)
            for at in range(field.lanes, len(value) if field.lanes else 0):
                value[at] += value[at - field.lanes]
        message[names[number]] = value
    return kind, message, rest


def encoded(kind, message, rest=b""):
    body = b""
    for name, field in FIELDS[kind].items():
        value = message[name]
        if field.is_list:
            if field.lanes:
                value = value[:field.lanes] + [b - a for a, b in zip(value, value[field.lanes:])]
            value = packed(value, field.signed)
        if value:
            body += field_of(field.number, value)
    return member_of(field_of(kind, body)) + rest
