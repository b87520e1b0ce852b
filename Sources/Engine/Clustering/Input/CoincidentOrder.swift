import Basics
import ParallelColumns
import Points

/// The order of points that share a site: heavier first, then by id, then by attributes.
///
/// Points that are equal in all of it are interchangeable.
struct CoincidentOrder: Sendable {
    private let input: ClusterInput
    private let names: [[UInt8]]

    init(_ input: ClusterInput) {
        self.input = input
        names = input.table.attributes.keys.names.map { Array($0.utf8) }
    }

    private struct Entry {
        var point: UInt32
        var weight: Double
        var id: UInt64
        /// Most records are told apart by this before their bytes must be compared.
        var fingerprint: UInt64
    }

    func sort(_ points: SharedColumn<UInt32>, _ range: Range<Int>) {
        let entries = range.map { makeEntry(points[$0]) }
        let sorted = entries.sorted { first, second in
            if first.weight != second.weight { return first.weight > second.weight }
            if first.id != second.id { return first.id < second.id }
            if first.fingerprint != second.fingerprint {
                return first.fingerprint < second.fingerprint
            }
            return record(of: first.point).lexicographicallyPrecedes(record(of: second.point))
        }
        for (index, entry) in zip(range, sorted) { points[index] = entry.point }
    }

    private func makeEntry(_ point: UInt32) -> Entry {
        let row = input.row(point)
        return Entry(
            point: point, weight: input.weight(point),
            id: input.table.ids?[row] ?? 0, fingerprint: fingerprint(of: row))
    }

    /// The attributes as bytes that do not depend on the numbers of keys, which follow the order of arrival.
    private func record(of point: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        var cursor = input.table.attributes[input.row(point)].makeCursor()
        while let attribute = cursor.next() {
            bytes += names[Int(attribute.key.number)]
            bytes.append(0)
            for index in attribute.value.bytes.indices {
                bytes.append(attribute.value.bytes[index])
            }
        }
        return bytes
    }

    private func fingerprint(of row: Int) -> UInt64 {
        var hash = ByteHash()
        var cursor = input.table.attributes[row].makeCursor()
        while let attribute = cursor.next() {
            let name = names[Int(attribute.key.number)]
            hash.add(name.span)
            hash.add(attribute.value.bytes)
        }
        return hash.value
    }
}
