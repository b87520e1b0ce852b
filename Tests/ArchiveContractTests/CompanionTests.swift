import ArchiveContract
import Testing

/// The layers that stand beside one of points.
struct CompanionTests {
    @Test func `each companion is there where the layer says so, by its own name`() {
        for heat in [nil, 3] {
            for spread in [nil, 12.5] {
                for hasBins in [false, true] {
                    var layer = ClusterDescription.Layer(
                        name: "a", leaves: 0..<9, minZoom: 0, maxZoom: 4, clustering: nil)
                    layer.heatMaxZoom = heat
                    layer.spread = spread
                    if hasBins { layer.bins = .init(Bins(.hexagon, pixels: 60), maxZoom: 4) }
                    var wanted: [CompanionLayer] = []
                    if heat != nil { wanted.append(.heat) }
                    if spread != nil { wanted.append(.legs) }
                    if hasBins { wanted.append(.bins) }
                    #expect(layer.companions.map(\.kind) == wanted)
                    #expect(layer.companions.map(\.name) == wanted.map { $0.name(beside: "a") })
                }
            }
        }
        let names = [CompanionLayer.heat, .legs, .bins].map { $0.name(beside: "a") }
        #expect(Set(names).count == 3 && names.allSatisfy { $0.hasPrefix("a") && $0 != "a" })
    }
}
