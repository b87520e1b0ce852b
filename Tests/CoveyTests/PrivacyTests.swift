import Foundation
import Testing

/// Who may read what a build or an update writes.
struct PrivacyTests {
    @Test func `an update keeps points as private as their archive`() throws {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n1,2\n3,4\n", to: "points.csv")
        let result = try terminal.shell(
            """
            modes() { ls -l | awk '/mbtiles/ { print substr($1, 1, 10) }'; }
            (umask 077; "$COVEY" build points.csv -o a.mbtiles -q --max-zoom 3 --keep-points --generate-id)
            modes; umask 022
            "$COVEY" update a.mbtiles points.csv -q; modes
            """)
        #expect(result.output == String(repeating: "-rw-------\n", count: 4), "\(result.words)")
    }
}
