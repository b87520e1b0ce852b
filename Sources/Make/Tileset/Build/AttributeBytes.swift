import Points

/// How many bytes of names and values each attribute takes in some records: the largest is at fault where a tile
/// is too large.
struct AttributeBytes {
    private let names: [String]
    private var bytes: [Int: Int] = [:]

    init(_ names: [String]) { self.names = names }

    mutating func include(_ record: borrowing AttributeRecord) {
        var cursor = record.makeCursor()
        while let attribute = cursor.next() {
            let key = Int(attribute.key.number)
            bytes[key, default: 0] += names[key].utf8.count + attribute.value.bytes.count
        }
    }

    var total: Int { bytes.values.reduce(0, +) }
    /// The attribute with the most bytes; of equals, the one that was met first in the input.
    var heaviest: String? {
        bytes.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { names[$0.key] }
    }
}
