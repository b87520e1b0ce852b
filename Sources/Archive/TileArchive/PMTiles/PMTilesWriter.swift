import Basics
import Compression
import Geometry
import Platform

/// Writes one PMTiles file. It is complete after `finish`, under another name until its `output` appears.
///
/// Contents come by ascending id, and go to the file as they come. Before them there is room for the root
/// directory, which is known last.
struct PMTilesWriter: ~Copyable {
    private let path: String
    var output: OutputFile
    private var data: TileData
    private var directories = DirectoryWriter()
    /// Contents that may be repeated; nil if all contents are written.
    private var known: WrittenContents?
    private(set) var header = PMTilesHeader()
    /// The id after the last one that was written; the next tile has this or a greater one.
    private(set) var nextID: UInt64 = 0

    init(path: String, replacesExisting: Bool, sharesContents: Bool) throws(ArchiveError) {
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
        known = sharesContents ? WrittenContents() : nil
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
        let location = try location(of: bytes, length)
        if isNeighbour, let last = directories.last, last.offset == location.offset,
            last.run < .max
        {
            return directories.lengthenLastRun(by: 1)
        }
        header.entries += 1
        directories.append(
            .init(id: id, offset: location.offset, length: location.length, run: 1))
    }

    /// The location of contents, which are written unless they are known.
    private mutating func location(
        of bytes: Span<UInt8>, _ length: UInt32
    ) throws(ArchiveError) -> WrittenContents.Location {
        let hash = known == nil ? 0 : ContentHash(of: bytes).value
        if let found = known?.location(hash: hash, length: bytes.count),
            try data.holds(bytes, at: Int(found.offset))
        {
            return found
        }
        let new = WrittenContents.Location(offset: UInt64(data.byteCount), length: length)
        try data.append(bytes)
        known?.remember(new, hash: hash)
        header.contents += 1
        return new
    }

    /// Adds more tiles with the contents that were written last.
    mutating func lengthenLastRun(by count: Int) {
        guard let last = directories.last else { preconditionFailure("nothing was written") }
        header.addressedTiles += UInt64(count)
        nextID += UInt64(count)
        // The length of a run has 32 bits.
        let rest = max(count - Int(UInt32.max - last.run), 0)
        directories.lengthenLastRun(by: count - rest)
        guard rest > 0 else { return }
        header.entries += 1
        directories.append(
            .init(
                id: nextID - UInt64(rest), offset: last.offset, length: last.length,
                run: UInt32(rest)))
    }

    /// Completes the file: directories, metadata, header. It is durable then.
    /// - Parameter describe: sets the fields of the header besides the places of sections.
    mutating func finish(
        metadata: [UInt8], _ describe: (inout PMTilesHeader) -> Void
    ) throws(ArchiveError) {
        try data.flush()
        let (root, leaves) = directories.finish()
        if header.minZoom > header.maxZoom { header.minZoom = header.maxZoom }
        describe(&header)
        let frame = PMTilesFrame(
            &header, root: root, dataBytes: data.byteCount, leafBytes: leaves.count,
            metadata: metadata)
        try data.write(frame.front.span, at: 0)
        try data.write(leaves.span, at: TileData.start + data.byteCount)
        try data.write(frame.back.span, at: TileData.start + data.byteCount + leaves.count)
        try output.synchronize()
    }

    /// Writes bytes of the file in their place.
    func lay(_ bytes: Span<UInt8>, at offset: Int) throws(ArchiveError) {
        try data.lay(bytes, at: offset)
    }
}
