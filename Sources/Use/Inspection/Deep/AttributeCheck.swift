import ArchiveContract
import Geometry
import JSON
import Points
import Recipes
import VectorTile

/// Compares the attributes of clusters in a tile's layer with those computed again.
struct AttributeCheck {
    private let restored: RestoredLayer
    /// The meaning of each of the layer's keys.
    private let roles: [Role]

    private enum Role {
        case own(ClusterAttribute)
        case inherited(String)
        case remade(AttributeKey, String)
        /// An attribute that the recipe does not ask for.
        case foreign(String)
    }

    init(_ restored: RestoredLayer, keysOf layer: borrowing LayerView) {
        self.restored = restored
        let keys = restored.tree.attributes.keys
        var roles: [Role] = []
        for index in 0..<layer.keyCount {
            let name = layer.key(at: index)
            if let own = ClusterAttribute(rawValue: name),
                ClusterAttribute.namesReservedInPoints.contains(name)
                    || restored.fields.contains(own)
            {
                roles.append(.own(own))
            } else if restored.inherited.contains(name) {
                roles.append(.inherited(name))
            } else if let key = keys.key(named: name) {
                roles.append(.remade(key, name))
            } else {
                roles.append(.foreign(name))
            }
        }
        self.roles = roles
    }

    /// Calls `fail` with the id of each wrong cluster and its fault.
    /// - Parameter carried: gets the names of attributes that clusters have beyond those of the index.
    func run(
        _ layer: borrowing LayerView, _ carried: inout Set<String>, fail: (Int64, String) -> Void
    ) throws(TileError) {
        var features = layer.features()
        while let feature = try features.next() {
            guard let id = feature.id.flatMap({ Int64(exactly: $0) }),
                try isCluster(feature, layer), let cluster = restored.cluster(id)
            else { continue }
            try check(feature, layer, cluster, &carried) { fail(id, $0) }
        }
    }

    private func isCluster(
        _ feature: borrowing FeatureView, _ layer: borrowing LayerView
    ) throws(TileError) -> Bool {
        var tags = feature.tags()
        while let tag = try tags.next() {
            if case .own(.cluster) = roles[tag.key] { return true }
        }
        return false
    }

    private func check(
        _ feature: borrowing FeatureView, _ layer: borrowing LayerView, _ cluster: Int,
        _ carried: inout Set<String>, fail: (String) -> Void
    ) throws(TileError) {
        var met = 0
        var own: Set<ClusterAttribute> = []
        var tags = feature.tags()
        while let tag = try tags.next() {
            let value = layer.value(at: tag.value)
            switch roles[tag.key] {
            case .own(let attribute):
                own.insert(attribute)
                if attribute.isOnRequest { carried.insert(attribute.name) }
                if let fault = fault(of: attribute, value.value, cluster) { fail(fault) }
            case .inherited(let name):
                carried.insert(name)
                if !isInherited(name, AttributeValue(value.value), cluster) {
                    fail("\(name) is that of none of its points")
                }
            case .remade(let key, let name):
                met += 1
                carried.insert(name)
                if let fault = fault(of: key, name, value, cluster) { fail(fault) }
            case .foreign(let name):
                carried.insert(name)
                fail("\(name) is nothing that was asked for")
            }
        }
        if let missing = missing(own, met, cluster) { fail(missing) }
    }

    private func fault(
        of key: AttributeKey, _ name: String, _ value: borrowing ValueView, _ cluster: Int
    ) -> String? {
        let drawn = AttributeValue(value.value)
        let remade = restored.tree.attributes.withRecord(of: cluster) {
            $0.value(of: key)?.unpacked
        }
        guard let remade else { return "\(name) is \(drawn.words), and its points have none" }
        return remade == drawn || remade.asNumber == drawn.asNumber && drawn.asNumber != nil
            ? nil : "\(name) is \(drawn.words), not \(remade.words)"
    }

    /// The fault of an attribute that `covey verify` without `--deep` has not compared with the index.
    private func fault(of attribute: ClusterAttribute, _ value: TileValue, _ cluster: Int)
        -> String?
    {
        switch attribute {
        case .cluster, .clusterID, .pointCount, .pointCountAbbreviated, .expansionZoom: return nil
        case .sqrtPointCount:
            let root = Double(restored.clusters[cluster].leafCount).squareRoot()
            let isRight = AttributeValue(value).asNumber.map { abs($0 - root) <= 0.0051 } ?? false
            return isRight ? nil : "\(attribute.name) is not the root of its count"
        case .bbox: return boxFault(value, cluster)
        case .uniqueLocation:
            return restored.isOneSite(cluster)
                ? nil : "\(attribute.name) is set, but its points lie apart"
        case .pointWeight:
            guard let weight = restored.weight(of: cluster) else { return nil }
            let drawn = AttributeValue(value)
            let isRight = drawn.asNumber.map { abs($0 - weight) <= restored.weightSlack } ?? false
            return isRight ? nil : "\(attribute.name) is \(drawn.words), not \(weight)"
        case .parent, .parentDX, .parentDY:
            return wayFault(attribute, AttributeValue(value).asNumber, cluster)
        }
    }

    /// The fault of an offset from a cluster to its parent. The index keeps positions to 4 cm.
    private func wayFault(
        _ attribute: ClusterAttribute, _ drawn: Double?, _ cluster: Int
    ) -> String? {
        guard let parent = restored.tree.parent(of: .cluster(cluster)) else {
            return "\(attribute.name) is set, but it goes into no cluster"
        }
        let record = restored.clusters[parent]
        var expected = Double(restored.ids[parent])
        var slack = 0.0
        if attribute != .parent {
            let (own, other) = (restored.clusters[cluster].position, record.position)
            let world = 512 * Double(UInt64(1) << UInt64(record.expansionZoom))
            var way =
                Double(attribute == .parentDX ? other.x - own.x : other.y - own.y)
                / GridPoint.steps
            if attribute == .parentDX { way -= way.rounded() }
            expected = way * world
            slack = 0.5 + world / GridPoint.steps
        }
        let isRight = drawn.map { abs($0 - expected) <= slack } ?? false
        return isRight
            ? nil : "\(attribute.name) is not that of the cluster that it goes into"
    }

    /// The fault of a box. Leaf blocks keep positions to 4 cm, and boxes have seven decimals.
    private func boxFault(_ value: TileValue, _ cluster: Int) -> String? {
        let name = ClusterAttribute.bbox.name
        guard case .string(let text) = value, let json = try? JSONValue(parsing: text),
            let drawn = json.asArray?.compactMap(\.asNumber), drawn.count == 4
        else { return "\(name) is no box" }
        let box = restored.boxes[cluster].lonLatBox
        let edges = [box.west, box.south, box.east, box.north]
        let isRight = zip(drawn, edges).allSatisfy { drawn, edge in
            let distance = abs(drawn - edge)
            return min(distance, abs(distance - 360)) <= 5e-7
        }
        return isRight ? nil : "\(name) is \(text), not that of its points"
    }

    private func missing(_ own: Set<ClusterAttribute>, _ met: Int, _ cluster: Int) -> String? {
        // Attributes that some clusters lack.
        var optional: Set<ClusterAttribute> = [.uniqueLocation]
        if restored.tree.parent(of: .cluster(cluster)) == nil {
            optional.formUnion(ClusterAttribute.ofParents)
        }
        let absent = restored.fields.subtracting(own).subtracting(optional)
        if let attribute = ClusterAttribute.onRequest.first(where: absent.contains) {
            return "\(attribute.name) is missing"
        }
        var remade: [String] = []
        restored.tree.attributes.withRecord(of: cluster) { record in
            var cursor = record.makeCursor()
            while let attribute = cursor.next() {
                let name = restored.tree.attributes.keys.name(of: attribute.key)
                // The attribute that is grouped by may be inherited too.
                if !restored.inherited.contains(name) { remade.append(name) }
            }
        }
        return remade.count == met ? nil : "it has \(met) of \(remade.count) aggregates"
    }

    private func isInherited(_ name: String, _ value: AttributeValue, _ cluster: Int) -> Bool {
        restored.tree.leafRange(of: cluster).contains {
            restored.points.attributes.value(of: name, row: $0) == value
        }
    }
}

extension RestoredLayer {
    /// Whether all points of a cluster lie within a step of the first.
    func isOneSite(_ cluster: Int) -> Bool {
        let leaves = tree.leafRange(of: cluster)
        let first = points.position(of: leaves.lowerBound)
        let step = 1.5 / GridPoint.steps
        return leaves.allSatisfy { leaf in
            let point = points.position(of: leaf)
            let dx = abs(point.x - first.x)
            return min(dx, abs(dx - 1)) <= step && abs(point.y - first.y) <= step
        }
    }
}

extension AttributeValue {
    fileprivate var words: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .number(let number): "\(number)"
        case .integer(let integer): "\(integer)"
        case .unsigned(let integer): "\(integer)"
        case .bool(let bool): "\(bool)"
        }
    }
}
