import Clustering
import Foundation
import Geometry
import Points
import TestSupport
import Testing

/// Small versions of the inputs that break clustering, against the definition.
struct PathologicalTests {
    enum Shape: CaseIterable {
        case onePlace, twoPlaces, meridian, parallel, diagonal, gridAtRadius, oneCell, corners
        case antimeridian, poles

        func position(_ index: Int, using random: inout SeededRandom) -> WorldPoint {
            let unit = random.unit()
            // The radius of 64 pixels at zoom 3, exactly.
            let step = 0x1p-6
            return switch self {
            case .onePlace: WorldPoint(x: 0.25, y: 0.75)
            case .twoPlaces: WorldPoint(x: index % 2 == 0 ? 0.25 : 0.25.nextUp, y: 0.5)
            case .meridian: WorldPoint(x: 0.5, y: unit)
            case .parallel: WorldPoint(x: unit, y: 0.5)
            case .diagonal: WorldPoint(x: unit, y: unit)
            case .gridAtRadius:
                WorldPoint(x: Double(index % 7) * step + 0.5, y: Double(index / 7) * step)
            case .oneCell: WorldPoint(x: 0.5 + unit * 1e-12, y: 0.5 + random.unit() * 1e-12)
            case .corners:
                WorldPoint(x: index % 2 == 0 ? 0 : 1.0.nextDown, y: index % 3 == 0 ? 0 : 1)
            case .antimeridian:
                WorldPoint(x: unit < 0.5 ? unit / 100 : 1 - unit / 100, y: 0.5 + unit / 100).wrapped
            case .poles: WorldPoint(x: unit, y: index % 2 == 0 ? 0 : 1)
            }
        }
    }

    @Test(arguments: Shape.allCases, ClusterOptions.Algorithm.allCases)
    func `awkward positions are clustered as defined`(
        shape: Shape, algorithm: ClusterOptions.Algorithm
    ) throws {
        var random = SeededRandom(seed: 21)
        for _ in 0..<6 {
            let points = (0..<40).map {
                Samples.Point(position: shape.position($0, using: &random), id: UInt64($0))
            }
            var options = ReferenceTests.options(using: &random)
            options.algorithm = algorithm
            options.radius = 64
            options.weighted = false
            let tree = try ClusterTree(of: Samples.table(points), options: options, threads: 1)
            let order =
                options.order == .input
                ? Array(points.indices) : StableRank.order(of: points, weighted: false)
            let reference = BruteForce(points, order: order, options: options)
            for zoom in options.minZoom...options.maxZoom {
                let wanted = try #require(reference.levels[zoom])
                #expect(
                    ReferenceTests.agree(tree, zoom, wanted, points, options),
                    "zoom \(zoom), \(options)")
            }
            ReferenceTests.checkInvariants(of: tree, points, options)
        }
    }

    /// Quadratic work on so many points takes some fifty times as long as they should; a slow build
    /// has time for fewer, where it takes twenty times as long.
    #if DEBUG
        static let many = 8_000
        static let options = ClusterOptions(radius: 40, maxZoom: 8)
    #else
        static let many = 30_000
        static let options = ClusterOptions()
    #endif

    @Test func `no shape costs many times what scattered points do`() throws {
        let scattered = try Self.seconds { WorldPoint(x: $0.unit(), y: $0.unit()) }
        for shape in [Shape.onePlace, .meridian, .parallel, .diagonal, .oneCell, .poles] {
            var index = 0
            let seconds = try Self.seconds {
                index += 1
                return shape.position(index, using: &$0)
            }
            #expect(seconds < 15 * scattered + 0.1, "\(shape): \(seconds) s, not \(scattered) s")
        }
    }

    /// The processor time of this thread for clustering that many positions.
    private static func seconds(
        _ position: (inout SeededRandom) -> WorldPoint
    ) throws -> Double {
        var random = SeededRandom(seed: 5)
        let points = Samples.table(
            (0..<many).map { _ in Samples.Point(position: position(&random)) })
        let start = threadSeconds
        _ = try ClusterTree(of: points, options: options, threads: 1)
        return threadSeconds - start
    }

    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    @Test func `the poles are the edges and do not meet`() throws {
        let positions = [90.0, -90, 85.06, -85.06, 89].map {
            WorldPoint(LonLat(longitude: 10, latitude: $0))
        }
        let tree = try EdgeTests.tree(positions)
        #expect(tree.clusterCount == 2)
        let ys = (0..<2).map { tree.ys[$0] }.sorted()
        #expect(ys[0] == 0 && ys[1] == 1)
        #expect((0..<2).map { tree.leaves[$0] }.sorted() == [2, 3])
    }

    @Test func `a deepest zoom before the shallowest makes no clusters`() throws {
        let tree = try EdgeTests.tree(EdgeTests.pair) { $0.maxZoom = -1 }
        #expect(tree.clusterCount == 0 && tree.nodes(at: 0) == [.leaf(0), .leaf(1)])
    }

    @Test func `at zoom 30 neighbours of a nanometre merge`() throws {
        let near = [WorldPoint(x: 0.5, y: 0.5), WorldPoint(x: 0.5.nextUp, y: 0.5)]
        let tree = try EdgeTests.tree(near) { $0.maxZoom = 30 }
        #expect(tree.clusterCount == 1 && tree.zooms[0] == 30)
    }

    @Test func `weights of zero still make a mean`() throws {
        let tree = try EdgeTests.tree(EdgeTests.pair, weight: 0) { $0.weighted = true }
        #expect(tree.weights?[0] == 0 && abs(tree.ys[0] - 0.50005) < 1e-12)
    }

    @Test func `a weight that is no number is refused`() {
        #expect(throws: ClusteringError.self) {
            try EdgeTests.tree(EdgeTests.pair, weight: .nan) { $0.weighted = true }
        }
    }
}
