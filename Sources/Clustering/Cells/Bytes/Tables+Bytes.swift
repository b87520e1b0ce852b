import Geometry
import Points

extension AttributeTable {
    /// Writes the records, and the names for which the numbers of their keys stand.
    func write(to sink: inout ByteSink) {
        let names = keys.names
        var used: [UInt32: Int] = [:]
        var usedNames: [String] = []
        var records = ByteSink()
        for row in 0..<count {
            var record: [UInt8] = []
            var cursor = self[row].makeCursor()
            while let attribute = cursor.next() {
                let number = attribute.key.number
                let index = used[number] ?? usedNames.count
                if index == usedNames.count {
                    used[number] = index
                    usedNames.append(names[Int(number)])
                }
                PackedBytes.append(varint: UInt64(index), to: &record)
                for byte in attribute.value.bytes.indices {
                    record.append(attribute.value.bytes[byte])
                }
            }
            records.write(record)
        }
        sink.write(usedNames) { $0.write($1) }
        sink.write(count)
        sink.write(records.bytes)
    }

    /// Reads records and gives their attributes the keys that their names have in this program.
    init(from source: inout ByteSource, keys: AttributeKeys) throws(CellBytesError) {
        self.init(keys: keys)
        let interned = try source.array { source throws(CellBytesError) in
            keys.intern(try source.text())
        }
        let count = try source.int()
        var records = ByteSource(try source.raw())
        for _ in 0..<count {
            let record = try records.raw()
            var packed = RecordBuilder()
            var cursor = AttributeRecord(record.span).makeCursor()
            while let attribute = cursor.next() {
                guard Int(attribute.key.number) < interned.count else { throw source.fail() }
                packed.append(interned[Int(attribute.key.number)], packed: attribute.value)
            }
            append(packed.bytes, ends: [UInt32(packed.byteCount)].span)
        }
        guard records.isAtEnd else { throw source.fail() }
    }
}

extension PointTable {
    func write(to sink: inout ByteSink) {
        sink.write(xs)
        sink.write(ys)
        for row in 0..<count { sink.write(weights?[row] ?? 1) }
        for row in 0..<count { sink.write(fixed: ids?[row] ?? Self.noID) }
        attributes.write(to: &sink)
    }

    init(from source: inout ByteSource, keys: AttributeKeys) throws(CellBytesError) {
        self.init(keys: keys)
        let xs = try source.doubleColumn()
        let ys = try source.doubleColumn()
        guard xs.count == ys.count else { throw source.fail() }
        var weights: [Double] = []
        var ids: [UInt64] = []
        for _ in 0..<xs.count { weights.append(try source.double()) }
        for _ in 0..<xs.count { ids.append(try source.fixed()) }
        let attributes = try AttributeTable(from: &source, keys: keys)
        guard attributes.count == xs.count else { throw source.fail() }
        var batch = PointBatch()
        for row in 0..<xs.count {
            var cursor = attributes[row].makeCursor()
            while let attribute = cursor.next() {
                batch.records.append(attribute.key, packed: attribute.value)
            }
            batch.append(WorldPoint(x: xs[row], y: ys[row]), weight: weights[row], id: ids[row])
        }
        append(batch)
    }
}

extension HandedUpNodes {
    func write(to sink: inout ByteSink) {
        points.write(to: &sink)
        sink.write(clusters) { sink, cluster in
            for number in [cluster.row, cluster.points, cluster.sites, cluster.clusters] {
                sink.write(Int(number))
            }
            sink.write(Int(cluster.zoom))
            for number in [cluster.x, cluster.y, cluster.weight] { sink.write(number) }
            sink.write(cluster.states) { sink, state in
                sink.write(state != nil)
                state?.write(to: &sink)
            }
        }
        sink.write(visits.count)
        for index in 0..<visits.count { sink.write(visits[index]) }
    }

    init(from source: inout ByteSource, keys: AttributeKeys) throws(CellBytesError) {
        points = try PointTable(from: &source, keys: keys)
        clusters = try source.array { source throws(CellBytesError) in
            let row = try source.uint32()
            let points = try source.uint32()
            let sites = try source.uint32()
            let clusters = try source.uint32()
            guard let zoom = UInt8(exactly: try source.int()) else { throw source.fail() }
            return HandedUpCluster(
                row: row, x: try source.double(), y: try source.double(), zoom: zoom,
                points: points, weight: try source.double(), sites: sites, clusters: clusters,
                states: try source.array { source throws(CellBytesError) in
                    try source.bool() ? try PartialState(from: &source) : nil
                })
        }
        for _ in 0..<(try source.count()) { visits.append(try source.raw()) }
        let count = points.count
        guard clusters.allSatisfy({ Int($0.row) < count }), [0, count].contains(visits.count) else {
            throw source.fail()
        }
    }
}
