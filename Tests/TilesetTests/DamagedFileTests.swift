import Foundation
import Geometry
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// Each kind of a job's files, cut off behind what it begins with, before each phase.
struct DamagedFileTests {
    private let builds: CellBuildTests.Builds
    private let options: BuildOptions
    private let folder: String

    /// Points in the middle of the world, where four cells meet that look at each other.
    init() throws {
        var random = SeededRandom(seed: 3)
        let points = (0..<12).map { number in
            SamplePoint(
                place: WorldPoint(x: 0.48 + 0.04 * random.unit(), y: 0.48 + 0.04 * random.unit())
                    .lonLat, properties: [("n", .integer(Int64(number)))])
        }
        builds = try CellBuildTests.Builds(
            [(points, ["clusters": ["radius": 40]])], tiles: ["maxZoom": 3])
        folder = builds.path("job")
        var options = BuildOptions()
        (options.cells.zoom, options.cells.folder, options.threads) = (1, folder, 1)
        self.options = options
        try TilesetBuild(builds.recipe, to: "", options: options).planCells()
    }

    private static let phases: [(name: String, run: @Sendable (CellBuild, String) throws -> Void)] =
        [
            ("cluster", { cells, _ in try cells.cluster() }),
            ("top", { cells, _ in try cells.top() }),
            ("tiles", { cells, _ in try cells.tiles() }),
            ("index", { cells, _ in try cells.index() }),
            ("layOut", { cells, _ in _ = try cells.layOut() }),
            ("merge", { cells, path in _ = try cells.merge(to: path, in: PMTiles.self) }),
        ]

    /// The files of the job, by their paths in its folder.
    private func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let url = URL(filePath: "\(folder)/\(path)")
            if !url.hasDirectoryPath, let bytes = try? Data(contentsOf: url) { files[path] = bytes }
        }
        return files
    }

    /// Brings the folder back to what it was.
    private func restore(_ files: [String: Data]) throws {
        for path in try self.files().keys where files[path] == nil {
            try FileManager.default.removeItem(atPath: "\(folder)/\(path)")
        }
        for (path, bytes) in files { try bytes.write(to: URL(filePath: "\(folder)/\(path)")) }
    }

    /// What kind of file it is: cells and parts have one each.
    private static func kind(_ path: String) -> String {
        let names = path.split(separator: "/").map(String.init)
        let last = names[names.count - 1]
        if names[0] == "parts" { return last.contains(".") ? "part head" : "part" }
        guard names.count == 3 else { return last }
        switch names[1] {
        case "cluster": return last.split(separator: ".").last.map { "cell \($0)" } ?? last
        case "points": return last.contains(".") ? "blocks of a part" : "parts"
        default:
            return last.first?.isNumber == true ? "\(names[1]) of a cell" : "\(names[1]) \(last)"
        }
    }

    /// Which kinds of files a phase refuses, where one of them is damaged: each by its path, or not at all.
    private func refused(
        by run: (CellBuild, String) throws -> Void
    ) throws -> Set<String> {
        let before = try files()
        var refused: Set<String> = []
        // Of each kind the largest.
        for paths in Dictionary(grouping: before.keys, by: Self.kind).values {
            let path =
                paths.max { (before[$0]?.count ?? 0, $0) < (before[$1]?.count ?? 0, $1) } ?? ""
            guard let whole = before[path] else { continue }
            try whole.prefix(20).write(to: URL(filePath: "\(folder)/\(path)"))
            do {
                let cells = try CellBuild(in: folder, options: options)
                try run(cells, builds.path("cut.pmtiles"))
            } catch JobError.damaged(let named) {
                refused.insert(Self.kind(path))
                #expect(named == "\(folder)/\(path)")
            }
            for made in PMTiles.outputs(at: builds.path("cut.pmtiles")) {
                try? FileManager.default.removeItem(atPath: made)
            }
            try restore(before)
        }
        return refused
    }

    @Test func `what a phase reads is refused by its path where it is damaged`() throws {
        let expected: [String: Set<String>] = [
            "cluster": ["parts", "blocks of a part", "part"],
            "top": ["cell up"],
            "tiles": ["cell tree", "cell up", "cell border", "top of a cell", "top ids"],
            "index": [
                "cell tree", "top clusters", "top ids", "top of a cell", "tiles of a cell",
                "tiles top",
            ],
            "layOut": [
                "top clusters", "top of a cell", "tiles of a cell", "tiles top", "index plan",
                "index leaves-0",
            ],
            "merge": [
                "cell up", "top clusters", "index plan", "index archive", "index leaves-0",
                "tiles top", "tiles of a cell",
            ],
        ]
        for (name, run) in Self.phases {
            let found = try refused(by: run)
            let wanted = try #require(expected[name]).union(["plan.json"])
            #expect(found.isSuperset(of: wanted), "\(name): \(wanted.subtracting(found))")
            try run(CellBuild(in: folder, options: options), builds.path("cut.pmtiles"))
        }
        _ = try builds.build("whole.pmtiles", in: PMTiles.self)
        try SharedMergeTests.expectSame(builds, "whole.pmtiles", "cut.pmtiles")
    }
}
