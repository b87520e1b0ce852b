import Geometry
import TestSupport
import Testing

/// Boxes as people write them, and places whose longitudes go on around the world.
struct BoxTextTests {
    @Test(arguments: [
        ("1,2,3,4", [1.0, 2, 3, 4]), ("-180,-90,180,90", [-180, -90, 180, 90]),
        ("170,-10.5,-170,1e1", [170, -10.5, -170, 10]), ("+5,6,5,6", [5, 6, 5, 6]),
        (" 1, 2 ,3,4 ", [1, 2, 3, 4]),
    ])
    func `a box is four numbers of degrees, and says itself so`(text: String, sides: [Double])
        throws
    {
        let box = try LonLatBox(text)
        #expect([box.west, box.south, box.east, box.north] == sides)
        #expect(try LonLatBox(box.edges) == box)
    }

    @Test(arguments: [
        "", "1,2,3", "1,2,3,4,5", "1,2,3,", ",1,2,3", "1,2,3,4,", "1,2,,3,4", "1,2,3,x",
        "1,2,3,nan", "0x1,2,3,4",
        "1,2,3 3,4", "1, ,3,4", "180.001,2,3,4", "-180.001,2,3,4", "1,2,180.001,4",
        "1,2,-180.001,4",
        "1,-90.001,3,4", "1,2,3,90.001", "1,91,3,92", "1,4.001,3,4", "1,2,3,inf",
    ])
    func `what is no box is none`(text: String) { #expect((try? LonLatBox(text)) == nil) }

    @Test(arguments: [
        ("170,-90,190,90", "longitudes from -180 to 180 (170,-90,-170,90 crosses"),
        ("0,-91,1,1", "latitudes from -90 to 90"), ("1,5,2,4", "south before north"),
        ("1,2,3", "west,south,east,north, as 5.9,45.8,10.5,47.8"),
    ])
    func `an error says what is wrong with a box`(text: String, words: String) throws {
        let error = #expect(throws: LonLatBox.Misread.self) { try LonLatBox(text) }
        #expect(error?.expected.hasPrefix(words) == true)
    }

    @Test func `a longitude may be any number of turns away`() {
        var random = SeededRandom(seed: 61)
        let boxes = [
            LonLatBox(west: -10, south: -20, east: 30, north: 40),
            LonLatBox(west: 170, south: -20, east: -160, north: 40),
            LonLatBox(west: 100, south: -20, east: 180, north: 40),
            LonLatBox(west: -180, south: -20, east: -100, north: 40),
            LonLatBox(west: -180, south: -20, east: 180, north: 40),
        ]
        for box in boxes {
            for number in 0..<200 {
                // Whole tens are the meridians on which boxes end.
                let home =
                    number % 2 == 0
                    ? Double(random.next() % 36) * 10 - 180 : random.unit() * 360 - 180
                let latitude = Double(random.next() % 13) * 10 - 60
                // 180 and −180 are one meridian, which both ends of a box may be.
                let names = home == -180 ? [-180.0, 180] : [home]
                let isInside = names.contains {
                    box.contains(LonLat(longitude: $0, latitude: latitude))
                }
                for turn in [-720.0, -360, 0, 360, 1_080] {
                    #expect(box.contains(longitude: home + turn, latitude: latitude) == isInside)
                }
            }
        }
    }
}
