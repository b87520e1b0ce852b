"""Reads and writes PMTiles 3 files, with header, metadata, directories and contents as plain values, so that tests can
write any false value."""

import gzip
import json
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Interop"))

from payloads import unpacked, varint_of

COUNTS = ["addressed", "entries", "contents"]
FLAGS = ["clustered", "internal", "compression", "type", "min_zoom", "max_zoom"]


def packed(data):
    return gzip.compress(data, 6, mtime=0)


class PMTiles:
    """The decoded parts of a file. `entries` are lists of id, run, offset and length."""

    def __init__(self, path=None):
        self.header = dict.fromkeys(COUNTS) | dict(zip(FLAGS, [1, 2, 2, 1, 0, 0]))
        self.bounds, self.center = [-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000], [0, 0]
        self.center_zoom, self.metadata, self.entries, self.data = 0, {"name": ""}, [], b""
        if path:
            self.read(Path(path).read_bytes())

    def read(self, data):
        sections = struct.unpack("<8Q", data[8:72])
        self.header.update(zip(COUNTS, struct.unpack("<3Q", data[72:96])))
        self.header.update(zip(FLAGS, data[96:102]))
        self.bounds = list(struct.unpack("<4i", data[102:118]))
        self.center_zoom, self.center = data[118], list(struct.unpack("<2i", data[119:127]))
        part = [data[sections[i]:sections[i] + sections[i + 1]] for i in range(0, 8, 2)]
        self.metadata = json.loads(gzip.decompress(part[1]))
        self.entries = self.directory(part[0], part[2])
        self.data = part[3]

    def directory(self, stored, leaves):
        numbers = unpacked(gzip.decompress(stored))
        count = numbers[0]
        ids, runs, lengths, offsets = (numbers[1 + i * count:1 + (i + 1) * count] for i in range(4))
        entries, number, end = [], 0, 0
        for step, run, length, offset in zip(ids, runs, lengths, offsets):
            number += step
            offset = end if offset == 0 else offset - 1
            end = offset + length
            if run == 0:
                entries += self.directory(leaves[offset:end], leaves)
            else:
                entries.append([number, run, offset, length])
        return entries

    def content(self, entry):
        return self.data[entry[2]:entry[2] + entry[3]]

    def put(self, entry, data):
        """Gives an entry other contents, which are appended to the data."""
        entry[2], entry[3] = len(self.data), len(data)
        self.data += data

    def add(self, number, run, data):
        self.entries.append([number, run, 0, 0])
        self.put(self.entries[-1], data)

    @staticmethod
    def packed_directory(entries):
        numbers, last = [len(entries)], 0
        for entry in entries:
            numbers.append(entry[0] - last)
            last = entry[0]
        numbers += [entry[1] for entry in entries] + [entry[3] for entry in entries]
        numbers += [entry[2] + 1 for entry in entries]
        return packed(b"".join(map(varint_of, numbers)))

    def bytes(self):
        root, leaves = self.packed_directory(self.entries), b""
        if len(root) > 16_000:
            tops = []
            for start in range(0, len(self.entries), 8_192):
                leaf = self.packed_directory(self.entries[start:start + 8_192])
                tops.append([self.entries[start][0], 0, len(leaves), len(leaf)])
                leaves += leaf
            root = self.packed_directory(tops)
        metadata = self.metadata
        if not isinstance(metadata, bytes):
            metadata = json.dumps(metadata).encode()
        parts, at, sections = [root, packed(metadata), leaves, self.data], 127, []
        for part in parts:
            sections += [at, len(part)]
            at += len(part)
        found = {"addressed": sum(entry[1] for entry in self.entries), "entries": len(self.entries),
                 "contents": len({entry[2] for entry in self.entries})}
        counts = [found[name] if self.header[name] is None else self.header[name] for name in COUNTS]
        head = b"PMTiles\x03" + struct.pack("<8Q", *sections)
        head += struct.pack("<3Q", *(count & 2**64 - 1 for count in counts))
        head += bytes(self.header[name] & 255 for name in FLAGS)
        head += struct.pack("<4i", *self.bounds) + bytes([self.center_zoom & 255])
        return head + struct.pack("<2i", *self.center) + b"".join(parts)

    def write(self, path):
        Path(path).write_bytes(self.bytes())


def field(number, data):
    return varint_of(number << 3 | 2) + varint_of(len(data)) + data


def layer(features, name=b"a", extent=4096):
    """A layer of a vector tile, with encoded features."""
    head = varint_of(15 << 3) + varint_of(2) + field(1, name)
    return field(3, head + features + varint_of(5 << 3) + varint_of(extent))


def point(x=5, y=5):
    return field(2, b"\x18\x01" + field(4, bytes([9]) + varint_of(2 * x) + varint_of(2 * y)))


def tile(count=1):
    return packed(layer(point() * count))


def empty_features(count):
    """A tile with so many empty features."""
    return packed(layer(b"\x12\x00" * count))


def bomb(megabytes):
    """So many megabytes of zeros, compressed with gzip."""
    block = b"\x00" * (1 << 20)
    import zlib
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    data = b"".join(packer.compress(block) for _ in range(megabytes))
    return data + packer.flush()
