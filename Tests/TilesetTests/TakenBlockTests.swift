import Foundation
import Geometry
import JSON
import PointInput
import Points
import Recipes
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// What a job finds in the folder of the one before, among whatever else is there.
struct TakenBlockTests {
    @Test func `blocks of tasks are found among other files, by what they follow from`() throws {
        let builds = try CellBuildTests.Builds(
            [
                (SamplePoint.towns(60, seed: 7), ["clusters": ["radius": 40]]),
                (SamplePoint.towns(50, seed: 8), ["clusters": ["radius": 40]]),
                (SamplePoint.towns(40, seed: 9), ["clusters": ["radius": 40]]),
            ], tiles: ["maxZoom": 2])
        let cells = try builds.indexed(zoom: 1)
        let job = cells.job
        let folder = job.files.folder("index")
        for number in 0..<60 {
            let name = [
                "plan-\(number)", "leaves-x\(number)", "tiles-\(number)", "leaves-\(9 + number)",
            ]
            try Data("stray".utf8).write(to: URL(filePath: "\(folder)/\(name[number % 4])"))
        }
        let found = LeafBlocksFile.all(of: FormerJob(job.files), job)
        #expect(Set(found.values) == Set((0..<3).map { job.files.index(.leaves($0)) }))
        for (inputs, path) in found {
            var (reader, _) = try job.read(path)
            var front = try reader.block()
            #expect(try front.unsigned() == inputs)
        }
        let none = JobFiles(job.folder, job: "0")
        #expect(LeafBlocksFile.all(of: FormerJob(none), job).isEmpty)
    }

    /// Parts that a task has read are counted as often as a plan names them.
    @Test func `a part that counts twice is not the one that counted once`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(300, seed: 7), ["clusters": ["radius": 40]])],
            tiles: ["maxZoom": 4])
        let job = CellJob(try builds.plan(zoom: 1).job, threads: 1)
        let part = try #require(job.plan.parts.first)
        let found = try PartIndex(job).blocks(
            on: CurveStretches(of: TileID(z: 0, x: 0, y: 0), margin: 0))
        #expect(found.count == 1 && found[0].blocks.pointCount == 300)
        // The same folder, as a job of twice the points would find it.
        let twice = JobFiles(job.folder, job: "ab")
        let head = PartHead(
            layer: 0, names: found[0].names, used: [], survey: PointSurvey(facets: [[]]),
            report: InputReport(), blocks: found[0].blocks, rows: found[0].blocks.pointCount)
        try PartIndex(job, of: twice).write(
            [part, part], [head, head], [head.names, head.names])
        for cell in job.division.cells.indices where job.division.counts[cell] > 0 {
            let points = CellPoints(job, of: cell, within: 0)
            #expect(try points.areThose(of: FormerJob(job.files)))
            #expect(try !points.areThose(of: FormerJob(twice)), "\(cell)")
        }
    }
}
