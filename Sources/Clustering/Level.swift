import ParallelColumns

/// The nodes that are alive at one zoom, sorted by row, then x.
struct Level: Sendable {
    let rows: Rows
    let count: Int
    /// Where a node is looked for.
    let x: SharedColumn<Double>
    let y: SharedColumn<Double>
    /// Lower is visited first; no two nodes share a rank.
    let rank: SharedColumn<UInt32>
    let node: SharedColumn<NodeReference>
    let points: SharedColumn<UInt32>
    /// Where weights count; elsewhere a node weighs its number of points.
    let weight: SharedColumn<Double>?
    /// How many distinct places a node holds, where that counts.
    let places: SharedColumn<UInt32>?

    init(count: Int, rows: Rows, weighted: Bool, countsPlaces: Bool, in arena: Arena) {
        self.rows = rows
        self.count = count
        x = SharedColumn(count: count, in: arena)
        y = SharedColumn(count: count, in: arena)
        rank = SharedColumn(count: count, in: arena)
        node = SharedColumn(count: count, in: arena)
        points = SharedColumn(count: count, in: arena)
        weight = weighted ? SharedColumn(count: count, in: arena) : nil
        places = countsPlaces ? SharedColumn(count: count, in: arena) : nil
    }

    /// What a node takes if a level has all columns.
    static let bytesPerNode = 40

    /// What its columns take.
    var byteCount: Int {
        count * (28 + (weight == nil ? 0 : 8) + (places == nil ? 0 : 4)) + 7 * Arena.alignment
    }

    /// A level with the same columns, still to be filled.
    func makeEmpty(count: Int, rows: Rows, in arena: Arena) -> Level {
        Level(
            count: count, rows: rows, weighted: weight != nil, countsPlaces: places != nil,
            in: arena)
    }

    func placeCount(of index: Int) -> Int { places.map { Int($0[index]) } ?? 1 }

    @inline(__always)
    func weight(of index: Int) -> Double { weight?[index] ?? Double(points[index]) }

    @inline(__always)
    func row(of index: Int) -> Int { rows.row(y[index]) }

    /// Copies a node of another level to a place of this one.
    @inline(__always)
    func set(_ index: Int, to other: Int, of source: Level) {
        x[index] = source.x[other]
        y[index] = source.y[other]
        rank[index] = source.rank[other]
        node[index] = source.node[other]
        points[index] = source.points[other]
        if let weight, let weights = source.weight { weight[index] = weights[other] }
        if let places, let counts = source.places { places[index] = counts[other] }
    }

    /// The nodes from one on that are in its row; past the last node a run of none in no row.
    @inline(__always)
    func run(startingAt start: Int) -> (row: Int, nodes: Range<Int>) {
        guard start < count else { return (.max, count..<count) }
        let row = row(of: start)
        var end = start + 1
        while end < count, self.row(of: end) == row { end += 1 }
        return (row, start..<end)
    }

    /// The first node that is not before that row and x.
    /// - Complexity: O(log d), where d is how far it is from `start`.
    func firstIndex(near start: Int, row: Int, x west: Double) -> Int {
        var step = 1
        var edge = start
        if start < count, isBefore(start, row, west) {
            while edge < count, isBefore(min(count, edge + step) - 1, row, west) {
                edge = min(count, edge + step)
                step *= 2
            }
            return firstIndex(in: edge..<min(count, edge + step), row: row, x: west)
        }
        while edge > 0, !isBefore(max(0, edge - step), row, west) {
            edge = max(0, edge - step)
            step *= 2
        }
        return firstIndex(in: max(0, edge - step)..<edge, row: row, x: west)
    }

    /// The first node that is not before that row and x.
    /// - Complexity: O(log n).
    func firstIndex(row: Int, x west: Double) -> Int {
        firstIndex(in: 0..<count, row: row, x: west)
    }

    private func firstIndex(in range: Range<Int>, row: Int, x west: Double) -> Int {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle, row, west) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @inline(__always)
    private func isBefore(_ index: Int, _ row: Int, _ west: Double) -> Bool {
        let there = self.row(of: index)
        return there < row || there == row && x[index] < west
    }
}

/// A node of the hierarchy that is being built: a place where points lie, or a cluster.
struct NodeReference: BitwiseCopyable, Sendable, Equatable {
    private let bits: UInt32

    private init(bits: UInt32) { self.bits = bits }

    static func place(_ number: Int) -> NodeReference { NodeReference(bits: UInt32(number)) }

    static func cluster(_ number: Int) -> NodeReference {
        NodeReference(bits: UInt32(number) | 0x8000_0000)
    }

    @inline(__always) var isCluster: Bool { bits & 0x8000_0000 != 0 }

    @inline(__always) var number: Int { Int(bits & 0x7FFF_FFFF) }
}
