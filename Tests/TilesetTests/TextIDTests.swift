import JSON
import Testing
import Tileset

/// Updates of points whose ids come from an attribute with numbers and texts, of which only numbers can be ids.
struct TextIDTests {
    private let archives: KeptArchives

    init() throws { archives = try KeptArchives() }

    private func write(_ name: String, _ rows: [String]) throws -> String {
        try archives.write(name, ["lon,lat,ref,n"] + rows)
    }

    private func build(_ rows: [String], to name: String, job: String? = nil) throws {
        let file = try write("points.csv", rows)
        try archives.build(
            [["name": "a", "sources": [.string(file)], "id": "ref"]], to: name, job: job)
    }

    @Test(arguments: [nil, "ref"] as [String?], [nil, "job"] as [String?])
    func `a text that cannot be an id tells points apart as well`(
        key: String?, job: String?
    ) throws {
        try build(["1,1,x1,5", "2,1,x2,6", "3,1,x3,7"], to: "a", job: job)
        var request = UpdateRequest()
        if let key { request.identity = .attribute(key) }
        request.sources = [try write("changes.csv", ["9,1,x1,7"])]
        request.deletions = [PointKey(spelling: "x2")]
        let report = try archives.update("a", request)
        #expect((report.added, report.replaced, report.removed) == (0, 1, 1))
        try build(["9,1,x1,7", "3,1,x3,7"], to: "b")
        #expect(try archives.areSame("a", "b"))
    }
}
