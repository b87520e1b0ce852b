import ArchiveContract
import JSON
import Points
import TileArchive

/// Compares `tilestats` with all points and clusters, each counted once.
struct StatisticsCheck {
    let metadata: ArchiveMetadata
    let layers: [RestoredLayer]
    let description: ClusterDescription

    /// - Parameter listsAttributes: whether the clusters' attributes were computed again.
    func check(listsAttributes: Bool, _ findings: inout FindingList) {
        func fail(_ location: String) {
            findings.add(
                .error, "tilestats", "tilestats are not those of the points and clusters",
                at: location)
        }
        guard let stats = metadata.tileStats else { return }
        guard let entries = stats.asObject?["layers"]?.asArray else { return fail("layers") }
        let count = stats.asObject?["layerCount"]?.asNumber
        if count != Double(entries.count) { fail("layerCount") }
        let named = Dictionary(grouping: layers.filter { !$0.leaves.isEmpty }, by: \.name)
        // The archive may have layers of other programs too.
        if entries.count < named.count { fail("layerCount") }
        for (name, parts) in named.sorted(by: { $0.key < $1.key }) {
            let entry = entries.lazy.compactMap(\.asObject).first { $0["layer"]?.asString == name }
            for fault in faults(of: parts, entry ?? JSONObject(), listsAttributes) {
                fail("\(name).\(fault)")
            }
        }
    }

    private func faults(
        of parts: [RestoredLayer], _ entry: JSONObject, _ listsAttributes: Bool
    ) -> [String] {
        guard entry["layer"] != nil else { return ["layer"] }
        var faults: [String] = []
        if entry["geometry"]?.asString != "Point" { faults.append("geometry") }
        let count = parts.reduce(0) { $0 + $1.points.count + $1.clusters.count }
        if entry["count"]?.asNumber != Double(count) { faults.append("count") }
        guard listsAttributes, parts.count == 1, let layer = parts.first,
            let attributes = entry["attributes"]?.asArray
        else { return faults }
        if entry["attributeCount"]?.asNumber != Double(attributes.count) {
            faults.append("attributeCount")
        }
        let found = AttributeRange.all(of: layer, description)
        var listed: Set<String> = []
        for attribute in attributes.compactMap(\.asObject) {
            let name = attribute["attribute"]?.asString ?? ""
            listed.insert(name)
            // The restored clusters do not have the attributes that clusters carry on request.
            let own = ClusterAttribute(rawValue: name)
            guard own?.isOnRequest != true, !layer.inherited.contains(name),
                !layer.facets.contains(where: { $0.facet.attribute == name })
            else {
                continue
            }
            faults += (found[name] ?? AttributeRange()).faults(attribute).map { "\(name).\($0)" }
        }
        faults += found.keys.sorted().filter { !listed.contains($0) }
        return faults
    }
}

/// The values of an attribute over all points and clusters of a layer.
private struct AttributeRange {
    private static let mostValues = 1_000
    private var numbers: (min: Double, max: Double)?
    private var hasTexts = false
    private var hasBools = false
    /// Distinct values; complete up to a limit.
    private var values: Set<AttributeValue> = []

    static func all(
        of layer: RestoredLayer, _ description: ClusterDescription
    ) -> [String: AttributeRange] {
        var ranges: [UInt32: AttributeRange] = [:]
        func include(_ record: borrowing AttributeRecord) {
            var cursor = record.makeCursor()
            while let attribute = cursor.next() {
                ranges[attribute.key.number, default: .init()].include(attribute.value.unpacked)
            }
        }
        layer.points.attributes.forEachRecord(of: 0..<layer.points.count) { include($1) }
        layer.tree.attributes.forEachRecord(of: 0..<layer.clusters.count) { include($1) }
        let keys = layer.points.attributes.keys
        let named = ranges.map { (keys.name(of: AttributeKey(number: $0)), $1) }
        return Dictionary(named) { $1 }.merging(own(of: layer, description)) { $1 }
    }

    /// The attributes that every cluster carries.
    private static func own(
        of layer: RestoredLayer, _ description: ClusterDescription
    ) -> [String: AttributeRange] {
        var ranges: [String: AttributeRange] = [:]
        for record in layer.clusters {
            for member in description.properties(of: record).members {
                let value: AttributeValue? =
                    switch member.value {
                    case .string(let text): .text(text)
                    case .bool(let bool): .bool(bool)
                    case let value: value.asNumber.map { AttributeValue(canonical: $0) }
                    }
                if let value { ranges[member.key, default: .init()].include(value) }
            }
        }
        return ranges
    }

    private mutating func include(_ value: AttributeValue) {
        switch value {
        case .text: hasTexts = true
        case .bool: hasBools = true
        case .number, .integer, .unsigned:
            if let number = value.asNumber {
                numbers = (min(numbers?.min ?? number, number), max(numbers?.max ?? number, number))
            }
        }
        if values.count <= Self.mostValues { values.insert(value) }
    }

    /// The wrong members of an entry of `tilestats`.
    func faults(_ entry: JSONObject) -> [String] {
        var faults: [String] = []
        let kinds = [(numbers != nil, "number"), (hasTexts, "string"), (hasBools, "boolean")]
            .filter(\.0).map(\.1)
        if entry["type"]?.asString != (kinds.count == 1 ? kinds[0] : "mixed") {
            faults.append("type")
        }
        if entry["count"]?.asNumber != Double(min(values.count, Self.mostValues)) {
            faults.append("count")
        }
        if let numbers {
            if entry["min"]?.asNumber != numbers.min { faults.append("min") }
            if entry["max"]?.asNumber != numbers.max { faults.append("max") }
        }
        if values.count <= Self.mostValues, let listed = entry["values"]?.asArray {
            let known = Set(values.map(\.statistic))
            if listed.contains(where: { !known.contains($0.text()) }) { faults.append("values") }
        }
        return faults
    }
}

extension AttributeValue {
    /// The value in the form of `tilestats`.
    fileprivate var statistic: String {
        switch self {
        case .text(let text): JSONValue.string(text).text()
        case .bool(let bool): JSONValue.bool(bool).text()
        case .integer(let integer): JSONValue.integer(integer).text()
        case .number(let number):
            (number.isFinite ? JSONValue(canonical: number) : .string("\(number)")).text()
        case .unsigned(let integer): JSONValue.number(Double(integer)).text()
        }
    }
}
