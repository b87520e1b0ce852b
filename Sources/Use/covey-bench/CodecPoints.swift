import Basics
import VectorTile

/// Points with three attributes, packed as in the pipeline: a unique text, one of twelve texts, and
/// a number up to 50,000.
struct CodecPoints {
    static let keys = ["name", "kind", "population"]
    static let layer = "places"

    let count: Int
    private var bytes: [UInt8] = []
    /// The start of each of a point's three values; the last entry is the end of the bytes.
    private var starts: [Int] = [0]

    init(count: Int) {
        self.count = count
        for number in 0..<count {
            append(text: "place number \(number)")
            append(text: "kind \(number * 7 % 12)")
            append(number: number * 7919 % 50_000)
        }
    }

    private mutating func append(text: String) {
        bytes += [0x0A, UInt8(text.utf8.count)] + Array(text.utf8)
        starts.append(bytes.count)
    }

    private mutating func append(number: Int) {
        bytes.append(0x28)
        Varint.append(UInt64(number), to: &bytes)
        starts.append(bytes.count)
    }

    /// Writes some of the points as a layer.
    func write(_ rows: Range<Int>, to builder: inout TileBuilder) {
        let values = bytes.span
        builder.beginLayer(Self.layer)
        for row in rows {
            let place = UInt32(truncatingIfNeeded: row &* 2_654_435_761)
            builder.beginPoint(
                id: UInt64(row), x: Int32(place & 4095), y: Int32(place >> 12 & 4095))
            for key in 0..<3 {
                let value = values.extracting(starts[3 * row + key]..<starts[3 * row + key + 1])
                builder.addTag(TileKey(number: UInt32(key)), packed: value)
            }
            builder.endFeature()
        }
        builder.endLayer()
    }
}
