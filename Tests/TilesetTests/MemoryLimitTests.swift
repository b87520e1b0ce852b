import CLibrary
import Compression
import Foundation
import JSON
import Platform
import Recipes
import Testing

@testable import Tileset

/// What a build is told of memory and addresses, to the byte.
struct MemoryLimitTests {
    @Test func `as much as is allowed may be used, and no byte more`() throws {
        let limit = MemoryLimit(allowed: 1_000_000_000, threads: 2)
        try limit.check(1_000_000_000)
        #expect(throws: BuildError.notEnoughMemory(needed: 1_000_000_001, allowed: 1_000_000_000)) {
            try limit.check(1_000_000_001)
        }
        let machine = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        #expect(MemoryLimit(allowed: nil, threads: 1).allowed == machine / 4 * 3)
        let generous = MemoryLimit(allowed: .max / 4, threads: 2)
        #expect(!generous.isExceeded())
        try generous.checkExceeded()
        let tight = MemoryLimit(allowed: 1, threads: 2)
        #expect(tight.isExceeded() && tight.isExceeded())
        let error = #expect(throws: BuildError.self) { try tight.checkExceeded() }
        guard case .notEnoughMemory(let needed, 1)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(needed > 1 << 20 && needed <= PeakMemory.bytes)
    }

    @Test func `what is named suffices, as cells or all points at once`() throws {
        // Cells are too much for a limit of 50.
        let limit = MemoryLimit(
            allowed: 50, threads: 1, forCells: .init(least: 90, enough: 100),
            used: { 60 + MemoryLimit.processBytes })
        #expect(!limit.mayHoldCells)
        for (bytes, needed) in [(70, 70), (100, 100), (170, 100)] {
            #expect(throws: BuildError.notEnoughMemory(needed: needed, allowed: 50)) {
                try limit.check(bytes)
            }
        }
        // How much more there is to read is not known.
        #expect(limit.isExceeded())
        #expect(throws: BuildError.notEnoughMemory(needed: 100, allowed: 50)) {
            try limit.checkExceeded()
        }
        let cut = MemoryLimit(allowed: 100, threads: 1, forCells: .init(least: 90, enough: 120))
        #expect(cut.mayHoldCells)
        #expect(throws: BuildError.notEnoughMemory(needed: 170, allowed: 100)) {
            try cut.check(170)
        }
        #expect(!MemoryLimit(allowed: 1 << 40, threads: 1).mayHoldCells)
    }

    @Test func `the code of the process and its buffers are not counted`() throws {
        let least = MemoryLimit(allowed: 1_000, threads: 1) { 1_000 + MemoryLimit.processBytes }
        #expect(!least.isExceeded())
        let more = MemoryLimit(allowed: 1_000, threads: 1) { 1_001 + MemoryLimit.processBytes }
        #expect(more.isExceeded())
    }

    @Test(arguments: [true, false])
    func `a limit too small for cells is refused with one that works, job or not`(
        hasJob: Bool
    ) throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "in.csv").path
        let (least, enough) = (CellForecast.least(), CellForecast.enough())
        #expect(least == (160 << 20) + 65_536 * 400 && enough == least + (64 << 20))
        for (lines, needed) in [(1_500_000, enough), (100_000, 100_000 * 410)] {
            try Data(repeating: UInt8(ascii: "\n"), count: lines).write(to: URL(filePath: path))
            let recipe = try Recipe(
                reading: JSONNode(["layers": [["name": "a", "sources": [.string(path)]]]]))
            var options = BuildOptions()
            if hasJob { options.cells.folder = folder.path + "/job" }
            options.temporaryDirectory = folder.path
            let build = TilesetBuild(recipe, to: folder.path + "/a.mbtiles", options: options)
            func read(_ allowed: Int) throws {
                var clock = StageClock()
                _ = try build.readWithinMemory(
                    &clock,
                    MemoryLimit(
                        allowed: allowed, threads: 1, forCells: build.memoryForCells, used: { 0 }))
            }
            let allowed = min(least, needed) - 1
            #expect(throws: BuildError.notEnoughMemory(needed: needed, allowed: allowed)) {
                try read(allowed)
            }
            // With what was named it goes on, to find no points.
            let error = #expect(throws: (any Error).self) { try read(needed) }
            if case BuildError.notEnoughMemory? = error { Issue.record("\(needed)") }
        }
    }

    /// Of a compressed file nothing is known before it is read.
    @Test func `points that were read are held to the limit too, to the byte`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "in.csv.gz").path
        let lines = (0..<1_000).map { "\($0 % 90),\($0 % 80),\($0)\n" }
        var gzip = GzipCompressor(level: 1)
        try Data(gzip.compress(Array(("x,y,n\n" + lines.joined()).utf8).span)).write(
            to: URL(filePath: path))
        let recipe = try Recipe(
            reading: JSONNode(["layers": [["name": "a", "sources": [.string(path)]]]]))
        let build = TilesetBuild(recipe, to: folder.path + "/out.mbtiles")
        var clock = StageClock()
        func read(_ allowed: Int) throws -> [LayerInput] {
            try build.readWithinMemory(
                &clock, MemoryLimit(allowed: allowed, threads: 2, used: { 0 })
            ).1
        }
        let needed = MemoryForecast(for: try read(1 << 40)).bytes
        #expect((340_000...400_000).contains(needed))
        #expect(try read(needed).count == 1)
        #expect(throws: BuildError.notEnoughMemory(needed: needed, allowed: needed - 1)) {
            _ = try read(needed - 1)
        }
    }

    #if os(Linux)
        @Test func `addresses are wanted for twice the bytes, and for what each thread takes`()
            async
        {
            await #expect(processExitsWith: .success) {
                let giga = 1 << 30
                var most = rlimit(rlim_cur: rlim_t(40 * giga), rlim_max: rlim_t(40 * giga))
                setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &most)
                let fixed = (96 + 16 * (3 + 4)) << 20
                let limit = MemoryLimit(allowed: 1 << 50, threads: 3)
                func refusal(_ body: () throws -> Void) -> (needed: Int, left: Int)? {
                    do { try body() } catch BuildError.notEnoughAddresses(let needed, let left) {
                        return (needed, left)
                    } catch {}
                    return nil
                }
                let (needed, left) = try #require(refusal { try limit.check(40 * giga) })
                try #require(needed == 80 * giga + fixed && left > 30 * giga && left < 40 * giga)
                try #require(refusal { try limit.check((left - fixed) / 2) } == nil)
                try #require(refusal { try limit.check((left - fixed) / 2 + 1) } != nil)
                for (count, isExceeded) in [(15, false), (10, true)] {
                    mmap(
                        nil, count * giga, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                        -1, 0)
                    try #require(limit.isExceeded() == isExceeded)
                    let refused = refusal { try limit.checkExceeded() }
                    try #require((refused != nil) == isExceeded)
                    // What was taken may be there twice next.
                    if let refused {
                        try #require(refused.left == left)
                        try #require((50 * giga...51 * giga).contains(refused.needed))
                    }
                }
            }
        }
    #endif
}
