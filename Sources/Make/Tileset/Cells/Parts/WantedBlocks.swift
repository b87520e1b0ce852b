/// The blocks of a part that are to be read.
struct WantedBlocks {
    let part: String
    let layer: Int
    /// The attribute names that its records' numbers stand for.
    let names: [String]
    let blocks: [PartBlock]
    /// The stretches of the part's file with these blocks, and with what precedes all blocks.
    let stretches: [Range<Int>]

    /// Nil if there are none.
    init?(
        of part: String, _ names: [String], _ all: [PartBlock],
        where isWanted: (PartBlock) -> Bool
    ) {
        var blocks: [PartBlock] = []
        var stretches = [0..<(all.first?.offset ?? 0)]
        for (index, block) in all.enumerated() where isWanted(block) {
            blocks.append(block)
            let end = index + 1 < all.count ? all[index + 1].offset : Int.max
            // Blocks follow one another in the file.
            if let last = stretches.last, last.upperBound == block.offset {
                stretches[stretches.count - 1] = last.lowerBound..<end
            } else {
                stretches.append(block.offset..<end)
            }
        }
        if blocks.isEmpty { return nil }
        self.part = part
        layer = PartFolder.layer(of: part) ?? 0
        self.names = names
        self.blocks = blocks
        self.stretches = stretches
    }
}

extension PartFolder {
    /// Fetches the blocks that are to be read, and no others.
    func fetch(_ wanted: [WantedBlocks]) throws(JobError) {
        try folder.fetch(pieces(of: wanted))
    }

    /// The bytes of parts that are to be read.
    func pieces(of wanted: [WantedBlocks]) -> [RemoteFiles.Piece] {
        wanted.flatMap { part in
            part.stretches.map { .init(path: points(of: part.part), bytes: $0) }
        }
    }
}
