import ArchiveContract
import JSON
import Testing

struct ClusterDescriptionTests {
    static let description: ClusterDescription = {
        var clustering = ClusterDescription.Clustering(
            radius: RadiusByZoom(stops: [(10, 40), (2, 80.5)]) ?? RadiusByZoom(0),
            algorithm: "spaced")
        clustering.minPoints = 3
        clustering.wrap = false
        clustering.keepCoincident = true
        clustering.minUniqueLocations = 2
        clustering.groups = 7
        clustering.heldMaxZoom = 12
        return ClusterDescription(
            layers: [
                .init(
                    name: "a", leaves: 0..<100, clusterCount: 60, minZoom: 1, maxZoom: 9,
                    clustering: clustering),
                .init(name: "b", leaves: 100..<101, minZoom: 1, maxZoom: 0, clustering: nil),
                .init(
                    name: "c", leaves: 101..<200, minZoom: 0, maxZoom: 14,
                    clustering: .init(radius: RadiusByZoom(50), algorithm: "grid")),
            ], buffer: 8, extent: 4096, ids: .placed)
    }()

    @Test func `what an account leaves out has its usual value`() throws {
        let json: JSONValue = [
            "format": 2, "idBase": 32,
            "layers": [["name": "a", "first": 0, "leaves": 3, "clustered": false]],
        ]
        let read = try ClusterDescription(json)
        let layer = try #require(read.layers.first)
        // No zoom lies at or below −1: no cluster can form.
        #expect(layer.minZoom == 0 && layer.maxZoom == -1 && layer.clusterCount == nil)
        #expect(read.buffer == 8 && read.extent == nil && read.equalBlocks == 4_000)
        #expect(layer.leavesInBlock == nil && read.format == 2)
    }

    @Test func `an account comes back from its JSON`() throws {
        let json = Self.description.json
        #expect(try ClusterDescription(json) == Self.description)
        #expect(try ClusterDescription(JSONValue(parsing: json.text())) == Self.description)
        let object = try #require(json.asObject)
        #expect(object["format"] == 4 && object["idBase"] == nil)
        #expect(object["layers"]?.asArray?[1].asObject?["leavesInBlock"] == nil)
        #expect(object["layers"]?.asArray?.last?.asObject?["radius"] == 50)
        #expect(object["layers"]?.asArray?[1].asObject?["clustered"] == false)
        #expect(Self.description.leafCount == 200)
        #expect(Self.description.layer(ofLeaf: 100)?.name == "b")
        #expect(Self.description.layer(ofLeaf: 200) == nil)
    }

    /// Each number by its place in the account, with one that lies just outside of what it may be.
    @Test(
        arguments: [
            ("blocks.count", -1), ("blocks.count", 1 << 48), ("layer.leavesInBlock", 0),
            ("layer.leavesInBlock", 4_001),
            ("extent", 0), ("extent", 1 << 31), ("variableDepth", 32), ("leavesInBlock", 4_001),
            ("layer.first", -1), ("layer.leaves", 1 << 48), ("layer.clusters", -1),
            ("layer.minZoom", -1), ("layer.maxZoom", 32), ("layer.heldMaxZoom", 32),
            ("layer.heatMaxZoom", -1), ("layer.minPoints", -1), ("layer.groups", -1),
            ("layer.minUniqueLocations", -1), ("layer.radius", -1), ("layer.radius", 1 << 42),
            ("layer.spread", 513), ("buffer", 257),
        ] as [(String, Int64)])
    func `a number outside of its range is refused`(place: String, number: Int64) throws {
        var account = Self.description
        account.blocks = .init(count: 3, hash: "")
        var object = try #require(account.json.asObject)
        let path = place.split(separator: ".").map(String.init)
        switch path[0] {
        case "blocks": object["blocks"] = ["count": .integer(number), "hash": ""]
        case "layer":
            var layer = try #require(object["layers"]?.asArray?.last?.asObject)
            layer[path[1]] = .integer(number)
            object["layers"] = [.object(layer)]
        default: object[place] = .integer(number)
        }
        #expect(throws: DescriptionError.self) { try ClusterDescription(.object(object)) }
    }

    @Test(arguments: [Int64(-32), 33, 1 << 53])
    func `a base of format 2 is a multiple of 32 below 2^53`(base: Int64) {
        #expect(throws: DescriptionError.self) {
            try ClusterDescription(["format": 2, "layers": [], "idBase": .integer(base)])
        }
    }

    @Test func `layers that have more points together than there are numbers are refused`() {
        let layer: JSONValue = [
            "name": "a", "first": 0, "leaves": .integer(1 << 48 - 1), "clustered": false,
        ]
        func account(_ count: Int) -> JSONValue {
            ["format": 1, "layers": .array(Array(repeating: layer, count: count))]
        }
        #expect(throws: Never.self) { try ClusterDescription(account(1)) }
        #expect(throws: DescriptionError.self) { try ClusterDescription(account(2)) }
        #expect(throws: DescriptionError.self) { try ClusterDescription(account(40_000)) }
    }

    @Test func `an early account says how many points a block has`() throws {
        var account = Self.description
        account.layers[0].leavesInBlock = 125
        let layers = account.json.asObject?["layers"]?.asArray
        #expect(layers?[0].asObject?["leavesInBlock"] == 125)
        #expect(try ClusterDescription(account.json) == account)
        // To format 3 it held for all layers.
        let old = try ClusterDescription(["format": 3, "layers": [], "leavesInBlock": 50])
        #expect(old.equalBlocks == 50 && old.format == 3)
    }

    @Test func `ids of format 1 have no base`() throws {
        let old = try ClusterDescription(["format": 1, "layers": []])
        #expect(old.ids == .counted(base: 0))
        #expect(old.ids.key(of: 98) == ClusterKey(firstLeaf: 3, zoom: 2))
        #expect(old.equalBlocks == 4_000 && old.buffer == 8)
    }

    @Test func `a format that came later is refused by name, and before all else`() {
        #expect(throws: DescriptionError.newerFormat(6)) {
            try ClusterDescription(["format": 6, "layers": "as it pleases"])
        }
        #expect(DescriptionError.newerFormat(4).description.contains("format 4"))
    }

    @Test(arguments: [
        #"[]"#, #"{"layers": []}"#, #"{"format": 0, "layers": []}"#,
        #"{"format": "2", "layers": []}"#, #"{"format": 2, "layers": []}"#,
        #"{"format": 2, "idBase": 33, "layers": []}"#, #"{"format": 2, "idBase": 32}"#,
        #"{"format": 1, "layers": [], "buffer": 257}"#,
        #"{"format": 1, "layers": [], "buffer": -1}"#,
        #"{"format": 1, "layers": [], "leavesInBlock": 0}"#,
        #"{"format": 1, "layers": [], "leavesInBlock": 4001}"#,
        #"{"format": 1, "layers": [{"name": "a", "first": 0, "leaves": -1, "clustered": false}]}"#,
        #"{"format": 1, "layers": [{"name": "a", "first": -1, "leaves": 1, "clustered": false}]}"#,
        #"{"format": 1, "layers": [{"name": "a", "first": 1, "leaves": 9223372036854775807, "clustered": false}]}"#,
        #"{"format": 1, "layers": [{"name": "a", "first": 0, "leaves": 281474976710656, "clustered": false}]}"#,
        #"{"format": 1, "layers": [{"name": "a", "first": 0, "leaves": 1, "minZoom": 32, "clustered": false}]}"#,
        #"{"format": 1, "layers": [{"name": "a", "first": 0, "leaves": 1, "algorithm": "grid"}]}"#,
        #"{"format": 1, "layers": [{"name": "a", "first": 0, "leaves": 1, "radius": {}, "algorithm": "grid"}]}"#,
        #"{"format": 1, "layers": [{"name": "a", "first": 0, "leaves": 1, "radius": {"x": 1}, "algorithm": "grid"}]}"#,
    ])
    func `what makes no sense is an error that says where`(text: String) throws {
        let json = try JSONValue(parsing: text)
        let error = #expect(throws: DescriptionError.self) { try ClusterDescription(json) }
        guard case .garbled = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a radius holds from its zoom on, and the first before it`() {
        let radius = Self.description.layers[0].clustering?.radius
        for (zoom, pixels) in [(0, 80.5), (2, 80.5), (9, 80.5), (10, 40), (31, 40)] {
            #expect(radius?.pixels(at: zoom) == pixels)
        }
        #expect(RadiusByZoom(7).pixels(at: 3) == 7 && RadiusByZoom(stops: []) == nil)
    }

    @Test func `every attribute has a name of its own`() {
        #expect(ClusterAttribute.names.count == ClusterAttribute.allCases.count)
        #expect(
            ClusterAttribute.onRequest.map(\.name) == [
                "point_weight", "sqrt_point_count", "bbox", "unique_location", "parent",
                "parent_dx",
                "parent_dy",
            ])
        // Words that data use of their own are free in points.
        #expect(!ClusterAttribute.namesReservedInPoints.contains("parent"))
        #expect(ClusterAttribute.namesReservedInPoints.contains("bbox"))
    }
}
