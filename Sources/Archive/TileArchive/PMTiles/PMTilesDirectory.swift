import Basics

/// A list of entries that tells where tiles, or further directories, are (PMTiles 3.6, section 4).
package struct PMTilesDirectory: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package var id: UInt64
        package var offset: UInt64
        package var length: UInt32
        /// How many tiles from `id` on have these contents; 0 if they are a leaf directory.
        package var run: UInt32

        package init(id: UInt64, offset: UInt64, length: UInt32, run: UInt32) {
            self.id = id
            self.offset = offset
            self.length = length
            self.run = run
        }

        var isLeaf: Bool { run == 0 }
    }

    /// The entries, by ascending id.
    package var entries: [Entry] = []

    /// Far more, inflated, than the directories of any writer take: a root has at most some ten thousand entries,
    /// and a leaf as many as suit a reader over HTTP.
    static let mostBytes = 16 << 20
    static let mostEntries = 1 << 20

    package init(_ entries: [Entry] = []) { self.entries = entries }

    /// The ids from the first entry to the last; nil if there are none.
    var ids: ClosedRange<UInt64>? {
        guard let first = entries.first, let last = entries.last else { return nil }
        return first.id...max(first.id, last.id)
    }

    /// The entry for a tile: the last one whose id is not greater.
    /// - Complexity: O(log n).
    package func entry(for id: UInt64) -> Entry? {
        let next = entries.indices.partitionPoint { entries[$0].id > id }
        guard next > 0 else { return nil }
        let entry = entries[next - 1]
        return entry.isLeaf || id - entry.id < UInt64(entry.run) ? entry : nil
    }

    /// The entries in columns, as in the format (section 4.2).
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * entries.count + 8)
        Varint.append(UInt64(entries.count), to: &bytes)
        var last: UInt64 = 0
        for entry in entries {
            Varint.append(entry.id - last, to: &bytes)
            last = entry.id
        }
        for entry in entries { Varint.append(UInt64(entry.run), to: &bytes) }
        for entry in entries { Varint.append(UInt64(entry.length), to: &bytes) }
        var next: UInt64?
        for entry in entries {
            Varint.append(entry.offset == next ? 0 : entry.offset + 1, to: &bytes)
            next = entry.offset &+ UInt64(entry.length)
        }
        return bytes
    }
}

/// Reads the `bytes` of a directory, which may come from an untrusted file.
extension PMTilesDirectory {
    package init(_ bytes: Span<UInt8>) throws(PMTilesFault) {
        var column = Column(bytes)
        let count = try column.next()
        // Each entry takes at least four bytes.
        guard count <= UInt64(bytes.count / 4), count <= UInt64(Self.mostEntries) else {
            throw .badDirectory("it claims \(count) entries, too many")
        }
        entries.reserveCapacity(Int(count))
        var id: UInt64 = 0
        for index in 0..<count {
            let (next, isTooGreat) = id.addingReportingOverflow(try column.next())
            guard !isTooGreat, index == 0 || next > id else {
                throw .badDirectory("its tile ids are out of order")
            }
            id = next
            entries.append(Entry(id: id, offset: 0, length: 0, run: 0))
        }
        for index in entries.indices {
            guard let run = UInt32(exactly: try column.next()) else {
                throw .badDirectory("a run is too long")
            }
            entries[index].run = run
        }
        for index in entries.indices {
            guard let length = UInt32(exactly: try column.next()), length > 0 else {
                throw .badDirectory("an entry has no bytes, or too many")
            }
            entries[index].length = length
        }
        for index in entries.indices {
            entries[index].offset = try offset(of: index, stored: try column.next())
        }
    }

    /// The offset of an entry; a stored 0 means that it follows the entry before.
    private func offset(of index: Int, stored: UInt64) throws(PMTilesFault) -> UInt64 {
        guard stored == 0 else { return stored - 1 }
        guard index > 0 else { throw .badDirectory("its first entry has no offset") }
        let before = entries[index - 1]
        let (offset, isTooGreat) = before.offset.addingReportingOverflow(UInt64(before.length))
        guard !isTooGreat else { throw .badDirectory("an offset is too great") }
        return offset
    }

    /// Numbers, one after another.
    private struct Column: ~Escapable {
        private let bytes: Span<UInt8>
        private var cursor = 0

        @_lifetime(copy bytes)
        init(_ bytes: Span<UInt8>) { self.bytes = bytes }

        mutating func next() throws(PMTilesFault) -> UInt64 {
            guard let value = Varint.read(bytes, &cursor, end: bytes.count) else {
                throw .badDirectory("it is cut short")
            }
            return value
        }
    }
}
