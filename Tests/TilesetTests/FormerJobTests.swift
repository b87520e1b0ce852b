import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Tileset

/// What is done with the folder of the job before, whole, damaged or half gone.
struct FormerJobTests {
    @Test func `nothing goes but what the job before has written`() throws {
        var living = try LivingJob()
        _ = try living.build()
        let job = try #require(try living.jobs.first)
        // Names of years are hexadecimal numbers too.
        for path in ["job/2024", "job/\(job)/mine"] {
            try FileManager.default.createDirectory(
                atPath: living.builds.path(path), withIntermediateDirectories: true)
        }
        living.points.removeFirst()
        _ = try living.build()
        #expect(FileManager.default.fileExists(atPath: living.builds.path("job/2024")))
        #expect(FileManager.default.fileExists(atPath: living.builds.path("job/\(job)/mine")))
        #expect(!FileManager.default.fileExists(atPath: living.builds.path("job/\(job)/tiles")))
    }

    @Test func `a plan that nothing came of takes nothing away`() throws {
        var living = try LivingJob()
        _ = try living.build()
        for _ in 0..<2 {
            living.points.removeFirst()
            try living.write()
            _ = try living.builds.plan(zoom: 3)
        }
        living.points.removeFirst()
        let after = try living.build()
        #expect(after.takenOver > after.cells / 2)
        #expect(try living.jobs.count == 1)
    }

    @Test func `many that plan anew at once have one plan`() throws {
        var living = try LivingJob()
        _ = try living.build()
        living.points.removeFirst()
        try living.write()
        let builds = living.builds
        let names = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let name = Result { try builds.plan(zoom: 3).job.name }
            names.withLock { $0.append((try? name.get()) ?? "\(name)") }
        }
        let found = names.withLock(\.self)
        #expect(found.count == 4 && Set(found).count == 1, "\(found)")
        // Those of the archive stay until there is another.
        #expect(try living.parts.count == 2)
        let figures = try living.build()
        #expect(figures.takenOver > figures.cells / 2)
    }

    @Test func `what was taken over damaged is removed, and made anew by the next run`() throws {
        var living = try LivingJob()
        _ = try living.build()
        let job = try #require(try living.jobs.first)
        let folder = living.builds.path("job/\(job)")
        let tree = try #require(
            try FileManager.default.contentsOfDirectory(atPath: "\(folder)/cluster")
                .filter { $0.hasSuffix(".tree") }.max {
                    try living.size("\(folder)/cluster/\($0)")
                        < living.size("\(folder)/cluster/\($1)")
                })
        // Behind the front, which alone is read to know what a file follows from.
        for path in ["cluster/\(tree)", "tiles/\(tree.prefix { $0 != "." })"] {
            var bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(path)"))
            bytes[200] ^= 1
            try bytes.write(to: URL(filePath: "\(folder)/\(path)"))
        }
        // One that is far from that cell, which is 45 degrees wide, goes.
        let column = try #require(Int(tree.split(separator: "-")[1]))
        let middle = Double(column) * 45 - 157.5
        let far = try #require(
            living.points.firstIndex { (90...270).contains(abs($0.place.longitude - middle)) })
        living.points.remove(at: far)
        var found: [String] = []
        while found.count < 5 {
            do throws(any Error) {
                _ = try living.build()
                break
            } catch JobError.discarded(let path) {
                found.append(path)
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }
        #expect(!found.isEmpty && Set(found).count == found.count && found.count < 3, "\(found)")
    }

    @Test func `of a job before that is damaged or gone nothing is taken`() throws {
        var living = try LivingJob()
        _ = try living.build()
        let job = try #require(try living.jobs.first)
        let cluster = living.builds.path("job/\(job)/cluster")
        for name in try FileManager.default.contentsOfDirectory(atPath: cluster) {
            try Data("covey cells".utf8).write(to: URL(filePath: "\(cluster)/\(name)"))
        }
        living.points.removeFirst()
        #expect(try living.build().takenOver == 0)
    }
}
