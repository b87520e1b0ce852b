import ParallelColumns

/// The nodes that are alive at one zoom, sorted by band, then x.
struct Level: Sendable {
    let bands: Bands
    let count: Int
    /// The position at which searches look for a node.
    let x: SharedColumn<Double>
    let y: SharedColumn<Double>
    /// Lower is visited first; no two nodes share a rank.
    let rank: SharedColumn<UInt32>
    let node: SharedColumn<NodeReference>
    let points: SharedColumn<Int>
    /// The weight of a node; nil if weights do not count, and a node weighs its number of points.
    let weight: SharedColumn<Double>?
    /// The number of sites that a node holds; nil if that does not count.
    let siteCounts: SharedColumn<Int>?

    init(count: Int, bands: Bands, weighted: Bool, countsSites: Bool, in arena: Arena) {
        self.bands = bands
        self.count = count
        x = SharedColumn(count: count, in: arena)
        y = SharedColumn(count: count, in: arena)
        rank = SharedColumn(count: count, in: arena)
        node = SharedColumn(count: count, in: arena)
        points = SharedColumn(count: count, in: arena)
        weight = weighted ? SharedColumn(count: count, in: arena) : nil
        siteCounts = countsSites ? SharedColumn(count: count, in: arena) : nil
    }

    /// The bytes that a node takes in a level with all columns.
    static let bytesPerNode = 48

    /// The bytes that the columns take.
    var byteCount: Int {
        count * (32 + (weight == nil ? 0 : 8) + (siteCounts == nil ? 0 : 8)) + 7 * Arena.alignment
    }

    /// A level with the same columns, still to be filled.
    func makeEmpty(count: Int, bands: Bands, in arena: Arena) -> Level {
        Level(
            count: count, bands: bands, weighted: weight != nil, countsSites: siteCounts != nil,
            in: arena)
    }

    func siteCount(of index: Int) -> Int { siteCounts?[index] ?? 1 }

    @inline(__always)
    func weight(of index: Int) -> Double { weight?[index] ?? Double(points[index]) }

    @inline(__always)
    func band(of index: Int) -> Int { bands.band(y[index]) }

    /// Copies a node of another level to an index of this one.
    @inline(__always)
    func set(_ index: Int, to other: Int, of source: Level) {
        // All columns of a level are of one length, so one check of an index does for all.
        precondition(other >= 0 && other < source.count)
        unsafe set(
            index, to: source.node.unchecked[other], x: source.x.unchecked[other],
            y: source.y.unchecked[other], rank: source.rank.unchecked[other],
            points: source.points.unchecked[other])
        if let weight, let weights = source.weight { weight[index] = weights[other] }
        if let siteCounts, let counts = source.siteCounts { siteCounts[index] = counts[other] }
    }

    /// Writes a node, without its optional columns.
    @inline(__always)
    func set(
        _ index: Int, to node: NodeReference, x: Double, y: Double, rank: UInt32, points: Int
    ) {
        precondition(index >= 0 && index < count)
        unsafe self.x.unchecked[index] = x
        unsafe self.y.unchecked[index] = y
        unsafe self.rank.unchecked[index] = rank
        unsafe self.node.unchecked[index] = node
        unsafe self.points.unchecked[index] = points
    }

    /// The nodes from `start` on that are in its band; past the last node an empty run in no band.
    @inline(__always)
    func run(startingAt start: Int) -> (band: Int, nodes: Range<Int>) {
        guard start < count else { return (.max, count..<count) }
        let nodes = unsafe NodePositions(of: self)
        let band = band(of: start)
        var end = start + 1
        while end < count, nodes.band(of: end) == band { end += 1 }
        return (band, start..<end)
    }

    /// The first node that is not before that band and x.
    /// - Complexity: O(log d), where d is how far it is from `start`.
    func firstIndex(near start: Int, band: Int, x west: Double) -> Int {
        let nodes = unsafe NodePositions(of: self)
        var step = 1
        var edge = min(max(start, 0), count)
        if edge < count, nodes.isBefore(edge, band, west) {
            while edge < count, nodes.isBefore(min(count, edge + step) - 1, band, west) {
                edge = min(count, edge + step)
                step *= 2
            }
            return nodes.firstIndex(in: edge..<min(count, edge + step), band: band, x: west)
        }
        while edge > 0, !nodes.isBefore(max(0, edge - step), band, west) {
            edge = max(0, edge - step)
            step *= 2
        }
        return nodes.firstIndex(in: max(0, edge - step)..<edge, band: band, x: west)
    }

    /// The first node that is not before that band and x.
    /// - Complexity: O(log n).
    func firstIndex(band: Int, x west: Double) -> Int {
        unsafe NodePositions(of: self).firstIndex(in: 0..<count, band: band, x: west)
    }
}

/// A node of the hierarchy that is being built: a site where points lie, or a cluster.
struct NodeReference: BitwiseCopyable, Sendable, Equatable {
    private let bits: UInt32

    private init(bits: UInt32) { self.bits = bits }

    static func site(_ number: Int) -> NodeReference { NodeReference(bits: UInt32(number)) }

    static func cluster(_ number: Int) -> NodeReference {
        NodeReference(bits: UInt32(number) | 0x8000_0000)
    }

    @inline(__always) var isCluster: Bool { bits & 0x8000_0000 != 0 }

    @inline(__always) var number: Int { Int(bits & 0x7FFF_FFFF) }
}
