import Foundation
import JSON
import TestSupport
import TileArchive
import Testing

@testable import Tileset

/// Some points all over the world, and a job of them.
struct LivingJob {
    let builds: CellBuildTests.Builds
    var points: [SamplePoint]
    var cells = CellOptions()

    init(
        _ settings: JSONValue = ["clusters": ["radius": 40, "aggregates": ["n": "sum:n"]]],
        zoom: Int = 3
    ) throws {
        points = SamplePoint.towns(2_000, seed: 31)
        builds = try CellBuildTests.Builds(
            [(points, settings)], tiles: ["maxZoom": 8, "variableDepth": false])
        cells.zoom = zoom
        cells.folder = builds.path("job")
    }

    func write() throws {
        try points.map(\.line).joined(separator: "\n").write(
            toFile: builds.path("in0.geojsonl"), atomically: true, encoding: .utf8)
    }

    /// Builds by the job and at once; both are to be the same.
    func build(_ container: any ArchiveContainer.Type = PMTiles.self) throws -> CellFigures {
        try write()
        let report = try builds.build("cut", cells, in: container)
        _ = try builds.build("whole", in: container)
        for (one, other) in zip(
            container.outputs(at: builds.path("cut")),
            container.outputs(at: builds.path("whole")))
        {
            let bytes = FileManager.default.contents(atPath: one)
            #expect(bytes == FileManager.default.contents(atPath: other), "\(one)")
        }
        return try #require(report.cells)
    }

    func size(_ path: String) throws -> Int { try Data(contentsOf: URL(filePath: path)).count }

    var parts: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: builds.path("job/parts"))
                .filter { !$0.contains(".") }
        }
    }

    var jobs: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: builds.path("job"))
                .filter { $0 != "parts" && $0 != "plan.json" }
        }
    }
}

extension LivingJob {
    /// Of each file of the job which one it is.
    func inodes() throws -> [String: UInt64] {
        let folder = try CellBuildTests.files(of: builds.path("job"))
        var inodes: [String: UInt64] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            inodes[path] = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
        }
        return inodes
    }
}
