import ArchiveContract
import Testing

@testable import Inspection

/// How far a stored hull may be from that of its points.
struct HullCheckTests {
    private static let square = [(0, 0), (100, 0), (100, 100), (0, 100)].map(GridPoint.init)

    private static func findings(_ stored: [GridPoint], of points: [GridPoint]) -> [Finding] {
        var findings = FindingList()
        HullCheck.check(stored, of: points, block: 17, &findings)
        return findings.all
    }

    @Test func `a corner may be two steps off, and not three, in any direction`() {
        for index in Self.square.indices {
            for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1)] as [(Int32, Int32)] {
                for steps in [2, 3] as [Int32] {
                    var other = Self.square
                    other[index].x += x * steps
                    other[index].y += y * steps
                    #expect(
                        Self.findings(other, of: Self.square).isEmpty == (steps == 2),
                        "corner \(index), \(x * steps), \(y * steps)")
                }
            }
        }
    }

    @Test func `a finding says which block it is of`() {
        let findings = Self.findings([Self.square[0]], of: Self.square)
        #expect(findings.map(\.code) == ["hull"])
        #expect(findings.first?.locations == ["block 17"])
        #expect(findings.first?.severity == .error)
    }

    @Test func `a corner on an edge, or within, changes nothing`() {
        for extra in [(50, 0), (50, 50), (0, 50)].map(GridPoint.init) {
            #expect(Self.findings(Self.square + [extra], of: Self.square).isEmpty)
        }
    }

    @Test func `the hull of a line ends where its points end`() {
        for (x, y) in [(1, 0), (0, 1), (3, -2)] as [(Int32, Int32)] {
            func place(_ step: Int32) -> GridPoint { GridPoint(x: x * step, y: y * step) }
            let points = [place(0), place(500), place(1_000)]
            #expect(Self.findings([place(1_000), place(0)], of: points).isEmpty)
            #expect(!Self.findings([place(0), place(900)], of: points).isEmpty)
            #expect(!Self.findings([place(0), place(1_100)], of: points).isEmpty)
            // Corners in line enclose nothing, however many they are.
            #expect(!Self.findings([place(0), place(1), place(2)], of: points).isEmpty)
            #expect(Self.findings([place(0), place(400), place(1_000)], of: points).isEmpty)
        }
    }

    @Test func `the hull of one place is that place, give or take two steps`() {
        let place = GridPoint(x: 10, y: 10)
        #expect(Self.findings([GridPoint(x: 12, y: 10)], of: [place]).isEmpty)
        #expect(!Self.findings([GridPoint(x: 12, y: 11)], of: [place]).isEmpty)
        #expect(!Self.findings([place, GridPoint(x: 10, y: 13)], of: [place]).isEmpty)
    }
}

extension GridPoint {
    fileprivate init(_ place: (Int, Int)) { self.init(x: Int32(place.0), y: Int32(place.1)) }
}
