// Feeds bytes to everything that reads a tile. Nothing may crash, and what one part of the codec
// says must agree with what the others say.

import MessageTiles
import VectorTile

/// Small enough that no input is slow for its size alone.
private func limits() -> TileLimits {
    var limits = TileLimits()
    limits.bytes = 1 << 16
    limits.memory = 1 << 24
    return limits
}

/// Reads each feature to the last of its tags and places.
private func readAll(_ bytes: Span<UInt8>) throws(TileError) {
    var tile = try TileReader(bytes, limits: limits())
    while let layer = try tile.nextLayer() {
        for place in 0..<layer.valueCount { _ = layer.value(at: place).value }
        for place in 0..<layer.keyCount { _ = layer.key(at: place) }
        var features = layer.features()
        while let feature = try features.next() {
            let point = feature.point
            var tags = feature.tags()
            while let tag = try tags.next() {
                precondition(tag.key < layer.keyCount && tag.value < layer.valueCount)
            }
            guard let geometry = try? feature.geometry() else {
                precondition(point == nil, "a point's geometry can be read")
                continue
            }
            if let point { precondition(geometry == .points([point])) }
        }
    }
}

/// Writes a tile again.
private func rewrite(_ tile: Tile) -> [UInt8] {
    var builder = TileBuilder()
    builder.append(tile)
    return builder.copyBytes()
}

private func check(_ bytes: Span<UInt8>) {
    var validator = TileValidator(limits: limits())
    let findings = try? validator.findings(in: bytes)
    do throws(TileError) {
        try readAll(bytes)
        let tile = try Tile(bytes, limits: limits())
        precondition(findings?.contains { $0.severity == .fatal } == false)
        let rewritten = rewrite(tile)
        guard let again = try? Tile(rewritten.span), again == tile else {
            fatalError("a tile that is written again is another")
        }
    } catch {
        guard case .broken(let rule, _) = error else {
            // No input is large enough to be refused by protobuf-c for another reason than that it
            // takes for broken what the reader took for sound.
            if case .tooLarge(.memory, _, _) = error { fatalError("the readers disagree") }
            return
        }
        precondition(rule.severity == .fatal, "a recoverable fault ends no tile")
        precondition(findings?.last?.rule == rule)
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVectorTile(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(UnsafeBufferPointer(start: start, count: count).span)
    return 0
}
