import Clustering
import Points
import Recipes

/// The facts that are known when all points have been read once, from which a plan is made.
struct PointSurvey {
    var counts = PointCounts()
    var layers: [JobPlan.Layer]
    private var groups: [Set<[UInt8]>]
    private var facets: [FacetTally]
    private(set) var greatestID: UInt64?
    private(set) var leastOffEquator = 0.5
    /// A sum over all points.
    private(set) var content: UInt64 = 0

    /// - Parameter facets: the attributes by whose values points of each layer are counted.
    init(facets: [[Facet]]) {
        self.facets = facets.map { FacetTally($0) }
        layers = facets.map { _ in JobPlan.Layer() }
        groups = facets.map { _ in [] }
    }

    /// Includes some points of a layer.
    mutating func add(_ points: PointTable, layer: Int, of recipe: Recipe, sum: UInt64) {
        let clusters = recipe.layers[layer].clusters?.options
        counts.add(points.xs.span, points.ys.span, wraps: clusters?.wrap ?? true)
        layers[layer].points += points.count
        layers[layer].recordBytes += points.attributes.recordBytes
        if let greatest = points.greatestID { greatestID = max(greatestID ?? 0, greatest) }
        leastOffEquator = min(leastOffEquator, Occupancy.leastOffEquator(of: points))
        if let name = clusters?.groupBy {
            let rows = Column(0..<UInt32(points.count))
            groups[layer].formUnion(PointGroups.rows(rows, of: points, by: name).keys)
        }
        facets[layer].add(points)
        content = sum ^ (content &* 31)
    }

    /// Adds the survey of other points.
    mutating func add(_ other: PointSurvey) {
        counts.add(other.counts)
        for (layer, more) in other.layers.enumerated() {
            layers[layer].points += more.points
            layers[layer].recordBytes += more.recordBytes
            groups[layer].formUnion(other.groups[layer])
            facets[layer].add(other.facets[layer])
        }
        if let greatest = other.greatestID { greatestID = max(greatestID ?? 0, greatest) }
        leastOffEquator = min(leastOffEquator, other.leastOffEquator)
        content = other.content ^ (content &* 31)
    }

    /// Subtracts the survey of removed points, except for what only they may have had: groups and extremes.
    mutating func remove(_ other: PointSurvey) {
        counts.remove(other.counts)
        for (layer, less) in other.layers.enumerated() {
            layers[layer].points -= less.points
            layers[layer].recordBytes -= less.recordBytes
            facets[layer].remove(other.facets[layer])
        }
        content = other.content ^ (content &* 31)
    }

    /// Whether these points have all groups and extremes of others, so that nothing is lost with those.
    func covers(_ other: PointSurvey) -> Bool {
        zip(groups, other.groups).allSatisfy { $0.isSuperset(of: $1) }
            && leastOffEquator <= other.leastOffEquator
            && (other.greatestID.map { $0 <= greatestID ?? 0 } ?? true)
    }

    /// Sorts the counts, once all points have been counted.
    mutating func settle(_ recipe: Recipe, _ keys: AttributeKeys) throws {
        counts.gather()
        for (index, layer) in recipe.layers.enumerated() {
            layers[index].facets = try facets[index].layouts()
            guard let name = layer.clusters?.options.groupBy else { continue }
            guard keys.key(named: name) != nil else {
                throw ClusteringError.contradiction(
                    "groupBy: no point has an attribute '\(name)'")
            }
            layers[index].groups = PointGroups.inOrder(groups[index])
        }
    }
}

extension PointSurvey {
    func write(to sink: inout BlockSink) {
        counts.write(to: &sink)
        for (layer, groups) in zip(layers, groups) {
            sink.write(layer.points, layer.recordBytes, PointGroups.inOrder(groups))
        }
        for tally in facets { tally.write(to: &sink) }
        sink.write(greatestID, leastOffEquator, content)
    }

    init(_ source: inout BlockSource, facets: [[Facet]]) throws(BlockSource.Damaged) {
        self.init(facets: facets)
        counts = try PointCounts(&source)
        for layer in facets.indices {
            let own: [[UInt8]]
            (layers[layer].points, layers[layer].recordBytes, own) = try source.values()
            groups[layer] = Set(own)
        }
        for layer in facets.indices {
            self.facets[layer] = try FacetTally(facets[layer], from: &source)
        }
        (greatestID, leastOffEquator, content) = try source.values()
    }
}

extension PointSurvey {
    init(of recipe: Recipe) throws { self.init(facets: try recipe.facets()) }
}
