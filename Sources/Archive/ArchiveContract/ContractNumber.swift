import JSON

/// A number of the contract: its name in the metadata, and its valid range.
///
/// All numbers of untrusted files pass through this table: members of the description, rows of the index, headers
/// of blocks. Numbers out of range are rejected here, so that sums, products and ranges of the others cannot
/// overflow.
public struct ContractNumber<Value: Comparable & Sendable>: Sendable {
    public let name: String
    public let range: ClosedRange<Value>
    /// A description of valid values, if there is more to it than a range.
    let words: String?

    private init(_ name: String, _ range: ClosedRange<Value>, _ words: String? = nil) {
        self.name = name
        self.range = range
        self.words = words
    }

    public func holds(_ value: Value) -> Bool { range.contains(value) }
}

extension ContractNumber<Int64> {
    private static var zooms: ClosedRange<Int64> { 0...31 }
    /// A number of leaves, or of things of which there are no more than leaves.
    private static var counts: ClosedRange<Int64> { 0...ClusterKey.leafLimit - 1 }

    // Numbers of the whole archive.
    public static let idBase = ContractNumber(
        "idBase", 0...ClusterIDs.limit - ClusterKey.step, "a multiple of 32 below 2^53")
    public static let extent = ContractNumber("extent", 1...Int64(LeafBlockLayout.extent))
    public static let variableDepth = ContractNumber("variableDepth", zooms)
    public static let leavesInBlock = ContractNumber(
        "leavesInBlock", 1...LeafBlockLayout.mostLeaves,
        "a number of points up to \(LeafBlockLayout.mostLeaves)")
    public static let blockCount = ContractNumber("count", counts, "a count of blocks")
    public static let pageCount = ContractNumber("pages", counts, "a count of pages")
    public static let outlineCount = ContractNumber("outlines", counts, "a count of outlines")
    public static let chapterSize = ContractNumber(
        "chapter", 1...1 << 16, "how many blocks a chapter has")
    // Numbers of a layer.
    public static let first = ContractNumber("first", counts, "the number of a point")
    public static let leaves = ContractNumber("leaves", counts, "a count of points")
    public static let clusters = ContractNumber("clusters", counts, "a count of clusters")
    public static let minZoom = ContractNumber("minZoom", zooms)
    /// -1, below all zooms, if no cluster can form.
    public static let maxZoom = ContractNumber("maxZoom", -1...31)
    public static let heldMaxZoom = ContractNumber("heldMaxZoom", zooms)
    public static let heatMaxZoom = ContractNumber("heatMaxZoom", zooms)
    public static let binPixels = ContractNumber(
        "pixels", Int64(Bins.pixelRange.lowerBound)...Int64(Bins.pixelRange.upperBound))
    public static let binsMaxZoom = ContractNumber("maxZoom", 0...Int64(Bins.deepestZoom))
    /// The number of values of a facet that share one count.
    public static let otherValues = ContractNumber("other", counts, "a count of values")
    // Numbers of a layer's clustering: any that a recipe accepts.
    public static let minPoints = ContractNumber("minPoints", 0...Int64.max)
    public static let minUniqueLocations = ContractNumber("minUniqueLocations", 0...Int64.max)
    public static let groups = ContractNumber("groups", counts, "a count of groups")
    /// Cells along the side of a tile in which clusters are named, as a power of two.
    public static let fineness = ContractNumber(
        "idBits", Int64(NameGrid.fineness.lowerBound)...Int64(NameGrid.fineness.upperBound))
    public static let radiusZoom = ContractNumber(
        "zoom of a radius", zooms, "a radius under a zoom")
    // Numbers of a row of the index, and of a block.
    public static let zoom = ContractNumber("zoom", zooms)
    /// The distance of a cluster's name from its place, in cells.
    public static let shift = ContractNumber("shift", -(1 << 42)...1 << 42)
    public static let block = ContractNumber("block", counts, "the number of a block")
}

extension ContractNumber<Double> {
    public static let buffer = ContractNumber(
        "buffer", 0...256, "a margin of at most half a tile")
    /// The width of the whole world at the deepest zoom, in pixels.
    public static let radius = ContractNumber("radius", 0...0x1p41, "a radius in pixels")
    public static let spread = ContractNumber("spread", 0...512, "a distance of at most a tile")
}

extension JSONNode {
    /// The number in this node.
    func number(_ number: ContractNumber<Int64>) throws(JSONError) -> Int64 {
        guard case .integer(let value) = value, number.holds(value) else {
            throw wrong(
                number.words
                    ?? "a whole number from \(number.range.lowerBound) to \(number.range.upperBound)"
            )
        }
        return value
    }

    func number(_ number: ContractNumber<Double>) throws(JSONError) -> Double {
        guard let value = value.asNumber, number.holds(value) else {
            throw wrong(number.words ?? "a number")
        }
        return value
    }

    func required(_ number: ContractNumber<Int64>) throws(JSONError) -> Int64 {
        try required(number.name).number(number)
    }

    func member(_ number: ContractNumber<Int64>) throws(JSONError) -> Int64? {
        try member(number.name)?.number(number)
    }

    /// A number of the table that fits into any integer type.
    func zoom(_ number: ContractNumber<Int64>) throws(JSONError) -> Int? {
        try member(number).map(Int.init)
    }

    func member(_ number: ContractNumber<Double>) throws(JSONError) -> Double? {
        try member(number.name)?.number(number)
    }
}
