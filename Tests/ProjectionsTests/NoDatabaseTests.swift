import Foundation
import Projections
import TestSupport
import Testing

/// A PROJ without what it knows of systems.
@Suite(
    .enabled(
        if: runsTests(needing: (try? Projection(from: "EPSG:25832")) != nil),
        "PROJ (libproj25, proj-data) is not installed"))
struct NoDatabaseTests {
    /// In a process of its own, whose environment says where the database is.
    @Test func `a database that is not there is told, whatever the system`() async {
        await #expect(processExitsWith: .success) {
            for name in ["PROJ_DATA", "PROJ_LIB"] { setenv(name, "/nowhere", 1) }
            for system in ["EPSG:25832", "+proj=utm +zone=33 +type=crs"] {
                do {
                    _ = try Projection(from: system)
                    exit(1)
                } catch ProjectionError.noDatabase {
                    continue
                }
            }
        }
    }
}
