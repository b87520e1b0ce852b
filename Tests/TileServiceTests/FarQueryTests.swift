import HTTP
import JSON
import SQLite
import TileService
import Testing

/// Questions near the antimeridian, and at the edges of what is near.
struct FarQueryTests {
    /// Four points in two places, apart at zoom 2 and in tiles of their own there.
    @Test func `a tile that is missing costs its own clusters their attributes, and no others`()
        throws
    {
        let folder = try SampleFolder()
        let points = [-5.0, -4.99, 5, 5.01].enumerated().map { number, longitude in
            SamplePoint(
                id: number + 1, longitude: longitude, latitude: 10, value: 10, kind: "inn")
        }
        try folder.build("a.mbtiles", of: points)
        func totals() throws -> [Int64?] {
            let service = folder.service()
            let top = try service.json(
                "/a/clusters/containing", [("lon", "5"), ("lat", "10"), ("zoom", "0")])
            let id = try top.required("properties").required("cluster_id").integer
            let children = try service.json("/a/clusters/\(id)/children")
            return try children.required("features").elements.map {
                try $0.required("properties").member("total")?.integer
            }
        }
        #expect(try totals() == [20, 20])
        try Database(path: folder.file("a.mbtiles"), mode: .readWriteCreate)
            .execute("DELETE FROM tiles WHERE zoom_level = 2 AND tile_column = 1")
        let left = try totals()
        #expect(left.count == 2 && left.contains(nil) && left.contains(20))
    }

    /// All points lie on one side of the antimeridian.
    static let eastern = Result { () throws -> SampleFolder in
        let folder = try SampleFolder()
        let points = (1...40).map { id in
            SamplePoint(
                id: id, longitude: 179.9 + Double(id) / 500, latitude: Double(id % 7),
                value: id, kind: "inn")
        }
        try folder.build("a.mbtiles", of: points)
        return folder
    }

    static func containing(_ service: TileService, _ lon: Double, _ lat: Double, _ zoom: Int)
        -> Response
    {
        service.get(
            "/a/clusters/containing",
            query: [("lon", "\(lon)"), ("lat", "\(lat)"), ("zoom", "\(zoom)")])
    }

    @Test func `a question from the other side of the antimeridian finds what is near`() throws {
        let service = try Self.eastern.get().service()
        for longitude in [-179.99, 179.99, -180, 180] {
            #expect(Self.containing(service, longitude, 5, 8).status == .ok, "\(longitude)")
            #expect(Self.containing(service, longitude, 5, 0).status == .ok, "\(longitude)")
        }
        // 50 pixels are 35 degrees at zoom 0, and a tenth of one at zoom 8.
        for (longitude, zoom) in [(0.0, 0), (-140, 0), (140, 0), (-179, 8), (179, 8)] {
            let response = Self.containing(service, longitude, 0, zoom)
            #expect(response.status == .notFound, "\(longitude): \(response.text)")
        }
    }

    @Test func `a box over the antimeridian holds the points of its one side`() throws {
        let service = try Self.eastern.get().service()
        func count(_ box: String) throws -> Int {
            try service.json("/a/leaves", [("bbox", box), ("limit", "1000")])
                .required("features").elements.count
        }
        #expect(try count("170,-10,-170,10") == 40)
        #expect(try count("-170,-10,170,10") == 0)
        #expect(try count("-179.999,-10,-170,10") == 0)
        #expect(try count("179.941,-10,179.979,10") == 19)
        #expect(try count("179.5,-10,-179.5,0.5") == 5)
    }

    @Test(arguments: [0, 3, 7])
    func `a marker's width is near, and a little more is not`(zoom: Int) throws {
        let folder = try SampleFolder()
        try folder.build(
            "a.mbtiles",
            of: [SamplePoint(id: 1, longitude: 10, latitude: 0, value: 1, kind: "inn")])
        let service = folder.service()
        let degrees = 360.0 / Double(512 << zoom)
        #expect(Self.containing(service, 10 + 49.9 * degrees, 0, zoom).status == .ok)
        #expect(Self.containing(service, 10 - 49.9 * degrees, 0, zoom).status == .ok)
        #expect(Self.containing(service, 10 + 50.1 * degrees, 0, zoom).status == .notFound)
        #expect(Self.containing(service, 10 - 50.1 * degrees, 0, zoom).status == .notFound)
    }

    @Test func `children and leaves come page by page, from any offset on`() throws {
        let service = try Self.eastern.get().service()
        let node = JSONNode(try JSONValue(parsing: Self.containing(service, 179.95, 3, 2).text))
        let id = try node.required("properties").required("cluster_id").integer
        for (list, total) in [("leaves", Int64(40)), ("children", nil)] {
            let path = "/a/clusters/\(id)/\(list)"
            let whole = try service.json(path, [("limit", "1000")])
            let all = try whole.required("features").elements.map(\.value)
            let count = try whole.required("numberMatched").integer
            #expect(count == Int64(all.count) && count == total ?? count && count > 1)
            for offset in 0...all.count + 1 {
                for limit in [1, 2, all.count] {
                    let page = try service.json(
                        path, [("offset", "\(offset)"), ("limit", "\(limit)")])
                    let part = try page.required("features").elements.map(\.value)
                    #expect(part == Array(all.dropFirst(offset).prefix(limit)))
                    #expect(try page.required("numberMatched").integer == count)
                    #expect(try page.required("numberReturned").integer == Int64(part.count))
                }
            }
            #expect(service.get(path, query: [("limit", "0")]).status == .badRequest)
            #expect(service.get(path, query: [("limit", "1001")]).status == .badRequest)
            #expect(service.get(path, query: [("offset", "9007199254740992")]).status == .ok)
            #expect(
                service.get(path, query: [("offset", "9007199254740993")]).status == .badRequest)
        }
    }

    @Test func `without a limit ten leaves come, and all children`() throws {
        let service = try Self.eastern.get().service()
        let node = JSONNode(try JSONValue(parsing: Self.containing(service, 179.95, 3, 2).text))
        let id = try node.required("properties").required("cluster_id").integer
        let leaves = try service.json("/a/clusters/\(id)/leaves").required("features")
        #expect(try leaves.elements.count == 10)
        let children = try service.json("/a/clusters/\(id)/children")
        let count = try children.required("features").elements.count
        #expect(try children.required("numberMatched").integer == Int64(count))
        let listed = try service.json("/a/leaves", [("bbox", "-180,-85,180,85")])
        #expect(try listed.required("features").elements.count == 40)
        let some = try service.json("/a/leaves", [("bbox", "-180,-85,180,85"), ("limit", "39")])
        let next = try some.required("next").integer
        #expect(next == 39)
        let rest = try service.json(
            "/a/leaves", [("bbox", "-180,-85,180,85"), ("limit", "39"), ("from", "\(next)")])
        #expect(try rest.required("features").elements.count == 1)
        #expect(try rest.member("next") == nil)
    }
}
