import Foundation
import Testing

/// What the program writes, as a terminal of 80 columns shows it.
struct TerminalTests {
    /// The program that was built beside these tests.
    private static let program = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "covey")

    private func run(_ words: String..., in folder: URL) throws -> (text: String, code: Int32) {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = words
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }

    @Test func `verify says what is wrong, where, and how often`() throws {
        let file = try SampleFile(points: 300)
        let fine = try run("verify", "sample.mbtiles", in: file.folder)
        #expect(fine.code == 0)
        #expect(
            fine.text == """
                sample.mbtiles: 226 tiles decoded, clusters held against their index
                all is well

                """)
        try file.change("UPDATE metadata SET value = '3' WHERE name = 'minzoom'")
        try file.change("UPDATE covey_clusters SET up = NULL WHERE id > 320")
        let damaged = try run("verify", "sample.mbtiles", in: file.folder)
        #expect(damaged.code == 1)
        #expect(damaged.text == "")
    }

    @Test func `inspect fits 80 columns`() throws {
        let file = try SampleFile(points: 300)
        let archive = try run("inspect", "sample.mbtiles", in: file.folder)
        #expect(archive.text == "")
        let tile = try run("inspect", "sample.mbtiles", "0/0/0", in: file.folder)
        #expect(tile.text == "")
        for line in (archive.text + tile.text).split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test func `clusters and diff end with the codes that scripts expect`() throws {
        let file = try SampleFile(points: 300)
        #expect(try run("clusters", "sample.mbtiles", "7", in: file.folder).code == 1)
        #expect(try run("clusters", "sample.mbtiles", in: file.folder).code == 2)
        #expect(try run("diff", "sample.mbtiles", "sample.mbtiles", in: file.folder).code == 0)
        let root = try run(
            "clusters", "sample.mbtiles", "0", "--depth", "1", "--tree", in: file.folder)
        #expect(root.text == "")
        let other = file.sibling("other.mbtiles")
        try FileManager.default.copyItem(atPath: file.path, toPath: other)
        try file.change("DELETE FROM tiles WHERE zoom_level = 0")
        #expect(try run("diff", "sample.mbtiles", "other.mbtiles", in: file.folder).code == 1)
    }
}
