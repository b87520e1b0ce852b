import ArchiveContract
import Clustering
import Geometry
import JSON
import PointInput
import Recipes

/// What a job makes, and how the world is cut for it: the document that all its phases read.
struct JobPlan: Sendable {
    /// The facts about a layer's points.
    struct Layer: Sendable {
        var points = 0
        /// The size in bytes of their attributes.
        var recordBytes = 0
        /// The packed values that it is grouped by, in the order of the hierarchies.
        var groups: [[UInt8]] = [[]]
        /// The attributes by whose values they are counted.
        var facets: [FacetLayout] = []
        var report = InputReport()
    }

    let recipe: Recipe
    let generator: String
    let maxZoom: UInt8
    let zoomReason: String
    /// The names of all attributes, in the order of their key numbers.
    let names: [String]
    let greatestID: UInt64?
    let layers: [Layer]
    let cells: [TileID]
    let counts: [Int]
    let cutZoom: Int
    /// The levels above the cells.
    let levels: [Level]
    /// About how many nodes are handed up to the top.
    let expectedNodes: Int
    /// The margin in which a cell is looked at first, in radii; nil means the usual one.
    let margin: Double?
    /// The most passes that a zoom is supposed to take.
    let passLimit: Int
    /// The inputs at the time of the plan: names, sizes and times.
    let sources: [String]
    /// The zoom of the cells, if that was asked for.
    let cellZoom: Int?
    /// A sum over all points.
    let content: UInt64
    /// The names of the parts in which points stay; a part that counts twice is there twice.
    let parts: [String]
    /// The job of the same kind that was here before, for other points.
    var after: String?
    /// The sum by which an archive names its points, where they are kept.
    var points: String?
    /// The points of the present archive, until this job has made its own.
    var before: KeptParts?

    var leafCount: Int { layers.reduce(0) { $0 + $1.points } }

    /// The name that distinguishes the job from all others.
    var job: String { Self.sum(of: members) }

    /// A sum over all that is decided for the whole world. Jobs of one kind make the same files of the same points.
    var kind: String {
        let all = members
        var object: JSONObject = [:]
        for name in ["generator", "maxZoom", "cutZoom", "passLimit", "margin"] {
            object[name] = all[name]
        }
        object["recipe"] = recipe.withoutSources.json
        object["cells"] = .array(cells.map { .string($0.cellName) })
        object["levels"] = all["levels"]
        object["layers"] = .array(layers.map(\.kind))
        object["renamed"] = .array(
            names.filter { $0.hasPrefix("input_") }.sorted().map(JSONValue.string))
        return Self.sum(of: object)
    }

    private static func sum(of members: JSONObject) -> String {
        String(ByteSum.of(JSONValue.object(members).text()), radix: 16)
    }

    /// Whether the plan is for this recipe and these inputs.
    func answers(_ recipe: Recipe, _ options: BuildOptions, _ sources: [String]) -> Bool {
        self.recipe.json == recipe.json && answersButInputs(recipe, options)
            && self.sources == sources
    }

    /// Whether the plan is for this recipe, whatever its inputs are now.
    func answersButInputs(_ recipe: Recipe, _ options: BuildOptions) -> Bool {
        self.recipe.withoutSources.json == recipe.withoutSources.json
            && generator == options.generator && margin == options.cells.margin
            && passLimit == options.cells.passLimit && cellZoom == options.cells.zoom
    }

    private var members: JSONObject {
        var object: JSONObject = [
            "recipe": recipe.json, "generator": .string(generator),
            "maxZoom": .integer(Int64(maxZoom)), "zoomReason": .string(zoomReason),
            "names": .array(names.map(JSONValue.string)),
            "layers": .array(layers.map(\.json)),
            "cutZoom": .integer(Int64(cutZoom)), "passLimit": .integer(Int64(passLimit)),
            "expectedNodes": .integer(Int64(expectedNodes)),
            "cells": .array(
                zip(cells, counts).map { cell, count in
                    [
                        .integer(Int64(cell.z)), .integer(Int64(cell.x)),
                        .integer(Int64(cell.y)), .integer(Int64(count)),
                    ]
                }),
            "levels": .array(levels.map(\.json)),
            "sources": .array(sources.map(JSONValue.string)),
            "content": .string(String(content, radix: 16)),
        ]
        object["greatestID"] = greatestID.map { .string(String($0)) }
        object["margin"] = margin.map { .string(String($0.bitPattern, radix: 16)) }
        object["cellZoom"] = cellZoom.map { .integer(Int64($0)) }
        if !parts.isEmpty { object["parts"] = .array(parts.map(JSONValue.string)) }
        object["points"] = points.map(JSONValue.string)
        object["before"] = before?.json
        return object
    }

    /// The plan as a document, with its version and the names of jobs.
    var json: JSONValue {
        var object = members
        object["version"] = .integer(Int64(JobFile.version))
        object["job"] = .string(job)
        object["after"] = after.map(JSONValue.string)
        return .object(object)
    }

    /// Reads a plan; nil if it is damaged.
    init?(_ json: JSONValue) {
        guard let object = json.asObject,
            let recipe = object["recipe"].flatMap({ try? Recipe(reading: JSONNode($0)) }),
            let generator = object["generator"]?.asString,
            let maxZoom = object["maxZoom"]?.asInt.flatMap(UInt8.init(exactly:)),
            let zoomReason = object["zoomReason"]?.asString,
            let names = object["names"]?.asArray?.compactMap(\.asString),
            let layers = Self.layers(object["layers"], recipe),
            let cutZoom = object["cutZoom"]?.asInt,
            let passLimit = object["passLimit"]?.asInt, passLimit > 0,
            let expectedNodes = object["expectedNodes"]?.asInt,
            let cells = object["cells"]?.asArray?.compactMap({ $0.asArray?.compactMap(\.asInt) }),
            let levels = Self.levels(object["levels"]),
            let sources = object["sources"]?.asArray?.compactMap(\.asString),
            let content = object["content"]?.asString.flatMap({ UInt64($0, radix: 16) }),
            cells.allSatisfy({ $0.count == 4 }), layers.count == recipe.layers.count
        else { return nil }
        self.recipe = recipe
        self.generator = generator
        self.maxZoom = maxZoom
        self.zoomReason = zoomReason
        (self.names, self.layers, self.cutZoom) = (names, layers, cutZoom)
        self.levels = levels
        self.passLimit = passLimit
        self.expectedNodes = expectedNodes
        self.cells = cells.compactMap { TileID(zoom: $0[0], column: $0[1], row: $0[2]) }
        counts = cells.map { $0[3] }
        self.sources = sources
        self.content = content
        greatestID = object["greatestID"]?.asString.flatMap { UInt64($0) }
        margin = object["margin"]?.asString.flatMap {
            UInt64($0, radix: 16).map(Double.init(bitPattern:))
        }
        cellZoom = object["cellZoom"]?.asInt
        parts = (object["parts"]?.asArray ?? []).compactMap(\.asString)
        after = object["after"]?.asString.flatMap { UInt64($0, radix: 16) == nil ? nil : $0 }
        points = object["points"]?.asString
        before = object["before"].flatMap(KeptParts.init)
        guard CellDivision.isWhole(self.cells), object["job"]?.asString == job else { return nil }
    }

    private static func levels(_ json: JSONValue?) -> [Level]? {
        guard let entries = json?.asArray else { return nil }
        let levels = entries.compactMap(Level.init)
        return levels.count == entries.count ? levels : nil
    }

    private static func layers(_ json: JSONValue?, _ recipe: Recipe) -> [Layer]? {
        guard let entries = json?.asArray, entries.count == recipe.layers.count else { return nil }
        return zip(entries, recipe.layers).compactMap { Layer($0, $1) }
    }

    init(
        recipe: Recipe, generator: String, _ zooms: ZoomPlan, names: [String], greatestID: UInt64?,
        layers: [Layer], _ choice: CellChoice, _ cells: CellOptions, sources: [String],
        content: UInt64, parts: [String] = []
    ) {
        self.recipe = recipe
        self.generator = generator
        maxZoom = zooms.maxZoom
        zoomReason = zooms.reason
        self.names = names
        self.greatestID = greatestID
        self.layers = layers
        self.cells = choice.division.cells
        counts = choice.division.counts
        cutZoom = choice.cutZoom
        levels = choice.levels
        expectedNodes = choice.nodes
        margin = cells.margin
        passLimit = cells.passLimit
        cellZoom = cells.zoom
        self.sources = sources
        self.content = content
        self.parts = parts
    }
}

extension JSONValue {
    var asInt: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
}
