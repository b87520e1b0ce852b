import ArchiveContract
import JSON
import MessageTiles
import Testing
import VectorTile

@testable import Inspection

/// What a deep look says of one cluster whose attributes are others, and how far each may be off.
struct AttributeFaultTests {
    private typealias Feature = MessageTiles.Tile.Feature

    /// What is said of the first cluster of a kind that `body` takes and changes.
    private static func faults(
        _ kind: ArchiveKind, _ body: (inout Feature) -> Bool
    ) throws -> [String] {
        let built = try BuiltArchive(kind)
        try built.changeFeature { feature, _ in feature.isCluster && body(&feature) }
        let found = try built.findings(deep: true).filter { $0.code == "attributes" }
        #expect(found.allSatisfy { $0.severity == .error && $0.count == $0.locations.count })
        return found.flatMap(\.locations).map { place in
            place.split(separator: ": ", maxSplits: 2).last.map(String.init) ?? place
        }
    }

    private static func set(
        _ name: String, _ value: TileValue?, of kind: ArchiveKind = .single
    ) throws -> [String] {
        try faults(kind) { feature in
            guard kind == .single || feature[name] != nil else { return false }
            feature[name] = value
            return true
        }
    }

    private static func words(_ value: TileValue?) -> String {
        switch value {
        case .string(let text)?: "\"\(text)\""
        case .uint(let number)?: "\(number)"
        case .double(let number)?: "\(number)"
        default: "none"
        }
    }

    @Test(arguments: [
        ("total", TileValue.uint(1), "1"), ("mean", .double(0.125), "0.125"),
        ("common", .string("pub"), "\"pub\""), ("kinds:bar", .uint(77), "77"),
        ("low", .uint(99), "99"), ("total", .bool(true), "true"), ("total", .int(-3), "-3"),
    ])
    func `an aggregate is told with what its points come to`(
        name: String, value: TileValue, words: String
    ) throws {
        var original: TileValue?
        let faults = try Self.faults(.single) { feature in
            original = feature[name]
            guard original != nil else { return false }
            feature[name] = value
            return true
        }
        #expect(faults == ["\(name) is \(words), not \(Self.words(original))"])
    }

    @Test func `a number may be stored otherwise, as long as it is the same`() throws {
        let faults = try Self.faults(.single) { feature in
            guard case .uint(let total)? = feature["total"] else { return false }
            feature["total"] = .double(Double(total))
            return true
        }
        #expect(faults == [])
    }

    @Test(
        arguments: [
            ("name", TileValue.string("no one"), "name is that of none of its points"),
            ("other", .uint(1), "other is nothing that was asked for"),
            ("bbox", .string("[0,0,1,1]"), "bbox is [0,0,1,1], not that of its points"),
            ("bbox", .string("[0,0,1]"), "bbox is no box"),
            ("bbox", .string("x"), "bbox is no box"),
            ("bbox", .bool(true), "bbox is no box"),
            ("sqrt_point_count", .string("x"), "sqrt_point_count is not the root of its count"),
            ("unique_location", .bool(true), "unique_location is set, but its points lie apart"),
            ("bbox", nil, "bbox is missing"),
            ("sqrt_point_count", nil, "sqrt_point_count is missing"),
            ("point_weight", nil, "point_weight is missing"),
        ] as [(String, TileValue?, String)])
    func `what is not an aggregate is told by its own words`(
        name: String, value: TileValue?, words: String
    ) throws {
        #expect(try Self.set(name, value) == [words])
    }

    @Test func `aggregates that are missing are counted, and those of no point are told`() throws {
        var count = 0
        let faults = try Self.faults(.single) { feature in
            count = feature.tags.count { tag in
                ["total", "mean", "common", "low"].contains(tag.key)
                    || tag.key.hasPrefix("kinds:") || tag.key.hasPrefix("kind=")
                    || tag.key.hasPrefix("n=") || tag.key.contains("*")
            }
            feature["mean"] = nil
            return true
        }
        let text = try #require(faults.first)
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        #expect(faults.count == 1 && text.hasSuffix(" aggregates") && numbers.count == 2)
        #expect(numbers[0] + 1 == numbers[1] && numbers[1] >= count && count > 4)
    }

    /// Two decimals are written of a root.
    @Test(arguments: [(0.005, true), (-0.005, true), (0.0102, false), (-0.0102, false)])
    func `a root may be off by what its decimals leave out`(by: Double, isRight: Bool) throws {
        let faults = try Self.faults(.single) { feature in
            guard case .uint(let count)? = feature["point_count"] else { return false }
            feature["sqrt_point_count"] = .double(Double(count).squareRoot() + by)
            return true
        }
        #expect(faults.isEmpty == isRight)
    }

    @Test(arguments: 0..<4)
    func `an edge of a box may be off by the last of seven decimals, and not by ten of it`(
        edge: Int
    ) throws {
        // Points are kept to half of that.
        for (by, isRight) in [(edge % 2 == 0 ? 1e-7 : -1e-7, true), (1e-6, false)] {
            let faults = try Self.faults(.single) { feature in
                guard case .string(let text)? = feature["bbox"],
                    var edges = (try? JSONValue(parsing: text))?.asArray?.compactMap(\.asNumber)
                else { return false }
                edges[edge] += by
                let turned = JSONValue.array(edges.map { .number($0) })
                feature["bbox"] = .string(turned.text())
                return true
            }
            #expect(faults.isEmpty == isRight, "\(by)")
        }
    }

    @Test func `a weight is that of its points to a billionth of all weights`() throws {
        for (by, isRight) in [(4e-7, true), (6e-7, false), (-6e-7, false)] {
            var weight = 0.0
            let faults = try Self.faults(.single) { feature in
                guard case .uint(let number)? = feature["point_weight"] else { return false }
                weight = Double(number)
                feature["point_weight"] = .double(weight + by)
                return true
            }
            #expect(faults == (isRight ? [] : ["point_weight is \(weight + by), not \(weight)"]))
        }
    }

    @Test(arguments: [
        (ArchiveKind.wrapped, "parent"), (.spread, "parent_dx"), (.rules, "parent_dy"),
    ])
    func `what a cluster says of the one that it goes into is told where it is not so`(
        kind: ArchiveKind, name: String
    ) throws {
        let words = "\(name) is not that of the cluster that it goes into"
        for by in [-2, 2] as [Int64] {
            let faults = try Self.faults(kind) { feature in
                switch feature[name] {
                case .uint(let number)?: feature[name] = .int(Int64(number) + by)
                case .int(let number)?, .sint(let number)?: feature[name] = .int(number + by)
                default: return false
                }
                return true
            }
            #expect(faults == [words])
        }
        #expect(try Self.set(name, nil, of: kind) == ["\(name) is missing"])
        #expect(try Self.set(name, .string("x"), of: kind) == [words])
        // One that stands for itself says nothing of another.
        let alone = try Self.faults(kind) { feature in
            guard feature["parent"] == nil else { return false }
            feature[name] = .uint(0)
            return true
        }
        #expect(alone == ["\(name) is set, but it goes into no cluster"])
    }
}
