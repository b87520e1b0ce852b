import CSQLite
import Foundation
import Testing

@testable import SQLite

/// What watches over the statements of strangers.
struct StepWatchTests {
    @Test func `a call runs from its begin to its end, and each is another`() {
        let watch = StepWatch(ForeignLimits())
        #expect(watch.runningCall == nil)
        var calls: Set<UInt> = []
        for _ in 0..<10 {
            watch.begin()
            let call = watch.runningCall
            #expect(call != nil && calls.insert(call ?? 0).inserted)
            // To begin what has begun changes nothing.
            watch.begin()
            #expect(watch.runningCall == call)
            watch.end()
            #expect(watch.runningCall == nil)
        }
    }

    /// SQLite keeps each file system for good.
    @Test func `file systems with the same bound are made once`() throws {
        let path = "/tmp/covey-watch-\(UUID().uuidString).db"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Database(path: path, mode: .readWriteCreate).execute("CREATE TABLE t (a)")
        func open(_ bytes: Int) throws {
            var limits = ForeignLimits()
            limits.temporaryBytes = Int64(bytes)
            _ = try Database(foreign: path, limits: limits).text("SELECT count(*) FROM t")
        }
        func isThere(_ limit: Int) -> [String] {
            var names: [String] = []
            var system = sqlite3_vfs_find(nil)
            while let known = system {
                names.append(String(cString: known.pointee.zName))
                system = known.pointee.pNext
            }
            return names.filter { $0.contains("\(limit)") }
        }
        for _ in 0..<4 {
            try open(7_340_033)
            try open(9_437_189)
        }
        #expect(isThere(7_340_033).count == 1 && isThere(9_437_189).count == 1)
    }
}
