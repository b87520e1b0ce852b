import MessageTiles
import TestSupport
import VectorTile

extension Tile {
    /// Some layers of any kind of feature and value, version and extent.
    static func random(using random: inout SeededRandom) -> Tile {
        Tile(
            layers: (0..<Int.random(in: 0...3, using: &random)).map { number in
                Layer(
                    name: "layer \(number)", version: .random(in: 1...2, using: &random),
                    extent: 1 << UInt32.random(in: 0...31, using: &random),
                    features: (0..<Int.random(in: 0...40, using: &random)).map { _ in
                        .random(using: &random)
                    })
            })
    }
}

extension Tile.Feature {
    static func random(using random: inout SeededRandom) -> Self {
        let keys = ["name", "kind", "", "Größe", "nul\0key", "n"].shuffled(using: &random)
        let tags = keys.prefix(.random(in: 0...keys.count, using: &random)).map {
            Tile.Tag($0, .random(using: &random))
        }
        let id = Bool.random(using: &random) ? nil : random.next() >> (random.next() % 64)
        return Self(id: id, .random(using: &random), tags: tags)
    }
}

extension TileValue {
    static func random(using random: inout SeededRandom) -> Self {
        let bits = random.next() >> (random.next() % 64)
        return switch Int.random(in: 0...7, using: &random) {
        case 0: .string(String(repeating: "é\0", count: Int(bits % 7)))
        case 1: .string("value \(bits % 100)")
        case 2: .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 3: .double(Double(bitPattern: bits))
        case 4: .int(Int64(bitPattern: bits))
        case 5: .uint(bits)
        case 6: .sint(Int64(bitPattern: bits))
        default: .bool(bits & 1 == 0)
        }
    }
}

extension TileGeometry {
    static func random(using random: inout SeededRandom) -> Self {
        func positions(_ counts: ClosedRange<Int>) -> [TilePoint] {
            (0..<Int.random(in: counts, using: &random)).map { _ in
                TilePoint(
                    x: .random(in: -5000...5000, using: &random),
                    y: .random(in: -(1 << 29)...1 << 29, using: &random))
            }
        }
        let parts = Int.random(in: 1...3, using: &random)
        return switch Int.random(in: 0...3, using: &random) {
        case 0: .unknown([9, 50, 34])
        case 1: .points(positions(1...5))
        case 2: .lines((0..<parts).map { _ in positions(2...9) })
        default: .rings((0..<parts).map { _ in positions(3...9) })
        }
    }
}
