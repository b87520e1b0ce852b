import Foundation
import JSON
import TestSupport
import Testing

@testable import Tileset

/// Which plans are those of a build, and which documents are plans.
struct PlanAnswerTests {
    private let builds: CellBuildTests.Builds
    private let options: BuildOptions
    private let plan: JobPlan

    init() throws {
        builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(60, seed: 3), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 4])
        var options = BuildOptions()
        options.cells.zoom = 1
        options.cells.margin = 2.5
        options.cells.folder = builds.path("job")
        self.options = options
        try TilesetBuild(builds.recipe, to: "", options: options).planCells()
        plan = try JobPlan.read(in: JobFolder(builds.path("job")))
    }

    @Test func `a plan is that of a build with its recipe, maker, margin, passes and inputs`()
        throws
    {
        let sources = plan.sources
        #expect(sources.count == 1 && plan.cellZoom == 1)
        #expect(plan.answers(builds.recipe, options, sources))
        // How much is done at once changes nothing.
        var same = options
        (same.threads, same.memory, same.temporaryDirectory) = (7, 1 << 30, "/nowhere")
        #expect(plan.answers(builds.recipe, same, sources))
        for change: (inout BuildOptions) -> Void in [
            { $0.generator = "another" }, { $0.cells.margin = 2.25 }, { $0.cells.margin = nil },
            { $0.cells.passLimit += 1 }, { $0.cells.zoom = 2 }, { $0.cells.zoom = nil },
        ] {
            var other = options
            change(&other)
            #expect(!plan.answers(builds.recipe, other, sources))
            #expect(!plan.answersButInputs(builds.recipe, other))
        }
        var recipe = builds.recipe
        recipe.tiles.buffer += 1
        #expect(!plan.answers(recipe, options, sources))
        #expect(!plan.answersButInputs(recipe, options))
        for others in [[], sources + sources, [sources[0] + " "]] {
            #expect(!plan.answers(builds.recipe, options, others))
        }
        // Other inputs do as well where something may be taken over.
        recipe = builds.recipe
        recipe.layers[0].sources = ["other.csv"]
        #expect(!plan.answers(recipe, options, sources))
        #expect(plan.answersButInputs(recipe, options))
    }

    @Test func `a plan comes back from its document with all that it says`() throws {
        let again = try #require(JobPlan(plan.json))
        #expect(again.json == plan.json && again.job == plan.job)
        #expect(again.cells == plan.cells && again.counts == plan.counts)
        #expect(again.margin == 2.5 && again.sources == plan.sources)
        #expect(again.leafCount == 60 && again.counts.reduce(0, +) == 60)
    }

    @Test func `a document with another value anywhere is no plan`() throws {
        let document = try #require(plan.json.asObject)
        let keys = document.members.map(\.key).filter { $0 != "version" }
        #expect(keys.count >= 15 && keys.contains("margin"), "\(keys)")
        for key in keys {
            for value: JSONValue in [.null, 7, "7", [], ["7"], [[1, 0, 0]]]
            where document[key] != value {
                var other = document
                other[key] = value
                #expect(JobPlan(.object(other)) == nil, "\(key): \(value.text())")
            }
        }
        #expect(JobPlan([]) == nil && JobPlan([:]) == nil)
    }

    @Test func `a job that is planned otherwise is refused by the folder's name`() throws {
        var other = options
        other.cells.margin = 3
        let error = #expect(throws: JobError.self) {
            try TilesetBuild(builds.recipe, to: "", options: other).planCells()
        }
        guard case .plannedOtherwise(let folder)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(folder == builds.path("job"))
        // The same again is no work and no error.
        try TilesetBuild(builds.recipe, to: "", options: options).planCells()
    }
}
