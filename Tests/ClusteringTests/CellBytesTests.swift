import Clustering
import Expressions
import Geometry
import JSON
import Points
import TestSupport
import Testing

/// That what a cell found can be written down, and is refused once it was changed.
struct CellBytesTests {
    @Test(arguments: 0..<6)
    func `pieces that were written and read make the same tree`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<max(2, ReferenceTests.cases / 120) {
            let points = CellTests.spread(
                Int.random(in: 0...300, using: &random), around: WorldPoint(x: 0.5, y: 0.5),
                side: 0.5, using: &random)
            let options = try CellTests.options(for: points, using: &random)
            let plan = CellPlan(cellZoom: 2, depth: 1, options: options)
            try CellTests.compare(points, options, plan) { piece in
                // Elsewhere attributes have other numbers.
                let keys = AttributeKeys()
                for name in ["a", "value", "b"] { _ = keys.intern(name) }
                guard let there = try? CellPiece(bytes: piece.bytes, keys: keys),
                    let back = try? CellPiece(bytes: there.bytes, keys: piece.keys)
                else {
                    Issue.record("a piece could not be read")
                    return piece
                }
                return back
            }
        }
    }

    /// Whatever states keep of attributes and of results comes back as it was, kind and all.
    @Test func `values of every kind come back`() throws {
        var random = SeededRandom(seed: 6)
        let values: [AttributeValue] = [
            .number(0.5), .integer(-3), .unsigned(.max), .bool(true), .bool(false), .text("a"),
        ]
        var points = CellTests.spread(
            80, around: WorldPoint(x: 0.5, y: 0.5), side: 0.02, using: &random)
        for index in points.indices {
            points[index].attributes.append(("any", values[index % 6]))
            points[index].attributes.append(("share", .number(0.5 + Double(index))))
            // The commonest of all that there are.
            points[index].attributes.append(("half", .number(0.5)))
        }
        var options = ClusterOptions(radius: 64, maxZoom: 6)
        options.aggregates = try [
            "m=mode:any", "d=distinct:any", "f=first:any", "t=top:any", "s=first:share",
            "h=mode:half",
        ].map { try Aggregate(parsing: $0) }
        let literal: JSONValue = ["k": [1, .null, true, "x", 0.5], "l": .object(JSONObject())]
        options.clusterProperties = [
            try ClusterProperty(
                name: "o",
                json: [["coalesce", ["accumulated"], ["get", "o"]], ["literal", literal]])
        ]
        let plan = CellPlan(cellZoom: 2, depth: 1, options: options)
        try CellTests.compare(points, options, plan) { piece in
            let keys = AttributeKeys()
            guard let there = try? CellPiece(bytes: piece.bytes, keys: keys),
                let back = try? CellPiece(bytes: there.bytes, keys: piece.keys)
            else {
                Issue.record("a piece could not be read")
                return piece
            }
            return back
        }
    }

    private static func piece(_ random: inout SeededRandom) throws -> [UInt8] {
        let points = CellTests.spread(
            60, around: WorldPoint(x: 0.5, y: 0.5), side: 0.5, using: &random)
        var options = ClusterOptions(radius: 64, maxZoom: 4)
        options.aggregates = try CellTests.aggregates.map { try Aggregate(parsing: $0) }
        let task = CellTask(
            cell: TileID(z: 0, x: 0, y: 0), cutZoom: 2, margin: 0, passLimit: 6)
        let piece = try CellPiece(
            of: Samples.table(points), task, options: options, threads: 1)
        return try #require(piece).bytes
    }

    @Test func `bytes that were changed or cut are refused`() throws {
        var random = SeededRandom(seed: 4)
        let bytes = try Self.piece(&random)
        #expect(try CellPiece(bytes: bytes, keys: AttributeKeys()).bytes == bytes)
        for _ in 0..<200 {
            var changed = bytes
            changed[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << (random.next() % 8)
            #expect(throws: CellBytesError.self) {
                try CellPiece(bytes: changed, keys: AttributeKeys())
            }
        }
        for count in [0, 1, 8, 9, bytes.count / 2, bytes.count - 1] {
            #expect(throws: CellBytesError.self) {
                try CellPiece(bytes: Array(bytes[..<count]), keys: AttributeKeys())
            }
        }
    }

    @Test func `bytes of another version are refused by its number`() throws {
        var random = SeededRandom(seed: 5)
        var bytes = try Self.piece(&random)
        // Behind the mark and its length.
        bytes[17] = 9
        #expect(throws: CellBytesError.otherVersion(9)) {
            try CellPiece(bytes: bytes, keys: AttributeKeys())
        }
    }
}
