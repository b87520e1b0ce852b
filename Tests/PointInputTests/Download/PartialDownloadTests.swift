import Foundation
import Points
import TestSupport
import Testing

@testable import PointInput

/// Files on the web of which parts are fetched.
@Suite(.enabled(if: runsTests(needing: WebServer.isAvailable), "python3 and curl are needed"))
final class PartialDownloadTests {
    let folder = URL.temporaryDirectory.appending(path: "covey-\(UUID().uuidString)")
    let server: WebServer
    let noise: [UInt8]

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var random = SeededRandom(seed: 7)
        noise = (0..<2_000_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        try Data(noise).write(to: folder.appending(path: "noise"))
        server = try WebServer("range_server.py", [folder.path])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func begin(_ way: String) throws -> PartialDownload? {
        try PartialDownload(
            of: server.url("\(way)/noise"), in: folder.path, isCancelled: { false },
            progress: { _ in })
    }

    private func held(_ download: PartialDownload, _ part: Range<Int>) throws -> [UInt8] {
        let bytes = try Data(contentsOf: URL(filePath: download.path), options: .alwaysMapped)
        return Array(bytes[part])
    }

    @Test(arguments: ["sound", "moved", "weak", "sparing"])
    func `parts are where they are in the file, and nothing else is fetched`(way: String) throws {
        let download = try #require(try begin(way))
        #expect(download.size == noise.count && download.start == Array(noise[..<65_536]))
        for parts in [
            [1_999_000..<2_000_000], [60_000..<70_000], [100_000..<100_000],
            [500_000..<510_000, 700_000..<700_001, 1_400_000..<1_500_000],
            [69_999..<70_001, 505_000..<600_000],
        ] {
            try download.fetch(parts)
            for part in parts { #expect(try held(download, part) == Array(noise[part])) }
        }
        // What lies far from all parts is a hole; what lies between near ones came with them.
        #expect(try held(download, 1_200_000..<1_300_000).allSatisfy { $0 == 0 })
        #expect(try held(download, 510_000..<700_000) == Array(noise[510_000..<700_000]))
        // What is there is not asked for again.
        server.end()
        try download.fetch([0..<70_001, 500_000..<600_000, 1_450_000..<1_450_001])
        #expect(throws: InputError.self) { try download.fetch([1_200_000..<1_200_001]) }
    }

    @Test func `threads that ask for the same parts have them fetched once`() throws {
        let download = try #require(try begin("sparing"))
        let parts = (0..<8).map { 200_000 + 75_000 * $0..<200_000 + 75_000 * $0 + 60_000 }
        DispatchQueue.concurrentPerform(iterations: 16) { index in
            let part = parts[index / 2]
            #expect(throws: Never.self) { try download.fetch([part]) }
        }
        for part in parts { #expect(try held(download, part) == Array(noise[part])) }
    }

    @Test(arguments: ["changing", "growing"])
    func `a file that is replaced meanwhile is told`(way: String) throws {
        let download = try #require(try begin(way))
        var errors: [InputError] = []
        for start in stride(from: 300_000, to: 1_900_000, by: 400_000) {
            do { try download.fetch([start..<start + 10]) } catch { errors.append(error) }
        }
        let url = server.url("\(way)/noise")
        #expect(!errors.isEmpty && errors.allSatisfy { $0 == .changedWhileRead(input: url) })
    }

    @Test func `where a server gives whole files only, the file is downloaded`() throws {
        #expect(try begin("whole") == nil)
        let points = Samples.folder.appending(path: "Columns/plain-v1.parquet")
        try FileManager.default.copyItem(at: points, to: folder.appending(path: "points.parquet"))
        let (here, _) = try PointTable.read([.file(points.path)])
        for way in ["whole", "sound"] {
            let url = server.url("\(way)/points.parquet")
            let (table, report) = try PointTable.read([.file(url)])
            #expect(table.count == here.count && here.count > 0)
            #expect(report.kept == table.count)
        }
    }

    @Test(arguments: [
        ("shifted", "another range"), ("shorter", "another range"),
        ("longer", "more than it was asked for"),
    ])
    func `a server that answers otherwise is named with what it did`(
        way: String, words: String
    ) throws {
        let error = #expect(throws: InputError.self) { _ = try begin(way) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }

    @Test func `nothing is left of parts that were fetched`() throws {
        do {
            let download = try #require(try begin("sound"))
            try download.fetch([300_000..<300_010])
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left == ["noise"])
    }
}
