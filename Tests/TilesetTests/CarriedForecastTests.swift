import Clustering
import Testing

@testable import Tileset

extension ForecastTests {
    @Test func `what clusters carry counts for two in five points, and in cells twice`() throws {
        let axis = FacetLayout.Axis(values: (0..<25).map { "v\($0)" })
        var options = ClusterOptions()
        options.facets = [try FacetLayout(Facet(parsing: "a*b"), axes: [axis, axis])]
        #expect(CarriedBytes(of: options) == CarriedBytes(values: 0, facets: options.facets))
        let carried = CarriedBytes(of: options)
        #expect(carried.ofCluster == 750 && carried.ofPoint == 300)
        let plain = MemoryForecast(points: 10, tableBytes: 5).bytes
        #expect(MemoryForecast(points: 10, tableBytes: 5, carried: 3_000).bytes == plain + 3_000)
        let least = 160 << 20
        let layers = [options, ClusterOptions()]
        #expect(CellForecast.bytes(points: 1_000, layers) == least + 1_000_000)
        #expect(CellForecast.points(within: least + 10_000, [options]) == 10)
        #expect(CellForecast.mostNodes([options], memory: least + 9_500) == 10)
        var run = BuildOptions()
        (run.threads, run.memory) = (4, least + 2_000_000)
        #expect(CellForecast.together([1_000, 10, 10], run, [options]) == 2)
        options.facets = [try FacetLayout(Facet(parsing: "a=sum:n"), axes: [axis])]
        options.aggregates = [try Aggregate(parsing: "a=sum:n")]
        options.inherit = ["kind"]
        #expect(CarriedBytes(of: options).ofCluster == 264)
    }
}
