import Foundation
import Testing
import TileArchive
import Tileset

@testable import covey

/// When a build is repeated.
struct LiveBuildTests {
    private let terminal: Terminal

    init() throws {
        terminal = try Terminal()
        try terminal.write("lon,lat\n1,2\n3,4\n", to: "a.csv")
    }

    private func path(_ name: String) -> String { terminal.folder.appending(path: name).path }

    private func build(_ input: String = "a.csv", to output: String = "a.mbtiles") throws
        -> LiveBuild
    {
        LiveBuild(
            of: [path(input)], to: path(output), in: MBTiles.self,
            try BuildVerb.syntax.parse([path(input)]))
    }

    private static func run(_ build: inout LiveBuild) throws {
        var options = BuildOptions.usual
        options.replacesExisting = true
        _ = try build.build(options) { _ in }
    }

    /// Whether it is due once its inputs have come to rest.
    private static func isDue(_ build: inout LiveBuild, in seconds: Double = 0) -> Bool {
        let time = ContinuousClock.now + .seconds(seconds)
        _ = build.isDue(at: time)
        return build.isDue(at: time)
    }

    @Test func `an archive that is gone is built again`() throws {
        var build = try build()
        try Self.run(&build)
        #expect(!Self.isDue(&build, in: 1_000))
        try FileManager.default.removeItem(atPath: path("a.mbtiles"))
        #expect(Self.isDue(&build))
        try Self.run(&build)
        #expect(!Self.isDue(&build))
    }

    @Test func `a build for which there is no place is tried again, and less and less often`()
        throws
    {
        var build = try build(to: "none/a.mbtiles")
        for pause in [5.0, 10, 20, 40, 60, 60] {
            #expect(throws: (any Error).self) { try Self.run(&build) }
            #expect(!Self.isDue(&build, in: pause - 2) && Self.isDue(&build, in: pause + 0.1))
        }
        try terminal.write("", to: "none/file")
        try Self.run(&build)
        #expect(!Self.isDue(&build, in: 1_000))
    }

    @Test func `points that are bad are built when they change, and not before`() throws {
        try terminal.write("lon,lat\nx,y\n", to: "a.csv")
        var build = try build()
        #expect(throws: (any Error).self) { try Self.run(&build) }
        #expect(!Self.isDue(&build, in: 1_000))
        try terminal.write("lon,lat\n1,2\n", to: "a.csv")
        #expect(Self.isDue(&build))
    }

    @Test func `points that are not there yet are built when they come`() throws {
        var build = try build("late.csv")
        #expect(throws: (any Error).self) { try Self.run(&build) }
        #expect(!Self.isDue(&build, in: 1_000))
        try terminal.write("lon,lat\n1,2\n", to: "late.csv")
        #expect(Self.isDue(&build))
        try Self.run(&build)
    }

    @Test(arguments: [true, false])
    func `other points of the same size and time are a change`(isNewFile: Bool) throws {
        var build = try build()
        try Self.run(&build)
        let (file, manager) = (path("a.csv"), FileManager.default)
        let date = try #require(manager.attributesOfItem(atPath: file)[.modificationDate])
        try Data("lon,lat\n1,2\n3,5\n".utf8).write(
            to: URL(filePath: file), options: isNewFile ? .atomic : [])
        try manager.setAttributes([.modificationDate: date], ofItemAtPath: file)
        #expect(Self.isDue(&build))
    }
}
