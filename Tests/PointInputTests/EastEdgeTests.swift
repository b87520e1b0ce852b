import PointInput
import Testing

struct EastEdgeTests {
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
