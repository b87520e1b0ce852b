import Foundation
import Geometry
import JSON
import PointInput
import Points
import Recipes
import TestSupport
import Testing

@testable import Tileset

/// That points which are taken out of memory are those that were read, each once and with its number.
struct PointStoreTests {
    private let folder: URL
    private let recipe: Recipe

    init() throws {
        folder = try TemporaryFolder.make()
        recipe = try Recipe(
            reading: JSONNode([
                "layers": [
                    ["name": "a", "sources": ["a"], "generateId": true],
                    ["name": "b", "sources": ["b"]],
                ]
            ]))
    }

    private func store(
        _ keys: AttributeKeys, always: Bool = true, from most: Int = 0, rows: Int, bytes: Int
    ) throws -> PointStore {
        var options = BuildOptions()
        options.threads = 2
        return try PointStore(
            recipe, keys, options, always: always,
            makeFolder: { [path = folder.path] () throws(JobError) in try JobFolder(path) },
            mustTake: { points, _ in points > most }, runs: PointRuns(rows: rows, bytes: bytes))
    }

    /// Points, the number of each in its attribute.
    private func table(_ numbers: Range<Int>, _ keys: AttributeKeys) -> PointTable {
        var batch = PointBatch()
        let key = keys.intern("n")
        for number in numbers {
            batch.records.append(key, integer: Int64(number))
            batch.append(WorldPoint(x: Double(number * 37 % 100) / 100, y: 0.4))
        }
        var table = PointTable(keys: keys)
        table.append(batch)
        return table
    }

    /// Reads inputs of so many points each, in pieces; some begin anew after some of their points.
    private func read(
        _ inputs: [Int], begunAnew: [Int: Int], inPiecesOf size: Int, into store: PointStore
    ) throws -> (part: String, numbers: [(made: UInt64, own: Int)]) {
        store.begin(layer: 0)
        var table = PointTable(keys: store.keys)
        var first = 0
        func take(_ numbers: Range<Int>) throws {
            for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: size) {
                table.append(
                    self.table(start..<min(start + size, numbers.upperBound), store.keys))
                try store.take(&table, of: "a")
            }
        }
        for (input, count) in inputs.enumerated() {
            #expect(store.count + table.count == first)
            store.beginInput(behind: first)
            if let some = begunAnew[input] {
                try take(first..<first + some)
                store.startAgain(&table)
                #expect(store.count + table.count == first)
            }
            try take(first..<first + count)
            first += count
        }
        let report = InputReport(
            records: first, kept: first, points: first, rejected: [:], notes: [])
        let head = try store.end(&table, report, of: "a")
        #expect(table.count == 0 && store.isWhole(layer: 0) && !store.isWhole(layer: 1))
        #expect(store.used[0] == [store.keys.intern("n")])
        let points = try store.points()
        #expect(points.parts == [head.name])
        #expect(try points.survey().layers.map(\.points) == [first, 0])
        #expect(try points.survey().greatestID == UInt64(first - 1))
        return (head.name, try numbers(of: head, points))
    }

    private func numbers(
        of named: NamedHead, _ points: PartPoints
    ) throws -> [(made: UInt64, own: Int)] {
        var found: [(made: UInt64, own: Int)] = []
        let wanted = try #require(
            WantedBlocks(of: named.name, points.names[0], named.head.blocks) { _ in true })
        let reader = try PartReader(wanted, in: points.files, points.keys)
        for block in wanted.blocks {
            let points = try reader.points(of: block, numbered: true)
            for row in 0..<points.count {
                let own = points.attributes.value(of: "n", row: row)
                guard case .integer(let number) = own else { continue }
                found.append((try #require(points.ids?[row]), Int(number)))
            }
        }
        return found
    }

    @Test(arguments: 1...12)
    func `each point is there once and has its number, though inputs begin anew`(
        seed: UInt64
    ) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SeededRandom(seed: seed)
        let inputs = (0..<6).map { _ in
            Int([3.0, 60, 900][Int(random.next() % 3)] * random.unit()) + 1
        }
        var begunAnew: [Int: Int] = [:]
        for input in inputs.indices where seed % 3 > 0 && random.unit() < 0.5 {
            begunAnew[input] = Int(Double(inputs[input]) * random.unit())
        }
        let total = inputs.reduce(0, +)
        var parts: Set<String> = []
        // Whenever points begin to be taken, and in whichever pieces they come, the part is the same; where inputs begin
        // anew it has stretches that are no use.
        for (always, from, size) in [(true, 0, 7), (false, total / 3, 40), (false, total - 2, 1)] {
            let store = try store(
                AttributeKeys(), always: always, from: from, rows: 100,
                bytes: seed % 2 == 0 ? 1 << 20 : 150)
            let read = try read(inputs, begunAnew: begunAnew, inPiecesOf: size, into: store)
            #expect(read.numbers.map(\.own).sorted() == Array(0..<total))
            #expect(read.numbers.allSatisfy { $0.made == UInt64($0.own) })
            parts.insert(read.part)
        }
        #expect(parts.count == 1 || !begunAnew.isEmpty)
    }

    @Test func `points are as they were read to those who ask for a layer`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = AttributeKeys()
        let store = try store(keys, rows: 10, bytes: 1 << 20)
        for (layer, count) in [(0, 25), (1, 13)] {
            store.begin(layer: layer)
            var table = table(0..<count, keys)
            try store.end(&table, InputReport(), of: "a")
        }
        for (layer, count) in [(0, 25), (1, 13)] {
            var found = 0
            try store.points().forEachTable(of: layer) { table, _ in
                found += table.count
                #expect(table.ids == nil)
            }
            #expect(found == count)
        }
    }

    /// Stores that have read the same points, with names of attributes in other orders; each is forgotten behind `body`.
    private func withStore<Result>(
        knowing names: [String], ownsParts: Bool, _ body: (PlanPhase) throws -> Result
    ) throws -> Result {
        var options = BuildOptions()
        options.cells.zoom = 2
        let keys = AttributeKeys()
        for name in names { _ = keys.intern(name) }
        let store = try PointStore(
            recipe, keys, options, always: true,
            makeFolder: { [path = folder.path] () throws(JobError) in try JobFolder(path) },
            ownsParts: ownsParts)
        for layer in 0...1 {
            store.begin(layer: layer)
            var table = table(0..<40, keys)
            try store.end(&table, InputReport(), of: "a")
        }
        return try body(
            PlanPhase(
                recipe: recipe, points: store.points(), keys: keys, options: options, sources: [],
                archive: nil))
    }

    private var parts: Set<String> {
        get throws {
            Set(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/parts"))
        }
    }

    @Test func `parts go with what read them unless a plan names them`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let written = try withStore(knowing: [], ownsParts: true) { _ in try parts.count }
        #expect(written == 2)
        #expect(try parts.isEmpty)
        let plan = try withStore(knowing: [], ownsParts: true) { try $0.run().plan }
        #expect(try parts == Set(plan.parts) && plan.parts.count == 2)
        // The plan of another process that met the names in another order does as well.
        let second = try withStore(knowing: ["z"], ownsParts: true) { phase in
            #expect(try parts.count == 4)
            return try phase.run().plan
        }
        #expect(second.job == plan.job)
        #expect(try parts == Set(plan.parts))
        // Parts that many have read are known by their names, and are left to these.
        #expect(throws: JobError.plannedOtherwise(folder: folder.path)) {
            try withStore(knowing: ["z"], ownsParts: false) { try $0.run() }
        }
        #expect(try parts.count == 4)
    }
}
