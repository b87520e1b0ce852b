import Foundation
import Projections
import TestSupport
import Testing

/// That nothing is held of a projection that is gone.
@Suite(
    .enabled(
        if: runsTests(needing: (try? Projection(from: "EPSG:25832")) != nil),
        "PROJ (libproj25, proj-data) is not installed"))
struct HandleTests {
    #if os(Linux)
        /// In a process of its own. What PROJ holds of one takes eight to a hundred kilobytes: of so many it would
        /// be 140 pages and more. The heap grows by 33 at a time.
        @Test(arguments: [("EPSG:25832", 30), ("EPSG:25832+5783", 20), ("EPSG:5783", 100)])
        func `no memory is taken by projections that are gone`(system: String, rounds: Int) async {
            await #expect(processExitsWith: .success) { [system, rounds] in
                func pages() throws -> Int {
                    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                    return try #require(Int(text.split(separator: " ")[5]))
                }
                for _ in 0..<5 { _ = try? Projection(from: system) }
                let before = try pages()
                for _ in 0..<rounds { _ = try? Projection(from: system) }
                try #require(try pages() - before < 80)
            }
        }
    #endif
}
