import ArchiveContract
import Clustering
import Geometry

/// Compares the positions of clusters with their points: at the mean or at one of them, by the
/// recipe; without a recipe, among them.
struct PositionCheck {
    let layer: RestoredLayer

    /// The greatest error, in steps of the grid, from rounding points and from each merge on the way up.
    private static let slack = 4.0

    func check(_ findings: inout FindingList) {
        for (cluster, record) in layer.clusters.enumerated() {
            guard let fault = fault(of: cluster, record) else { continue }
            findings.add(.error, "moved", fault, at: "cluster \(layer.ids[cluster])")
        }
    }

    private func fault(of cluster: Int, _ record: ClusterRecord) -> String? {
        guard isAmong(cluster, record) else { return "a cluster does not lie among its points" }
        switch layer.rules?.options.position {
        case nil: return nil
        case .centroid:
            return isMean(cluster, record)
                ? nil : "a cluster is not at the mean of its points"
        case .anchor, .nearest, .max, .min:
            return isPoint(cluster, record) ? nil : "a cluster is not at one of its points"
        }
    }

    private func isAmong(_ cluster: Int, _ record: ClusterRecord) -> Bool {
        let slack = 2 / GridPoint.steps
        let box = layer.boxes[cluster]
        let position = record.position.worldPoint
        let isAmong =
            isHalfTheWorld(box)
            || [0, 1, -1].contains { turn in
                position.x + turn >= box.minX - slack && position.x + turn <= box.maxX + slack
            }
        return isAmong && position.y >= box.minY - slack && position.y <= box.maxY + slack
    }

    /// On a world that wraps, the way around which points merged says where their mean lies, and which box is theirs.
    private func isHalfTheWorld(_ box: WorldBox) -> Bool {
        layer.said.wraps && box.maxX - box.minX >= 0.5
    }

    private func isMean(_ cluster: Int, _ record: ClusterRecord) -> Bool {
        let leaves = layer.tree.leafRange(of: cluster)
        guard let mean = layer.means.mean(of: leaves) else { return true }
        let slack = Self.slack + layer.means.slack(of: leaves)
        let (x, y) = (Double(record.position.x), Double(record.position.y))
        guard abs(mean.y - y) <= slack else { return false }
        let box = layer.boxes[cluster]
        if isHalfTheWorld(box) { return true }
        // Near the antimeridian, the same place may be on either side of the world.
        let isInside = box.minX > 1e-6 && box.maxX < 1 - 1e-6
        let middle = isInside ? mean.x : meanAround(box, leaves)
        return (middle - x).remainder(dividingBy: GridPoint.steps).magnitude <= slack
    }

    /// The mean of positions around the centre of a box, across the antimeridian.
    private func meanAround(_ box: WorldBox, _ leaves: Range<Int>) -> Double {
        var (sum, total) = (0.0, 0.0)
        let center = (box.minX + box.maxX) / 2
        for leaf in leaves {
            let x = layer.points.position(of: leaf).x
            let weight = layer.weight(ofPoint: leaf)
            sum += weight * (x + (center - x).rounded())
            total += weight
        }
        return sum / total * GridPoint.steps
    }

    private func isPoint(_ cluster: Int, _ record: ClusterRecord) -> Bool {
        let (x, y) = (Double(record.position.x), Double(record.position.y))
        return layer.tree.leafRange(of: cluster).contains { leaf in
            let point = layer.points.position(of: leaf)
            let dx = (point.x * GridPoint.steps - x).remainder(dividingBy: GridPoint.steps)
            return abs(dx) <= 1 && abs(point.y * GridPoint.steps - y) <= 1
        }
    }
}

/// Running sums over all points, which give the mean of any consecutive points.
struct PointMeans: Sendable {
    private var xs = [0.0]
    private var ys = [0.0]
    private var weights = [0.0]

    /// - Parameter weight: the weight of a point.
    init(_ count: Int, position: (Int) -> WorldPoint, weight: (Int) -> Double) {
        for point in 0..<count {
            let weight = weight(point)
            let position = position(point)
            xs.append(xs[point] + weight * position.x * GridPoint.steps)
            ys.append(ys[point] + weight * position.y * GridPoint.steps)
            weights.append(weights[point] + weight)
        }
    }

    /// The mean in steps of the grid; nil if the points have no weight, or sums are too large to tell.
    func mean(of points: Range<Int>) -> (x: Double, y: Double)? {
        let weight = weights[points.upperBound] - weights[points.lowerBound]
        let (x, y) = (
            (xs[points.upperBound] - xs[points.lowerBound]) / weight,
            (ys[points.upperBound] - ys[points.lowerBound]) / weight
        )
        return weight > 0 && x.isFinite && y.isFinite ? (x, y) : nil
    }

    /// The greatest error of a mean, in steps: each of the sums that it takes may be off by its last bit.
    func slack(of points: Range<Int>) -> Double {
        let weight = weights[points.upperBound] - weights[points.lowerBound]
        return max(xs.last ?? 0, ys.last ?? 0).ulp * Double(points.count + 4) / weight
    }
}
