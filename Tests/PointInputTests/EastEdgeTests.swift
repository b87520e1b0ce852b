import PointInput
import Testing

struct EastEdgeTests {
    @Test func `the poles, and a turn and a half, are the last that are taken`() throws {
        let rows = "lon,lat\n10,90\n10,-90\n540,0\n-540,0\n"
        #expect(try Reading(rows, name: "p.csv").table.count == 4)
        for past in ["10,90.001", "10,-90.001", "540.001,0", "-540.001,0"] {
            #expect(throws: InputError.self) { try Reading("lon,lat\n\(past)\n", name: "p.csv") }
        }
    }

    @Test(arguments: [false, true])
    func `longitude 180 is the east edge where it is kept`(keeps: Bool) throws {
        var options = InputOptions()
        options.keepsEastEdge = keeps
        let degrees = try Reading(
            "lon,lat\n180,0\n-180,0\n179.9,0\n190,0\n", name: "p.csv", options: options)
        let edge = keeps ? 1.0 : 0
        #expect((0..<2).map { degrees.table.xs[$0] } == [edge, 0])
        #expect(abs(degrees.table.xs[2] - (0.5 + 179.9 / 360)) < 1e-15)
        #expect(abs(degrees.table.xs[3] - 10 / 360.0) < 1e-15)
        options.crs = .webMercator
        let metres = try Reading(
            "x,y\n20037508.342789244,0\n-20037508.342789244,0\n", name: "p.csv",
            options: options)
        #expect((0..<2).map { metres.table.xs[$0] } == [edge, 0])
    }
}
