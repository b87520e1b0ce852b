import Compression

extension ArrowBatch {
    /// The limit of a batch's decompressed buffers: this, or a multiple of its bytes if that is more.
    private static let leastLimit = 1 << 28
    private static let growthLimit = 64

    /// Converts columns to Arrow's plain layout: decompressed, and with values instead of dictionary indexes.
    func columns(
        _ wanted: [Int], of schema: ArrowSchema, _ body: [UInt8],
        _ dictionaries: [Int64: ArrowDictionary]
    ) throws(ArrowFault) -> ArrowRows.Columns {
        let places = try places(of: schema.nodes)
        var strip = ArrowStrip(self, places, body)
        for index in wanted {
            let column = schema.columns[index]
            if let dictionary = column.dictionary {
                guard let values = dictionaries[dictionary.id] else {
                    throw .noDictionary(column: column.field.name)
                }
                try strip.look(up: column, dictionary, in: values)
            } else if schema.nodes[column.node].isView {
                try strip.addViews(column)
            } else {
                try strip.addPlain(column)
            }
        }
        return strip.finish()
    }

    /// A batch's columns while they are assembled, after the bytes of its body.
    private struct ArrowStrip: ~Copyable {
        private let batch: ArrowBatch
        private let places: [(first: Int, views: Int)]
        private let bodySize: Int
        private let sizeLimit: Int
        private var strip = StripBytes()

        init(_ batch: ArrowBatch, _ places: [(first: Int, views: Int)], _ body: [UInt8]) {
            self.batch = batch
            self.places = places
            bodySize = body.count
            sizeLimit = max(ArrowBatch.leastLimit, ArrowBatch.growthLimit * body.count)
            strip.begin(rowCount: batch.rowCount, behind: body)
        }

        consuming func finish() -> ArrowRows.Columns {
            ArrowRows.Columns(bytes: strip.bytes, columns: strip.columns)
        }

        /// The range of a buffer in the bytes, which is decompressed if necessary.
        private mutating func buffer(
            _ index: Int, of name: String, atLeast size: Int
        ) throws(ArrowFault) -> Range<Int> {
            let (offset, length) = batch.buffers[index]
            guard offset >= 0, length >= 0, offset <= bodySize, length <= bodySize - offset else {
                throw .columnTooShort(name)
            }
            var range = offset..<offset + length
            if let codec = batch.codec, length > 0 { range = try unpack(range, codec, name) }
            guard range.count >= size else { throw .columnTooShort(name) }
            return range
        }

        /// Compressed bytes have their decompressed size in front, or −1 if they are not compressed.
        private mutating func unpack(
            _ range: Range<Int>, _ codec: BlockCodec, _ name: String
        ) throws(ArrowFault) -> Range<Int> {
            guard range.count >= 8 else { throw .columnTooShort(name) }
            let size = (0..<8).reduce(UInt64(0)) {
                $0 | UInt64(strip.bytes[range.lowerBound + $1]) << UInt64(8 * $1)
            }
            let packed = range.lowerBound + 8..<range.upperBound
            if size == .max { return packed }
            guard size <= sizeLimit - (strip.bytes.count - bodySize) else {
                throw .messageTooLarge(bytes: Int(clamping: size))
            }
            // A function call, so that no copy of the bytes is retained when more are appended.
            let bytes = try unpacked(packed, codec, size: Int(size), name)
            return strip.append(bytes)
        }

        private mutating func unpacked(
            _ packed: Range<Int>, _ codec: BlockCodec, size: Int, _ name: String
        ) throws(ArrowFault) -> [UInt8] {
            let bytes = strip.bytes
            do {
                return try strip.decompressor.decompress(
                    bytes.span.extracting(packed), codec, size: size)
            } catch {
                throw .damaged(column: name, problem: error.description)
            }
        }

        private func bitBytes(_ rows: Int) -> Int { rows / 8 + (rows % 8 == 0 ? 0 : 1) }

        /// Begins a column with what all kinds have: its row count and its validity.
        private mutating func begin(
            _ column: ArrowSchema.Column
        ) throws(ArrowFault) -> ColumnBatch.Column {
            let name = column.field.name
            var found = ColumnBatch.Column()
            let (rows, overflow) = batch.rowCount.multipliedReportingOverflow(by: column.perRow)
            guard !overflow, rows < 1 << 31, batch.nodes[column.node].rows == rows else {
                throw .columnTooShort(name)
            }
            if batch.nodes[column.node].nulls != 0, column.perRow == 1 {
                found.validity = try buffer(
                    places[column.node].first, of: name, atLeast: bitBytes(rows))
            }
            for outer in column.outer {
                guard batch.nodes[outer].rows == batch.rowCount else {
                    throw .columnTooShort(name)
                }
                if batch.nodes[outer].nulls != 0 {
                    found.outer.append(
                        try buffer(
                            places[outer].first, of: name, atLeast: bitBytes(batch.rowCount)))
                }
            }
            return found
        }

        mutating func addPlain(_ column: ArrowSchema.Column) throws(ArrowFault) {
            var found = try begin(column)
            let (first, name) = (places[column.node].first, column.field.name)
            let rows = batch.rowCount * column.perRow
            switch column.field.kind {
            case .text(let isLarge), .binary(let isLarge):
                let places = rows == 0 ? 0 : (rows + 1) * (isLarge ? 8 : 4)
                found.offsets = try buffer(first + 1, of: name, atLeast: places)
                found.values = try buffer(first + 2, of: name, atLeast: 0)
            case .bool:
                found.values = try buffer(first + 1, of: name, atLeast: bitBytes(rows))
            case let kind:
                found.values = try buffer(first + 1, of: name, atLeast: rows * (kind.size ?? 0))
            }
            strip.append(found)
        }

        mutating func look(
            up column: ArrowSchema.Column, _ dictionary: ArrowSchema.Dictionary,
            in values: ArrowDictionary
        ) throws(ArrowFault) {
            try number(column, dictionary, of: values)
            try gather(values.values, column)
        }

        private mutating func number(
            _ column: ArrowSchema.Column, _ dictionary: ArrowSchema.Dictionary,
            of values: ArrowDictionary
        ) throws(ArrowFault) {
            let found = try begin(column)
            let (name, size) = (column.field.name, dictionary.indexBytes)
            let indexes = try buffer(
                places[column.node].first + 1, of: name, atLeast: batch.rowCount * size)
            let bytes = strip.bytes
            try number(found) { row throws(ArrowFault) in
                var index: UInt64 = 0
                for place in (0..<size).reversed() {
                    index = index << 8 | UInt64(bytes[indexes.lowerBound + row * size + place])
                }
                guard index < values.isMissing.count else {
                    throw .damaged(column: name, problem: ColumnFault.badIndex.description)
                }
                return values.isMissing[Int(index)] ? StripBytes.noValue : UInt32(index)
            }
        }

        /// Stores the number of each row's value, or `noValue`.
        private mutating func number(
            _ column: ColumnBatch.Column,
            _ number: (_ row: Int) throws(ArrowFault) -> UInt32
        ) throws(ArrowFault) {
            strip.numbers.removeAll(keepingCapacity: true)
            for row in 0..<batch.rowCount {
                strip.numbers.append(isNull(column, row) ? StripBytes.noValue : try number(row))
            }
        }

        private func isNull(_ column: ColumnBatch.Column, _ row: Int) -> Bool {
            func isUnset(_ bits: Range<Int>) -> Bool {
                strip.bytes[bits.lowerBound + row / 8] >> UInt8(row % 8) & 1 == 0
            }
            return column.validity.map(isUnset) ?? false || column.outer.contains(where: isUnset)
        }

        private mutating func gather(
            _ values: ColumnValues, _ column: ArrowSchema.Column
        ) throws(ArrowFault) {
            do throws(ColumnFault) {
                var target = strip.beginColumn(of: column.field.kind)
                strip.clearValidity(of: &target)
                try strip.gather(values, to: target)
                strip.endColumn(target)
            } catch {
                throw .damaged(column: column.field.name, problem: error.description)
            }
        }

        /// A view is a length and, for 12 bytes at most, the text itself; otherwise its first four
        /// bytes, a buffer's number and its offset in that buffer.
        mutating func addViews(_ column: ArrowSchema.Column) throws(ArrowFault) {
            try gather(views(column), column)
        }

        private mutating func views(
            _ column: ArrowSchema.Column
        ) throws(ArrowFault) -> ColumnValues {
            let found = try begin(column)
            let (name, place) = (column.field.name, places[column.node])
            let views = try buffer(place.first + 1, of: name, atLeast: batch.rowCount * 16)
            var buffers: [Range<Int>] = []
            for index in 0..<place.views {
                buffers.append(try buffer(place.first + 2 + index, of: name, atLeast: 0))
            }
            var texts: [UInt8] = []
            var starts: [UInt32] = [0]
            let bytes = strip.bytes
            try number(found) { row throws(ArrowFault) in
                let view = views.lowerBound + 16 * row
                func word(_ place: Int) -> Int { bytes.span.number(view + 4 * place, 4) }
                let length = word(0)
                var text = view + 4..<view + 4 + min(length, 12)
                if length > 12 {
                    guard word(2) < buffers.count, word(3) <= buffers[word(2)].count,
                        length <= buffers[word(2)].count - word(3)
                    else { throw .columnTooShort(name) }
                    let first = buffers[word(2)].lowerBound + word(3)
                    text = first..<first + length
                }
                guard texts.count <= StripBytes.textLimit - length else {
                    throw .messageTooLarge(bytes: texts.count + length)
                }
                texts += bytes[text]
                starts.append(UInt32(texts.count))
                return UInt32(starts.count - 2)
            }
            return ColumnValues(
                count: batch.rowCount, bytes: texts, layout: .texts(starts: starts, gap: 0))
        }
    }
}
