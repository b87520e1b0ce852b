import JSON
import Testing
import Tileset

/// Layers that share attributes, some of which must be renamed.
struct RenamedLayerTests {
    private let archives: KeptArchives

    init() throws { archives = try KeptArchives() }

    /// Builds layers whose points have the attribute `point_count`, but for those of the layer C.
    /// - Parameter gone: a point that the first layer lacks.
    private func build(
        _ layers: String, without gone: Int? = nil, to name: String, job: String? = nil
    ) throws {
        let parts = try layers.map { layer -> JSONValue in
            let taken = layer == "C" ? "" : #","point_count":7"#
            let ids = (1...4).filter { $0 != gone || layer != layers.first }
            let lines = ids.map { id in
                #"{"type":"Feature","id":\#(id),"geometry":{"type":"Point","coordinates":[\#(id),1]},"#
                    + #""properties":{"n":1\#(taken)}}"#
            }
            let file = try archives.write("\(layer).geojsonl", lines)
            return [
                "name": .string("\(layer)"), "reservedNames": "rename", "sources": [.string(file)],
            ]
        }
        try archives.build(parts, to: name, job: job)
    }

    @Test(arguments: ["AB", "CA", "AC", "ACB", "ABC"], [nil, "job"] as [String?])
    func `updates and builds in cells name attributes as a build does`(
        layers: String, job: String?
    ) throws {
        try build(layers, to: "kept", job: job)
        try build(layers, to: "plain")
        #expect(try archives.areSame("kept", "plain"))
        // One that is not there goes from each layer, and then one from the first.
        var steps = layers.map { (layer: $0, id: UInt64(99)) }
        if let first = layers.first { steps.append((first, 2)) }
        for (layer, id) in steps {
            var request = UpdateRequest()
            request.layer = "\(layer)"
            request.deletions = [.number(id)]
            _ = try archives.update("kept", request)
        }
        try build(layers, without: 2, to: "rest")
        #expect(try archives.areSame("kept", "rest"))
    }
}
