import ArchiveContract
import JSON

/// Joins the `tilestats` of archives: one entry for each layer, with the statistics of all archives
/// that have it.
struct LayerStatisticsJoin {
    private(set) var entries: [JSONObject] = []
    /// The indexes of the entries by the names of their layers.
    private var indexes: [String: Int] = [:]
    /// Whether the numbers of distinct values are certain.
    private(set) var isExact = true

    /// The most values that `tilestats` lists, and the most that it counts.
    private static let mostListed = 100
    private static let mostCounted: Int64 = 1_000

    /// Adds the layers of an archive. The change gives the difference of cluster ids in a layer,
    /// and the attributes that have such ids.
    mutating func add(
        _ stats: JSONValue, idChange: (_ layer: String) -> (by: Int64, attributes: [String])
    ) {
        for entry in stats.asObject?["layers"]?.asArray ?? [] {
            guard var layer = entry.asObject, let name = layer["layer"]?.asString else { continue }
            layer["attributes"] = .array(
                Self.attributes(of: layer).map { .object(Self.moved($0, idChange(name))) })
            if let index = indexes[name] {
                entries[index] = merged(entries[index], layer)
            } else {
                indexes[name] = entries.count
                entries.append(layer)
            }
        }
    }

    func json(inOrderOf names: [String]) -> JSONValue {
        let sorted = entries.inOrder(of: names) { $0["layer"]?.asString ?? "" }
        return [
            "layerCount": .integer(Int64(entries.count)),
            "layers": .array(sorted.map(JSONValue.object)),
        ]
    }

    private static func attributes(of layer: JSONObject) -> [JSONObject] {
        (layer["attributes"]?.asArray ?? []).compactMap(\.asObject)
    }

    /// The statistics of ids after they have changed.
    private static func moved(
        _ attribute: JSONObject, _ change: (by: Int64, attributes: [String])
    ) -> JSONObject {
        guard let name = attribute["attribute"]?.asString, change.attributes.contains(name) else {
            return attribute
        }
        func moved(_ value: JSONValue) -> JSONValue {
            if case .integer(let id) = value { .integer(id + change.by) } else { value }
        }
        var attribute = attribute
        for name in ["min", "max"] { attribute[name] = attribute[name].map(moved) }
        attribute["values"] = attribute["values"]?.asArray.map { .array($0.map(moved)) }
        return attribute
    }

    private mutating func merged(_ a: JSONObject, _ b: JSONObject) -> JSONObject {
        var layer = a
        layer["count"] = .integer(Self.count(a) + Self.count(b))
        var attributes = Self.attributes(of: a)
        for other in Self.attributes(of: b) {
            if let index = attributes.firstIndex(where: { $0["attribute"] == other["attribute"] }) {
                attributes[index] = mergedAttribute(attributes[index], other)
            } else {
                attributes.append(other)
            }
        }
        layer["attributeCount"] = .integer(Int64(attributes.count))
        layer["attributes"] = .array(attributes.map(JSONValue.object))
        return layer
    }

    private static func count(_ object: JSONObject) -> Int64 {
        if case .integer(let count)? = object["count"] { count } else { 0 }
    }

    private mutating func mergedAttribute(_ a: JSONObject, _ b: JSONObject) -> JSONObject {
        var merged = a
        if a["type"] != b["type"] { merged["type"] = "mixed" }
        let (own, others) = (a["values"]?.asArray ?? [], b["values"]?.asArray ?? [])
        var values = Set(own).union(others)
        let all = Int64(values.count)
        let isWhole = Self.count(a) == own.count && Self.count(b) == others.count
        if !isWhole { isExact = false }
        merged["count"] = .integer(
            min(isWhole ? all : max(Self.count(a), Self.count(b), all), Self.mostCounted))
        while values.count > Self.mostListed { values.remove(values.max(by: Self.isBefore)!) }
        merged["values"] = .array(values.sorted(by: Self.isBefore))
        let numbers = [a["min"], b["min"]].compactMap { $0?.asNumber }
        let ends = [a["max"], b["max"]].compactMap { $0?.asNumber }
        merged["min"] = numbers.min().map(JSONValue.init(canonical:))
        merged["max"] = ends.max().map(JSONValue.init(canonical:))
        return merged
    }

    private static func isBefore(_ a: JSONValue, _ b: JSONValue) -> Bool {
        switch (a.asNumber, b.asNumber) {
        case (let a?, let b?): a < b
        case (nil, nil): a.text() < b.text()
        case (let a, _): a != nil
        }
    }
}
