import Basics
import JSON
import Points
import TileArchive

/// Statistics of one attribute over all features of a layer.
struct FieldStatistics: BlockValue, Sendable {
    /// The most distinct values that are kept, as in `tilestats`; further ones are only counted.
    static let distinctLimit = 1_000
    static let sampleLimit = 100
    /// The most bytes of a value among the samples, as in `tilestats`.
    private static let longestSample = 256

    private(set) var count = 0
    private(set) var minimum = Double.infinity
    private(set) var maximum = -Double.infinity
    private(set) var numbers = 0
    private(set) var texts = 0
    private(set) var bools = 0
    /// The hashes of the distinct values, until there are as many as are kept.
    private var seen: Set<UInt64> = []
    private var isFull = false
    private var samples: [AttributeValue] = []
    /// The hash of the previous value, which often comes again.
    private var lastHash: UInt64 = 0

    init() {}

    /// The statistics of texts of which only the number is known.
    init(texts count: Int) {
        self.count = count
        texts = count
    }

    mutating func include(_ value: borrowing PackedValue) {
        count += 1
        if let number = value.number {
            numbers += 1
            minimum = min(minimum, number)
            maximum = max(maximum, number)
        } else if value.bool != nil {
            bools += 1
        } else {
            texts += 1
        }
        guard !isFull else { return }
        // Among a thousand values, the chance that two share a hash is 10^-14.
        let hash = ByteHash(value.bytes).value
        guard hash != lastHash else { return }
        lastHash = hash
        if insert(hash), samples.count < Self.sampleLimit,
            value.bytes.count <= Self.longestSample
        {
            samples.append(value.unpacked)
        }
    }

    /// Adds the hash of a value; returns whether it is new.
    private mutating func insert(_ hash: UInt64) -> Bool {
        guard !isFull, seen.insert(hash).inserted else { return false }
        if seen.count == Self.distinctLimit { fill() }
        return true
    }

    private mutating func fill() { (isFull, seen) = (true, []) }

    /// Adds the statistics of the features after these.
    mutating func merge(_ later: FieldStatistics) {
        count += later.count
        numbers += later.numbers
        texts += later.texts
        bools += later.bools
        minimum = min(minimum, later.minimum)
        maximum = max(maximum, later.maximum)
        if samples.count < Self.sampleLimit {
            samples += later.samples.filter { !samples.contains($0) }
            samples.removeSubrange(min(samples.count, Self.sampleLimit)...)
        }
        if later.isFull { fill() }
        for hash in later.seen { _ = insert(hash) }
    }

    func write(to sink: inout BlockSink) {
        sink.write(count, numbers, texts, bools, isFull ? 1 : 0, minimum, maximum)
        // In an order that does not change from run to run.
        sink.write(Column(seen.sorted()))
        samples.write(to: &sink)
    }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        let full: Int
        (count, numbers, texts, bools, full, minimum, maximum) = try source.values()
        isFull = full != 0
        let hashes: Column<UInt64> = try source.column()
        seen.reserveCapacity(hashes.count)
        for index in 0..<hashes.count { _ = insert(hashes[index]) }
        samples = try .init(from: &source)
    }

    /// The kind of most values.
    var kind: VectorLayer.FieldType {
        if texts == 0 && bools == 0 { return .number }
        if texts == 0 && numbers == 0 { return .boolean }
        return .string
    }

    /// An entry of `tilestats`: how many values there are, some of them, and their range.
    /// - Parameter room: the most bytes that the values may take.
    func json(named name: String, room: Int = .max) -> JSONValue {
        var room = room
        let values = samples.sorted(by: Self.isBefore).map(\.json).filter { value in
            room -= value.text().utf8.count
            return room >= 0
        }
        let kinds = [(numbers, "number"), (texts, "string"), (bools, "boolean")]
            .filter { $0.0 > 0 }
        var object: JSONObject = [
            "attribute": .string(name),
            "count": .integer(Int64(isFull ? Self.distinctLimit : seen.count)),
            "type": .string(kinds.count == 1 ? kinds[0].1 : "mixed"),
            "values": .array(values),
        ]
        if numbers > 0, minimum.isFinite, maximum.isFinite {
            object["min"] = JSONValue(canonical: minimum)
            object["max"] = JSONValue(canonical: maximum)
        }
        return .object(object)
    }

    private static func isBefore(_ a: AttributeValue, _ b: AttributeValue) -> Bool {
        switch (a.asNumber, b.asNumber) {
        case (let a?, let b?): a < b
        case (nil, nil): a.json.text() < b.json.text()
        case (let a, _): a != nil
        }
    }
}

extension AttributeValue {
    /// The value as JSON; numbers that JSON cannot express become texts.
    var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let number):
            number.isFinite ? JSONValue(canonical: number) : .string("\(number)")
        case .integer(let integer): .integer(integer)
        case .unsigned(let unsigned): .number(Double(unsigned))
        case .bool(let bool): .bool(bool)
        }
    }
}
