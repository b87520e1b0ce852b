import ArchiveContract
import Clustering
import PointInput
import Points
import Recipes

/// Compares an archive's description of its facets, and the labels of moments that points carry, with the points.
struct FacetCheck {
    let layer: RestoredLayer

    func check(_ findings: inout FindingList) {
        guard let rules = layer.rules else { return }
        let found = layer.facets.map { ClusterDescription.Facet($0, zone: rules.facetZone) }
        for facet in found where !layer.said.facets.contains(facet) {
            findings.add(
                .error, "facets", "the values of a facet are not those of the points",
                at: "\(layer.name) \(facet.name)")
        }
        for label in (try? rules.dateLabels()) ?? [] { check(label, &findings) }
    }

    private func check(_ label: DateLabel, _ findings: inout FindingList) {
        let keys = layer.points.attributes.keys
        let key = keys.key(named: label.name)
        guard let source = keys.key(named: label.attribute) else { return }
        var labeller = DateLabeller(label)
        var wrong: [Int] = []
        layer.points.attributes.forEachRecord(of: 0..<layer.points.count) { leaf, record in
            var expected: String?
            if let value = record.value(of: source) { expected = labeller.label(of: value) }
            var carried: AttributeValue?
            if let key { carried = record.value(of: key)?.unpacked }
            if carried != expected.map(AttributeValue.text), wrong.count < 5 { wrong.append(leaf) }
        }
        for leaf in wrong {
            findings.add(
                .error, "labels", "\(label.name) of a point is not that of its \(label.attribute)",
                at: "\(layer.name) point \(layer.leaves.lowerBound + Int64(leaf))")
        }
    }
}
