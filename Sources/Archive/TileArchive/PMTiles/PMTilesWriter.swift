import Compression
import Geometry
import Platform

/// Writes one PMTiles file under a name of its own, whole when `finish` is done; `publish` gives it
/// the name that was asked for. Dropping it before leaves nothing behind.
///
/// Contents come by ascending id, and go to the file as they come: in front of them is room for
/// the root directory, which is known last.
struct PMTilesWriter: ~Copyable {
    private let path: String
    private var output: OutputFile
    private var data: TileData
    private var directories = DirectoryWriter()
    private var known = WrittenContents()
    private(set) var header = PMTilesHeader()
    /// The id behind the last that was written; what comes next has it or a greater one.
    private(set) var nextID: UInt64 = 0

    init(path: String, replacesExisting: Bool) throws(ArchiveError) {
        let output = try OutputFile(path: path, replacesExisting: replacesExisting)
        let file: File
        do {
            file = try File(writing: output.temporaryPath)
        } catch {
            throw ArchiveError(writing: path, error)
        }
        self.path = path
        self.output = output
        data = TileData(in: file, path: path)
        header.minZoom = UInt8.max
    }

    /// Adds the contents of a tile.
    /// - Precondition: `id` is not less than `nextID`.
    mutating func write(_ bytes: Span<UInt8>, id: UInt64, zoom: UInt8) throws(ArchiveError) {
        precondition(id >= nextID, "tiles out of order")
        let isNeighbour = id == nextID
        nextID = id + 1
        header.addressedTiles += 1
        header.minZoom = min(header.minZoom, zoom)
        header.maxZoom = max(header.maxZoom, zoom)
        guard let length = UInt32(exactly: bytes.count) else {
            throw .cannotWrite(path: path, reason: "a tile is larger than 4 GiB")
        }
        let hash = WrittenContents.hash(bytes)
        var location = WrittenContents.Location(offset: UInt64(data.byteCount), length: length)
        if let known = known.location(hash: hash, length: bytes.count),
            try data.holds(bytes, at: Int(known.offset))
        {
            location = known
            if isNeighbour, let last = directories.last, last.offset == known.offset,
                last.run < .max
            {
                return directories.lengthenLastRun(by: 1)
            }
        } else {
            try data.append(bytes)
            known.remember(location, hash: hash)
            header.contents += 1
        }
        header.entries += 1
        directories.append(
            .init(id: id, offset: location.offset, length: location.length, run: 1))
    }

    /// Gives so many tiles more the contents that were written last.
    mutating func lengthenLastRun(by count: Int) {
        guard let last = directories.last else { preconditionFailure("nothing was written") }
        header.addressedTiles += UInt64(count)
        nextID += UInt64(count)
        // A run has 32 bits.
        let rest = max(count - Int(UInt32.max - last.run), 0)
        directories.lengthenLastRun(by: count - rest)
        guard rest > 0 else { return }
        header.entries += 1
        directories.append(
            .init(
                id: nextID - UInt64(rest), offset: last.offset, length: last.length,
                run: UInt32(rest)))
    }

    /// Completes the file: directories, metadata, header. It is safe on the disk then.
    /// - Parameter header: what it says of the tiles beside where they are.
    mutating func finish(
        metadata: [UInt8], _ describe: (inout PMTilesHeader) -> Void
    ) throws(ArchiveError) {
        try data.flush()
        var compressor = GzipCompressor()
        let metadata = compressor.compress(metadata.span)
        var (root, leaves) = directories.finish(rootBytes: PMTilesHeader.largestRoot)
        if header.minZoom > header.maxZoom { header.minZoom = header.maxZoom }
        describe(&header)
        let front = PMTilesHeader.largestRoot - root.count
        let isMetadataInFront = metadata.count <= front
        if !isMetadataInFront { root = GzipPadding.lengthened(root, by: front) }
        let padded =
            isMetadataInFront
            ? GzipPadding.lengthened(metadata, by: front - metadata.count) : metadata
        let dataEnd = UInt64(TileData.start + data.byteCount)
        header.root = .init(
            offset: UInt64(PMTilesHeader.byteCount), length: UInt64(root.count))
        header.tiles = .init(
            offset: UInt64(TileData.start), length: UInt64(data.byteCount))
        header.leaves = .init(offset: dataEnd, length: UInt64(leaves.count))
        header.metadata = .init(
            offset: isMetadataInFront
                ? header.root.offset + header.root.length : dataEnd + header.leaves.length,
            length: UInt64(padded.count))
        try data.write((header.bytes + root).span, at: 0)
        try data.write(leaves.span, at: Int(header.leaves.offset))
        try data.write(padded.span, at: Int(header.metadata.offset))
        try output.synchronize()
    }

    /// Gives the file its name.
    mutating func publish() throws(ArchiveError) { try output.appear() }

    /// Where the file is until then.
    var temporaryPath: String { output.temporaryPath }

    /// Refuses what has appeared under the name meanwhile.
    func checkStillAllowed() throws(ArchiveError) { try output.checkStillAllowed() }

    /// Takes a file back that was published under a name that was free.
    mutating func withdraw() { output.withdraw() }
}
