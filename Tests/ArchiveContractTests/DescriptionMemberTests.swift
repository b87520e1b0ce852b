import ArchiveContract
import JSON
import Testing

/// Each member of an account that may be missing: there when it says something, and else not.
struct DescriptionMemberTests {
    typealias Change = @Sendable (inout ClusterDescription) -> Void

    private static let axis = ClusterDescription.Facet.Axis(attribute: "kind", values: ["a", "b"])
    private static let facet = ClusterDescription.Facet(
        name: "f", attribute: "f_counts", axes: [axis])

    /// A layer with a facet, and nothing that may be left out besides.
    private static let plain: ClusterDescription = {
        var layer = ClusterDescription.Layer(
            name: "l", leaves: 0..<9, minZoom: 0, maxZoom: 5,
            clustering: .init(radius: RadiusByZoom(50), algorithm: "spaced"))
        layer.facets = [facet]
        return ClusterDescription(layers: [layer], buffer: 8, ids: .placed)
    }()

    /// Where in the account members come and go, and which.
    private static let changes: [(path: [String], comes: [String], goes: [String], Change)] = [
        ([], ["extent"], [], { $0.extent = 512 }),
        ([], ["variableDepth"], [], { $0.variableDepth = 1 }),
        ([], ["blocks"], [], { $0.blocks = .init(count: 1, hash: "x") }),
        (["layers"], ["clusters"], [], { $0.layers[0].clusterCount = 0 }),
        (["layers"], ["carries"], [], { $0.layers[0].carries = [] }),
        (["layers"], ["heatMaxZoom"], [], { $0.layers[0].heatMaxZoom = 0 }),
        (["layers"], ["spread"], [], { $0.layers[0].spread = 20.5 }),
        (["layers"], [], ["facets"], { $0.layers[0].facets = [] }),
        (["layers"], ["bins"], [], { $0.layers[0].bins = .init(Bins(.square), maxZoom: 3) }),
        (["layers"], ["heldMaxZoom"], [], { $0.layers[0].clustering?.heldMaxZoom = 6 }),
        (["layers"], ["keepCoincident"], [], { $0.layers[0].clustering?.keepCoincident = true }),
        (
            ["layers"], ["minUniqueLocations"], [],
            { $0.layers[0].clustering?.minUniqueLocations = 2 }
        ),
        (["layers"], ["groupBy"], [], { $0.layers[0].clustering?.groupBy = "g" }),
        (["layers"], ["countLetters"], [], { $0.layers[0].clustering?.countLetters = .large }),
        (
            ["layers"], ["clustered"],
            ["radius", "minPoints", "algorithm", "wrap", "groups", "idBits"],
            { $0.layers[0].clustering = nil }
        ),
        (["layers", "facets"], ["running"], [], { $0.layers[0].facets[0].isRunning = true }),
        (["layers", "facets"], ["sum"], [], { $0.layers[0].facets[0].sum = "n" }),
        (
            ["layers", "facets", "axes"], ["of"], [],
            { $0.layers[0].facets[0].axes[0].source = "s" }
        ),
        (
            ["layers", "facets", "axes"], ["unit"], [],
            { $0.layers[0].facets[0].axes[0].unit = "day" }
        ),
        (
            ["layers", "facets", "axes"], ["zone"], [],
            { $0.layers[0].facets[0].axes[0].zone = "UTC" }
        ),
        (
            ["layers", "facets", "axes"], ["breaks"], [],
            { $0.layers[0].facets[0].axes[0].breaks = [1] }
        ),
        (
            ["layers", "facets", "axes"], ["numbers"], [],
            { $0.layers[0].facets[0].axes[0].areNumbers = true }
        ),
        (
            ["layers", "facets", "axes"], ["other"], [],
            { $0.layers[0].facets[0].axes[0].otherValues = 1 }
        ),
        (
            ["layers", "facets", "axes"], ["none"], [],
            { $0.layers[0].facets[0].axes[0].hasNone = true }
        ),
    ]

    private static func members(_ account: ClusterDescription, at path: [String]) -> Set<String> {
        var object = account.json.asObject
        for step in path { object = object?[step]?.asArray?.first?.asObject }
        return Set(object?.members.map(\.key) ?? [])
    }

    @Test func `a member is there where it says something, and comes back`() throws {
        #expect(try ClusterDescription(Self.plain.json) == Self.plain)
        for (path, comes, goes, change) in Self.changes {
            var account = Self.plain
            change(&account)
            let (before, after) = (
                Self.members(Self.plain, at: path), Self.members(account, at: path)
            )
            #expect(after.subtracting(before) == Set(comes), "\(path) \(comes)")
            #expect(before.subtracting(after) == Set(goes), "\(path) \(goes)")
            #expect(try ClusterDescription(account.json) == account, "\(path) \(comes) \(goes)")
        }
        var paged = Self.plain
        paged.blocks = .init(count: 4, pages: 1, outlines: 2, hash: "x")
        let blocks: JSONValue = ["count": 4, "pages": 1, "outlines": 2, "hash": "x"]
        #expect(paged.json.asObject?["blocks"] == blocks && paged.blocks?.overview == 7)
        #expect(try ClusterDescription(paged.json) == paged)
        paged.blocks?.chapterSize = 2
        paged.format = 5
        #expect(paged.json.asObject?["format"] == 5 && paged.blocks?.overview == 9)
        #expect(try ClusterDescription(paged.json) == paged)
    }

    @Test(arguments: [
        ([1_024], true), ([1_025], false), ([32, 32], true), ([32, 33], false),
        ([1, 1_025], false),
        ([2, 2, 2], false), ([], false), ([0], true),
    ])
    func `a facet has one or two axes, and so many counts`(counts: [Int], isTaken: Bool) {
        var account = Self.plain
        account.layers[0].facets[0].axes = counts.map { count in
            .init(attribute: "a", values: (0..<count).map { "\($0)" })
        }
        let read = try? ClusterDescription(account.json)
        #expect((read == account) == isTaken)
        // The rest and those without a value are counts, too.
        var axis = Self.axis
        #expect(axis.count == 2)
        (axis.otherValues, axis.hasNone) = (5, true)
        #expect(axis.count == 4)
    }
}
