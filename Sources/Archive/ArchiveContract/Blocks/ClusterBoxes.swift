/// What all blocks and pages hold, in a few bytes each: the last payload, by which a reader finds
/// the blocks near a position, and the page of an id, without fetching any other.
public struct ClusterBoxes: Equatable, Sendable {
    /// By block, as their hulls lie in the world.
    public var boxes: [GridBox]
    /// The first id of each page.
    public var pages: [Int64]

    public init(_ boxes: [GridBox], pages: [Int64] = []) {
        self.boxes = boxes
        self.pages = pages
    }

    /// The page that has an id, if any has.
    public func page(of id: Int64) -> Int? {
        let behind = pages.indices.partitionPoint { pages[$0] > id }
        return behind > 0 ? behind - 1 : nil
    }

    public var packed: [UInt8] {
        var message = MessageWriter()
        message.field(BlockField.format, ClusterBlock.format)
        var before = GridBox(west: 0, north: 0, east: 0, south: 0)
        let edges = boxes.flatMap { box in
            defer { before = box }
            return zip(box.edges, before.edges).map { $0 - $1 }
        }
        message.list(BlockField.edges, signed: edges)
        message.list(BlockField.pages, pages.differences.map(UInt64.init))
        var tile = MessageWriter()
        tile.field(BlockField.overview, bytes: message.bytes)
        return tile.bytes
    }

    public init(unpacking bytes: [UInt8]) throws(ClusterBlockError) {
        var message = try MessageReader.message(BlockField.overview, in: bytes)
        var steps: [Int64] = []
        pages = []
        while let (field, value) = try message.next() {
            if field == BlockField.format, case .number(let format) = value,
                format > ClusterBlock.format
            {
                throw .newerFormat(format)
            }
            if field == BlockField.edges, case .bytes(let list) = value {
                steps = try list.signedList()
            }
            if field == BlockField.pages, case .bytes(let list) = value {
                guard let firsts = try list.list().ascendingIDs else {
                    throw .garbled("the pages of ids do not ascend")
                }
                pages = firsts
            }
        }
        guard steps.count % 4 == 0 else { throw .garbled("a box has not four edges") }
        boxes = []
        var edges: [Int64] = [0, 0, 0, 0]
        for start in stride(from: 0, to: steps.count, by: 4) {
            for edge in 0..<4 { edges[edge] &+= steps[start + edge] }
            let box = GridBox(west: edges[0], north: edges[1], east: edges[2], south: edges[3])
            guard box.makesSense else { throw .garbled("a box is turned inside out") }
            boxes.append(box)
        }
    }
}

extension GridBox {
    fileprivate var edges: [Int64] { [west, north, east, south] }
}
