import ArchiveContract
import ClusterQueries
import Foundation
import TestSupport
import Testing

@testable import TileService

/// How strong heat is drawn, held against what MapLibre adds up.
struct HeatScaleTests {
    @Test func `heat reaches as far as markers stand apart, and is drawn from what is finest`() {
        let plain = HeatScale(finer: nil, spacing: RadiusByZoom(40))
        #expect(plain.radius(at: 3) == 60 && plain.source(of: "a", at: 3) == "a")
        let finer = HeatScale(finer: ("heat", 5), spacing: RadiusByZoom(40))
        #expect(abs(finer.radius(at: 3) - 44) < 1e-9)
        #expect(finer.source(of: "a", at: 5) == "heat" && finer.source(of: "a", at: 6) == "a")
        #expect(HeatScale(finer: nil, spacing: RadiusByZoom(10)).radius(at: 0) == 20)
        #expect(HeatScale(finer: ("h", 1), spacing: RadiusByZoom(10)).radius(at: 0) == 20)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `the densest place is the one where most comes together`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var scale = HeatScale(finer: nil, spacing: RadiusByZoom(40))
        var expected: [Double] = []
        for zoom in 0..<3 {
            let weights = (0..<50).map { _ in
                TileFeatures.Weight(
                    x: random.unit() * 300, y: random.unit() * 300,
                    count: Double(1 + random.next() % 9))
            }
            scale.include(weights, at: zoom)
            expected.append(
                weights.map { place in
                    weights.reduce(0) { sum, weight in
                        let away = hypot(weight.x - place.x, weight.y - place.y) / 60
                        // A normal curve whose third deviation is at the radius.
                        let height = exp(-pow(3 * away, 2) / 2) / (2 * Double.pi).squareRoot()
                        return away > 1 ? sum : sum + weight.count * height
                    }
                }.max() ?? 0)
        }
        #expect(scale.peaks.map(\.zoom) == [0, 1, 2])
        for (peak, density) in zip(scale.peaks, expected) {
            #expect(abs(peak.density / density - 1) < 1e-9)
        }
        let steps = scale.intensity.asArray ?? []
        #expect(
            steps[0] == "interpolate" && steps[1] == ["exponential", 4] && steps[2] == ["zoom"])
        #expect(steps.count == 9)
        for (index, density) in expected.enumerated() {
            #expect(steps[3 + 2 * index] == .integer(Int64(index)))
            let strength = steps[4 + 2 * index].asNumber ?? 0
            #expect(abs(strength * density - 1) < 1e-3)
        }
    }

    @Test func `of places that weigh the same the densest is found`() throws {
        var random = SeededRandom(seed: 7)
        var weights = (0..<4_000).map { _ in
            TileFeatures.Weight(x: random.unit() * 5_000, y: random.unit() * 5_000, count: 1)
        }
        weights += (0..<400).map { _ in
            TileFeatures.Weight(
                x: 3_000 + random.unit() * 60, y: 900 + random.unit() * 60, count: 1)
        }
        var scale = HeatScale(finer: nil, spacing: RadiusByZoom(50))
        let places = scale.include(weights, at: 9)
        let place = try #require(places.first)
        #expect(hypot(place.x - 3_030, place.y - 930) < 30)
        let middle = weights.reduce(0) { sum, weight in
            let away = hypot(weight.x - 3_030, weight.y - 930) / 75
            return away > 1 ? sum : sum + 0.3989422804 * exp(-4.5 * away * away)
        }
        #expect(try #require(scale.peaks.first).density > 0.9 * middle)
        for (index, one) in places.enumerated() {
            for other in places[..<index] { #expect(hypot(one.x - other.x, one.y - other.y) > 150) }
        }
    }

    @Test func `one zoom has one strength, and none has that of a single point`() {
        var scale = HeatScale(finer: nil, spacing: RadiusByZoom(40))
        #expect(scale.intensity.asNumber == 1)
        scale.include([], at: 4)
        #expect(scale.peaks.isEmpty)
        scale.include([.init(x: 3, y: 4, count: 10)], at: 4)
        // Four figures of 1 / (10 · 0.39894).
        #expect(abs((scale.intensity.asNumber ?? 0) - 0.2507) < 1e-9)
    }
}
