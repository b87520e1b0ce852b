import Clustering
import Geometry
import Points

/// Inputs that would make a careless search quadratic, each of a million points.
enum ClusteringExtremes: String, CaseIterable {
    case coincident = "at one place"
    case row = "along a parallel"
    case column = "along a meridian"
    case cell = "in one cell"
    case grid = "on an exact grid"
    case sorted = "sorted"

    static func run(_ session: BenchSession, spaced: Double) throws {
        for kind in allCases {
            let points = kind.points(1_000_000)
            let time = try session.cpuSeconds(runs: 1) { try ClusteringBench.cluster(points) }
            session.figure(
                "a million points \(kind.rawValue) ÷ skewed", time / spaced, "×", wanted: "≤ 3×")
        }
    }

    private func points(_ count: Int) -> PointTable {
        if self == .sorted { return Self.sorted(SkewedPoints.make(count)) }
        var random = SplitMix(state: 1)
        return Self.table(
            (0..<count).lazy.map { index in
                let (a, b) = (random.unit(), random.unit())
                return switch self {
                case .row: WorldPoint(x: a, y: 0.4)
                case .column: WorldPoint(x: 0.4, y: a)
                case .cell: WorldPoint(x: 0.5 + a * 1e-5, y: 0.4 + b * 1e-5)
                case .grid:
                    WorldPoint(x: Double(index % 1024) / 1024, y: Double(index >> 10) / 1024)
                case .coincident, .sorted: WorldPoint(x: 0.3, y: 0.4)
                }
            })
    }

    private static func sorted(_ points: PointTable) -> PointTable {
        let rows = (0..<points.count).sorted {
            (points.ys[$0], points.xs[$0]) < (points.ys[$1], points.xs[$1])
        }
        return table(rows.lazy.map { points.position(of: $0) })
    }

    private static func table(_ places: some Sequence<WorldPoint>) -> PointTable {
        SkewedPoints.table(
            places.enumerated().lazy.map { ($1, Double($0 % 1000) / 8) })
    }
}
