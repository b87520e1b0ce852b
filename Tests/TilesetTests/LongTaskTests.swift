import Foundation
import Geometry
import Points
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// Tasks of more leaves than are read at once, and what they ask of trees that are far away.
struct LongTaskTests {
    /// Towns that are one cluster each above the cut, so that wherever reading ends such a cluster begins.
    @Test func `clusters above the cut come with their first leaf, wherever reading ends`() throws {
        var random = SeededRandom(seed: 6)
        var points: [SamplePoint] = []
        for town in 0..<40 {
            let (west, north) = (Double(town % 8) / 8, 0.25 + Double(town / 8) / 10)
            for number in 0..<900 {
                // Two crowds, 40 pixels apart at the zoom above the cut.
                let place = WorldPoint(
                    x: west + Double(number % 2) * 40 / 4096 + 1e-4 * random.unit(),
                    y: north + 1e-4 * random.unit())
                points.append(SamplePoint(place: place.lonLat))
            }
        }
        let builds = try CellBuildTests.Builds(
            [(points, ["clusters": ["radius": 60]])], tiles: ["maxZoom": 5])
        _ = try builds.build("whole.pmtiles", in: PMTiles.self)
        let cells = try builds.plan(zoom: 0, levelZooms: 0)
        #expect(cells.job.cutZoom == 4)
        try cells.cluster()
        try cells.top()
        let top = try TopClusters(of: cells.job)
        #expect(top.tasks.map(\.leaves) == [0..<36_000])
        let leaves = try top.nodes(of: top.tasks[0]).nodes.leaves
        #expect((0..<leaves.count).filter { leaves[$0] == 900 }.count >= 40)
        try cells.tiles()
        _ = try cells.merge(to: builds.path("cut.pmtiles"), in: PMTiles.self)
        try SharedMergeTests.expectSame(builds, "whole.pmtiles", "cut.pmtiles")
    }

    @Test func `blocks of a tree that lie side by side are asked for at once`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(10_000, seed: 11), ["clusters": ["radius": 60]])],
            tiles: ["maxZoom": 4])
        let cells = try builds.plan(zoom: 0)
        try cells.cluster()
        try cells.top()
        let job = cells.job
        let tasks = try TopClusters(of: job).tasks
        #expect(!tasks.isEmpty)
        let leaves = try CellLeaves.all(ofTask: 0, LeafSquares(job, tasks))
        #expect(leaves.count == 1)
        let path = job.files.tree(of: "0-0-0", job.passLimit)
        let blocks = try TreeFile(of: 0, job.passLimit, job).units[0].blocks
        #expect(blocks.count == 3)
        let all = blocks[0].lowerBound..<blocks[2].upperBound
        #expect(leaves[0].wanted == [.init(path: path, bytes: all)])
    }
}
