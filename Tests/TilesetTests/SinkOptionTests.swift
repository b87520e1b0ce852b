import Testing
import TestSupport
import TileArchive

@testable import Tileset

/// What a build hands on to the archive that it writes.
struct SinkOptionTests {
    @Test func `an archive is asked for what the build was asked for`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(5, seed: 1), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 1])
        for isSet in [true, false] {
            var options = BuildOptions()
            options.replacesExisting = isSet
            options.isCancelled = { isSet }
            options.willPublish = { _ in isSet }
            options.folder.keepsGzip = isSet
            let sink = TilesetBuild(builds.recipe, to: "", options: options).sinkOptions
            #expect(sink.replacesExisting == isSet && sink.isCancelled?() == isSet)
            #expect(sink.willPublish?("") == isSet && sink.folder.keepsGzip == isSet)
            // A build's bytes do not depend on what is far away.
            #expect(!sink.sharesContents)
        }
    }
}
