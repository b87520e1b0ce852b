import ArchiveContract
import Points

/// What the leaves of a cell weigh, at their numbers in the archive: the first block of a leaf file.
struct CellWeights {
    /// Of a layer: steps of `LeafWeights`, of which a cell has few, and the sum at each.
    private struct Sums {
        var steps: Column<UInt32>
        var sums: Column<UInt32>
    }

    private var layers: [Sums] = []

    init(_ layers: [CellNodes]) {
        for nodes in layers { self.layers.append(Self.sums(of: nodes)) }
    }

    private static func sums(of nodes: CellNodes) -> Sums {
        var byStep: [UInt32: UInt32] = [:]
        for row in 0..<nodes.leafNumbers.count {
            let step = nodes.leafNumbers[row] / UInt32(LeafWeights.step)
            let weight = LeafWeights.counted(nodes.points.weight(of: row))
            byStep[step] = (byStep[step] ?? 0) + weight
        }
        let sorted = byStep.sorted { $0.key < $1.key }
        return Sums(steps: Column(sorted.map(\.key)), sums: Column(sorted.map(\.value)))
    }

    fileprivate func write(to sink: inout BlockSink) {
        for layer in layers {
            sink.write(layer.steps)
            sink.write(layer.sums)
        }
    }

    init(_ source: inout BlockSource, layers count: Int) throws(BlockSource.Damaged) {
        for _ in 0..<count {
            let steps: Column<UInt32> = try source.column()
            let sums: Column<UInt32> = try source.column()
            guard steps.count == sums.count else { throw BlockSource.Damaged() }
            layers.append(Sums(steps: steps, sums: sums))
        }
    }

    /// Adds what the cell has to what others had; false if it has more than there is.
    func add(to weights: inout [LeafWeights]) -> Bool {
        for (layer, own) in layers.enumerated() {
            for index in 0..<own.steps.count {
                let step = Int(own.steps[index])
                guard step < weights[layer].sums.count else { return false }
                weights[layer].add(own.sums[index], atStep: step)
            }
        }
        return true
    }
}

extension BlockSink {
    mutating func write(_ weights: CellWeights) { weights.write(to: &self) }
}
