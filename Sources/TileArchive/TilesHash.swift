/// The `agg_tiles_hash` of an archive: MD5 over the numbers, as text, and the bytes of every tile in
/// key order.
package struct TilesHash: ~Copyable {
    private var digest = MD5()
    private var text: [UInt8] = []

    package init() {}

    package mutating func include(zoom: Int64, column: Int64, row: Int64, _ bytes: Span<UInt8>) {
        text.removeAll(keepingCapacity: true)
        append(zoom)
        append(column)
        append(row)
        let text = text
        digest.update(text.span)
        digest.update(bytes)
    }

    package consuming func finish() -> String { digest.finish() }

    private mutating func append(_ number: Int64) {
        if number < 0 { text.append(UInt8(ascii: "-")) }
        let start = text.count
        var rest = number.magnitude
        repeat {
            text.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        text[start...].reverse()
    }
}
