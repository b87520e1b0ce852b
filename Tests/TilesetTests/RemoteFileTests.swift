import Foundation
import Geometry
import JSON
import PointInput
import Points
import Recipes
import Synchronization
import TestSupport
import TileArchive
import Testing

@testable import Tileset

/// That phases read files that are fetched for them, and fetch no more of parts than they read.
struct RemoteFileTests {
    /// Stands for a folder, with files that are as long as there and empty until they are asked for.
    final class Mirror: Sendable {
        let original: String
        let path: String
        let asked = Mutex<[RemoteFiles.Piece]>([])
        /// How many pieces were asked for at once, request by request.
        let requests = Mutex<[Int]>([])
        /// How often something was asked for that was not made here.
        let fetches = Mutex(0)

        init(of original: String, at path: String) throws {
            self.original = original
            self.path = path
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            for name in try FileManager.default.subpathsOfDirectory(atPath: original) {
                var isFolder = false
                let from = "\(original)/\(name)"
                if let type = try FileManager.default.attributesOfItem(atPath: from)[.type] {
                    isFolder = type as? FileAttributeType == .typeDirectory
                }
                if isFolder {
                    try FileManager.default.createDirectory(
                        atPath: "\(path)/\(name)", withIntermediateDirectories: true)
                } else {
                    let size = try Data(contentsOf: URL(fileURLWithPath: from)).count
                    try Data(count: size).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
                }
            }
        }

        var files: RemoteFiles {
            RemoteFiles { pieces throws(JobError) in self.bring(pieces) }
        }

        private func bring(_ pieces: [RemoteFiles.Piece]) {
            asked.withLock { $0 += pieces }
            requests.withLock { $0.append(pieces.count) }
            let isThere = pieces.contains {
                FileManager.default.fileExists(atPath: original + $0.path.dropFirst(path.count))
            }
            fetches.withLock { $0 += isThere ? 1 : 0 }
            for piece in pieces {
                let name = piece.path.dropFirst(path.count)
                guard let bytes = FileManager.default.contents(atPath: original + name),
                    let file = FileHandle(forWritingAtPath: piece.path)
                else { continue }
                let range = (piece.bytes ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
                try? file.seek(toOffset: UInt64(range.lowerBound))
                file.write(bytes[range])
                try? file.close()
            }
        }

        /// Takes over what was made here.
        func giveBack() throws {
            for name in try FileManager.default.subpathsOfDirectory(atPath: path)
            where !FileManager.default.fileExists(atPath: "\(original)/\(name)") {
                try FileManager.default.copyItem(
                    atPath: "\(path)/\(name)", toPath: "\(original)/\(name)")
            }
        }
    }

    @Test(arguments: [0, 1])
    func `all phases work on files that are fetched`(levelZooms: Int) throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(300, seed: 5), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 6]
        )
        _ = try builds.build("whole.mbtiles")
        var options = BuildOptions()
        options.cells.zoom = 2
        options.cells.levelZooms = levelZooms
        options.cells.folder = builds.path("job")
        try TilesetBuild(builds.recipe, to: "", options: options).planCells()
        let job = try CellBuild(in: builds.path("job"), options: options).job
        #expect(job.levels.above.count == (levelZooms == 0 ? 0 : 4))
        try runPhases(of: builds, job)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
    }

    /// Does what is left of a job in `job`, each phase in a mirror of its own.
    private func runPhases(of builds: CellBuildTests.Builds, _ job: CellJob) throws {
        let (count, squares) = (job.division.cells.count, job.levels.numbers.count)
        for phase in ["cluster", "top", "tiles", "index", "merge"] {
            let mirror = try Mirror(of: builds.path("job"), at: builds.path(phase))
            var options = BuildOptions()
            options.cells.remote = mirror.files
            let cells = try CellBuild(in: mirror.path, options: options)
            #expect(try cells.status().next == phase)
            switch phase {
            case "cluster": try cells.cluster()
            case "top": try cells.top()
            case "tiles": try cells.tiles()
            case "index": try cells.index()
            default: _ = try cells.merge(to: builds.path("cut.mbtiles"), in: MBTiles.self)
            }
            try mirror.giveBack()
            let wholes = mirror.asked.withLock { $0.filter { $0.bytes == nil }.map(\.path) }
            #expect(Set(wholes).count == wholes.count, "\(phase) asks for a file twice")
            // What is known of all cells comes at once, and so does all that is merged.
            let requests = mirror.requests.withLock { $0 }
            #expect(phase == "cluster" || Array(requests.prefix(2)) == [1, count], "\(requests)")
            let above = job.levels.above.count
            if phase == "top" {
                // What is handed up to the top, what the others said of themselves, and of each level the tails of trees and
                // which nodes they hold.
                #expect(requests.dropFirst(2).prefix(1) == [job.levels.highest.numbers.count])
                #expect(requests.count <= 4 + 3 * above, "\(requests)")
            }
            // However many cells there are.
            if phase == "index" || phase == "merge" {
                #expect(requests.count <= 7 + (above > 0 ? 4 : 0), "\(requests) \(squares)")
            }
        }
    }

    @Test func `parts are planned and built where their files are fetched`() throws {
        let points = SamplePoint.towns(70, seed: 6)
        let builds = try CellBuildTests.Builds(
            [(points, ["clusters": ["radius": 40]])], tiles: ["maxZoom": 3])
        _ = try builds.build("whole.mbtiles")
        var options = BuildOptions()
        options.cells.zoom = 1
        options.cells.folder = builds.path("job")
        let build = TilesetBuild(builds.recipe, to: "", options: options)
        let names = try [points[..<30], points[30...]].map { some in
            try RandomPartTests.readPart(of: 0, some.map(\.line), build)
        }
        let mirror = try Mirror(of: builds.path("job"), at: builds.path("plan"))
        options.cells.folder = mirror.path
        options.cells.remote = mirror.files
        let planning = TilesetBuild(builds.recipe, to: "", options: options)
        try planning.planParts(names, cellMemory: nil)
        // What is known of all parts comes at once.
        let asked = mirror.asked.withLock { $0.prefix(names.count).map(\.path) }
        #expect(asked.allSatisfy { $0.hasSuffix(".head") } && Set(asked).count == names.count)
        #expect(mirror.requests.withLock(\.first) == names.count)
        try mirror.giveBack()
        let job = try CellBuild(in: builds.path("job"), options: BuildOptions()).job
        #expect(job.division.cells.count == 4)
        try runPhases(of: builds, job)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
    }

    @Test func `what all cells of a task read is asked for at once`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(300, seed: 5), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 6]
        )
        _ = try builds.build("whole.mbtiles")
        var options = BuildOptions()
        options.cells.zoom = 2
        options.cells.leavesInTask = 20
        options.cells.folder = builds.path("job")
        try TilesetBuild(builds.recipe, to: "", options: options).planCells()
        // Two tasks make tiles, and the one after them the blocks that have leaves of both.
        for (number, phase) in ["cluster", "top", "tiles", "tiles", "index"].enumerated() {
            let mirror = try Mirror(of: builds.path("job"), at: builds.path("\(phase)\(number)"))
            options.cells.remote = mirror.files
            let cells = try CellBuild(in: mirror.path, options: options)
            var names = phase == "top" ? [] : try cells.left(in: phase).map(\.cell)
            if number == 2 { names.removeLast(names.count / 2) }
            mirror.fetches.withLock { $0 = 0 }
            var outcomes: [CellOutcome] = []
            switch phase {
            case "cluster": _ = try cells.cluster(named: names) { outcomes.append($0) }
            case "top": try cells.top()
            case "tiles": try cells.tiles(named: names) { outcomes.append($0) }
            default: try cells.index(named: names) { outcomes.append($0) }
            }
            try mirror.giveBack()
            let least = ["cluster": 9, "tiles": 9, "index": 1][phase] ?? 0
            #expect(outcomes.count == names.count && names.count >= least)
            #expect(mirror.fetches.withLock(\.self) < 7, "\(phase)")
            #expect(outcomes.contains { !$0.cuts.isEmpty } == (phase == "tiles"))
            // Tiles of a zoom begin where the file is cut, zoom after zoom.
            for outcome in outcomes {
                #expect(outcome.cuts.map(\.rank) == outcome.cuts.map(\.rank).sorted())
                #expect(outcome.cuts.map(\.start) == outcome.cuts.map(\.start).sorted())
            }
        }
        options.cells.remote = nil
        let cells = try CellBuild(in: builds.path("job"), options: options)
        _ = try cells.merge(to: builds.path("cut.mbtiles"), in: MBTiles.self)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
    }

    @Test func `of a part the blocks come that are wanted, and no others`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (original, path) = ("\(folder.path)/there", "\(folder.path)/here")
        let recipe = try Recipe(
            reading: JSONNode(["layers": [["name": "points", "sources": ["a"]]]]))
        let files = PartFolder(try JobFolder(original), recipe, generator: "g")
        try JobFolder.make(files.path)
        var batch = PointBatch()
        for id in 0..<60_000 {
            let place = Double(id) / 60_000
            batch.append(WorldPoint(x: place, y: place), id: UInt64(id))
        }
        var table = PointTable()
        table.append(batch)
        let writer = try PartWriter(
            in: files, recipe, layer: 0, PointSurvey(of: recipe), table.attributes.keys, threads: 1)
        try writer.write(table, 0..<table.count)
        let named = try writer.finish(InputReport(), in: files)
        let (part, blocks) = (named.name, named.head.blocks)
        try #require(blocks.count > 5)
        let mirror = try Mirror(of: original, at: path)
        let wanted = try #require(
            WantedBlocks(of: part, [], blocks) {
                $0.offset == blocks[2].offset || $0.offset == blocks[3].offset
            })
        let job = try JobFolder(path, remote: mirror.files)
        try job.fetch(
            wanted.stretches.map { .init(path: "\(path)/parts/\(part)", bytes: $0) })
        var reader = try JobFileReader("\(path)/parts/\(part)", in: job, job: files.job)
        for block in wanted.blocks {
            reader.seek(to: block.offset)
            var source = try reader.block()
            #expect(
                try source.points(StoredKeys([], in: table.attributes.keys)).count == block.count)
        }
        #expect(
            mirror.asked.withLock { $0.map(\.bytes) } == [
                0..<blocks[0].offset, blocks[2].offset..<blocks[4].offset,
            ])
    }
}
