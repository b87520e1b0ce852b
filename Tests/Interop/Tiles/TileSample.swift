import TestSupport
import VectorTile

/// A random tile that any reader should take: each key has one type of value, ids are unique.
struct TileSample {
    struct Feature {
        var id: UInt64?
        var geometry: TileGeometry
        var tags: [(key: String, value: TileValue)]
    }

    private var layers: [(name: String, extent: UInt32, features: [Feature])] = []

    init(number: Int, using random: inout SeededRandom) {
        for layer in 0..<Int.random(in: 1...3, using: &random) {
            let count = Int.random(in: 1...30, using: &random)
            let features = (0..<count).map { place in
                let id = number % 3 == 0 ? nil : UInt64(place) << 20 + 7
                return Feature(id: id, using: &random)
            }
            layers.append((["points", "Straßen", "a/b"][layer], 1024 << UInt32(layer), features))
        }
    }

    /// Writes the tile by the calls that the pipeline makes.
    func write(to builder: inout TileBuilder) {
        for layer in layers {
            builder.beginLayer(layer.name, extent: layer.extent)
            for feature in layer.features {
                if case .points(let points) = feature.geometry, points.count == 1 {
                    builder.beginPoint(id: feature.id, x: points[0].x, y: points[0].y)
                } else {
                    builder.beginFeature(id: feature.id, feature.geometry)
                }
                for tag in feature.tags { builder.addTag(builder.key(tag.key), tag.value) }
                builder.endFeature()
            }
            builder.endLayer()
        }
    }

    /// What the tile holds, as JSON.
    var json: [String: Any] {
        [
            "layers": layers.map { layer in
                [
                    "name": layer.name, "extent": Int(layer.extent), "version": 2,
                    "features": layer.features.map(\.json),
                ] as [String: Any]
            }
        ]
    }
}

extension TileSample.Feature {
    fileprivate init(id: UInt64?, using random: inout SeededRandom) {
        self.id = id
        let bits = random.next() >> (random.next() % 64)
        let values: [(key: String, value: TileValue)] = [
            ("name", .string("Ort \(bits % 50) – “ñ”")), ("empty", .string("")),
            ("float", .float(Float(bits % 1000) / 8)), ("double", .double(Double(bits) / 3)),
            ("int", .int(-Int64(bits >> 12))), ("uint", .uint(bits >> 12)),
            ("sint", .sint(Int64(bits >> 12) - 1 << 40)), ("Größe", .bool(bits & 1 == 1)),
        ]
        tags = values.filter { _ in Bool.random(using: &random) }
        geometry = .sample(using: &random)
    }

    fileprivate var json: [String: Any] {
        var fields: [String: Any] = [
            "properties": Dictionary(uniqueKeysWithValues: tags.map { ($0.key, $0.value.json) }),
            "type": "\(geometry.type)", "parts": geometry.parts,
        ]
        fields["id"] = id.map { Int($0) }
        return fields
    }
}

extension TileGeometry {
    fileprivate static func sample(using random: inout SeededRandom) -> Self {
        func places(_ counts: ClosedRange<Int>) -> [TilePoint] {
            (0..<Int.random(in: counts, using: &random)).map { place in
                TilePoint(x: Int32(place) * 50 - 64, y: .random(in: -64...1088, using: &random))
            }
        }
        switch Int.random(in: 0...5, using: &random) {
        case 0: return .points(places(2...5))
        case 1: return .lines([places(2...6)])
        case 2: return .lines([places(2...6), places(2...6)])
        case 3:
            let corner = Int32.random(in: 0...500, using: &random)
            let outer = box(corner, corner + 100)
            return .rings([outer, Array(box(corner + 10, corner + 20).reversed())])
        default: return .points(places(1...1))
        }
    }

    private static func box(_ low: Int32, _ high: Int32) -> [TilePoint] {
        [(low, low), (high, low), (high, high), (low, high)].map { TilePoint(x: $0, y: $1) }
    }

    fileprivate var parts: [[[Int]]] {
        func pairs(_ points: [TilePoint]) -> [[Int]] { points.map { [Int($0.x), Int($0.y)] } }
        return switch self {
        case .points(let points): [pairs(points)]
        case .lines(let lines): lines.map(pairs)
        case .rings(let rings): rings.map(pairs)
        case .unknown: []
        }
    }
}

extension TileValue {
    fileprivate var json: Any {
        switch self {
        case .string(let text): text
        case .float(let number): Double(number)
        case .double(let number): number
        case .int(let integer), .sint(let integer): integer
        case .uint(let integer): integer
        case .bool(let bool): bool
        }
    }
}
