import Clustering
import Geometry
import Testing

struct GridFitTests {
    @Test
    func `a fitted radius divides the world into whole cells, as near to what was asked as can be`()
    {
        for pixels in [1.0, 7, 40, 50, 80, 300, 511, 700] {
            let fitted = Radius(pixels).fittedToWorld.pixels(atZoom: 0)
            let cells = 512 / fitted
            #expect(abs(cells - cells.rounded()) < 1e-9 && cells >= 1)
            for other in [cells - 1, cells + 1] where other >= 1 {
                #expect(abs(512 / pixels - cells) <= abs(512 / pixels - other))
            }
        }
        #expect(Radius(50).fittedToWorld.pixels(atZoom: 3) == 51.2)
        #expect(Radius(64).fittedToWorld.pixels(atZoom: 3) == 64)
    }

    @Test(arguments: [[0: 80.0, 10: 40], [0: 50, 4: 60, 9: 33], [0: 90, 1: 20], [2: 100, 3: 5]])
    func `cells of all zooms nest, whatever the stops`(stops: [Int: Double]) throws {
        var options = ClusterOptions(radius: Radius(stops: stops).fittedToWorld, maxZoom: 14)
        options.algorithm = .grid
        try options.validate()
        for zoom in 0...14 {
            let cells = 1 / options.radius.distance(atZoom: zoom)
            #expect(abs(cells - cells.rounded()) < 1e-6 * cells)
        }
    }

    @Test func `no cell is cut at the antimeridian`() throws {
        // Two points left and right of it, each at the edge of the outermost cells' middle.
        let radius = Radius(50).fittedToWorld
        var options = ClusterOptions(radius: radius, maxZoom: 0)
        options.algorithm = .grid
        let points = (0..<100).map { number in
            Samples.Point(position: WorldPoint(x: (Double(number) + 0.5) / 100, y: 0.25))
        }
        let tree = try ClusterTree(of: Samples.table(points), options: options, threads: 1)
        // Ten cells of ten points each.
        #expect(tree.clusterCount == 10)
        #expect((0..<10).allSatisfy { tree.leaves[$0] == 10 })
    }
}
