import Geometry
import Points

/// A value that files of a job hold.
protocol BlockValue {
    func write(to sink: inout BlockSink)
    init(from source: inout BlockSource) throws(BlockSource.Damaged)
}

/// A value of several parts, which are written one after another.
protocol BlockRecord: BlockValue {
    static var layout: BlockLayout<Self> { get }
}

/// The parts of a record, and how it is made of them.
struct BlockLayout<Record> {
    fileprivate let write: (Record, inout BlockSink) -> Void
    fileprivate let read: (inout BlockSource) throws(BlockSource.Damaged) -> Record

    /// - Parameters:
    ///   - make: makes a record of the parts, in their order.
    ///   - isValid: whether a file may have such a record.
    init<each Part: BlockValue>(
        _ make: @escaping (repeat each Part) -> Record, _ parts: repeat KeyPath<Record, each Part>,
        where isValid: @escaping (Record) -> Bool = { _ in true }
    ) {
        write = { record, sink in
            for part in repeat each parts { record[keyPath: part].write(to: &sink) }
        }
        read = { (source) throws(BlockSource.Damaged) in
            let record = make(repeat try (each Part)(from: &source))
            guard isValid(record) else { throw BlockSource.Damaged() }
            return record
        }
    }
}

extension BlockRecord {
    func write(to sink: inout BlockSink) { Self.layout.write(self, &sink) }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        self = try Self.layout.read(&source)
    }
}

extension BlockSink {
    mutating func write<each Value: BlockValue>(_ values: repeat each Value) {
        for value in repeat each values { value.write(to: &self) }
    }
}

extension BlockSource {
    mutating func values<each Value: BlockValue>() throws(Damaged) -> (repeat each Value) {
        (repeat try (each Value)(from: &self))
    }
}

extension BlockValue where Self: FixedWidthInteger {
    func write(to sink: inout BlockSink) { sink.write(Int(truncatingIfNeeded: self)) }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        guard let number = Self(exactly: try source.int()) else { throw BlockSource.Damaged() }
        self = number
    }
}

extension Int: BlockValue {}
extension Int32: BlockValue {}
extension Int64: BlockValue {}
extension UInt32: BlockValue {}

extension UInt64: BlockValue {
    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        self = try source.unsigned()
    }
}

extension UInt8: BlockValue {
    func write(to sink: inout BlockSink) { sink.write(byte: self) }
    init(from source: inout BlockSource) throws(BlockSource.Damaged) { self = try source.byte() }
}

extension Double: BlockValue {
    func write(to sink: inout BlockSink) { sink.write(self) }
    init(from source: inout BlockSource) throws(BlockSource.Damaged) { self = try source.double() }
}

extension String: BlockValue {
    func write(to sink: inout BlockSink) { sink.write(self) }
    init(from source: inout BlockSource) throws(BlockSource.Damaged) { self = try source.text() }
}

extension BlockValue where Self: RawRepresentable, RawValue: BlockValue {
    func write(to sink: inout BlockSink) { rawValue.write(to: &sink) }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        guard let value = Self(rawValue: try RawValue(from: &source)) else {
            throw BlockSource.Damaged()
        }
        self = value
    }
}

extension Array: BlockValue where Element: BlockValue {
    func write(to sink: inout BlockSink) { sink.write(self) { $1.write(to: &$0) } }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        self = try source.array { (source) throws(BlockSource.Damaged) in
            try Element(from: &source)
        }
    }
}

extension Optional: BlockValue where Wrapped: BlockValue {
    func write(to sink: inout BlockSink) { (map { [$0] } ?? []).write(to: &sink) }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        self = try [Wrapped](from: &source).first
    }
}

extension Dictionary: BlockValue where Key: BlockValue, Value: BlockValue {
    /// Writes entries in an order that is the same in each run.
    func write(to sink: inout BlockSink) {
        let entries = map { key, value in
            var sink = BlockSink()
            sink.write(key, value)
            return sink.bytes
        }
        sink.write(entries.sorted { $0.lexicographicallyPrecedes($1) }) { $0.append($1) }
    }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        let entries = try source.array { (source) throws(BlockSource.Damaged) in
            (try Key(from: &source), try Value(from: &source))
        }
        self.init(entries) { $1 }
    }
}

extension Set: BlockValue where Element: BlockValue & Comparable {
    func write(to sink: inout BlockSink) { sorted().write(to: &sink) }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        self.init(try [Element](from: &source))
    }
}

/// Ranges are of numbers from 0 on.
extension Range: BlockValue where Bound: BlockValue & FixedWidthInteger {
    func write(to sink: inout BlockSink) { sink.write(lowerBound, upperBound) }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        let (start, end): (Bound, Bound) = try source.values()
        guard 0 <= start, start <= end else { throw BlockSource.Damaged() }
        self = start..<end
    }
}

extension TileID: BlockValue {
    func write(to sink: inout BlockSink) { sink.write(z, x, y) }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        let (zoom, x, y): (UInt8, Int, Int) = try source.values()
        guard let tile = TileID(zoom: Int(zoom), column: x, row: y) else {
            throw BlockSource.Damaged()
        }
        self = tile
    }
}

extension AttributeValue: BlockValue {}
