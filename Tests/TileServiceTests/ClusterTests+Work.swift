import HTTP
import JSON
import Testing

@testable import TileService

/// What questions about clusters cost.
extension ClusterTests {
    @Test func `past a limit of tiles children carry what the index has`() throws {
        let archive = try #require(service.catalog.archives["places"])
        // Only tiles say in which layer a cluster is.
        var named = [0, 0, 0]
        for cluster in try someClusters() {
            let id = try cluster.required("properties").required("cluster_id").integer
            let lists = try [0, 1, ServedArchive.mostBytesOfTiles].map { bytes in
                let list = try archive.answer(readingTiles: bytes) {
                    try $0.answer(.children, about: id, .init(), &$1)
                }
                return try JSONNode(list).required("features").elements
            }
            let ids = try lists.map { try $0.map { try $0.required("id").integer } }
            #expect(ids[0] == ids[2] && ids[1] == ids[2])
            for (at, list) in lists.enumerated() {
                named[at] += try list.filter {
                    try $0.required("properties").member("cluster_id") != nil
                        && $0.member("layer") != nil
                }.count
            }
        }
        #expect(named[0] == 0 && 0 < named[1] && named[1] < named[2])
    }

    @Test func `questions about clusters may come later, and nothing else does`() throws {
        func comesLater(_ path: String) -> Bool {
            var request = Request(.get, path)
            request.mayTakeLong = false
            return service.answer(request).comesLater
        }
        for path in ["leaves", "clusters/containing", "clusters/1", "clusters/1/hull"] {
            #expect(comesLater("/places/\(path)") && !service.get("/places/\(path)").comesLater)
        }
        for path in [
            "/", "/health", "/catalog", "/places", "/places/0/0/0", "/places/events", "/x/y",
        ] {
            #expect(!comesLater(path))
        }
    }
}
