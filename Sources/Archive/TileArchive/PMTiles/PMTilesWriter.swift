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
    /// What may come again; nil where each content is written.
    private var known: WrittenContents?
    private(set) var header = PMTilesHeader()
    /// The id behind the last that was written; what comes next has it or a greater one.
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

    /// Where contents lie, which are written unless they are known.
    private mutating func location(
        of bytes: Span<UInt8>, _ length: UInt32
    ) throws(ArchiveError) -> WrittenContents.Location {
        let hash = known == nil ? 0 : WrittenContents.hash(bytes)
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

    /// Writes bytes of the file where they belong.
    func lay(_ bytes: Span<UInt8>, at offset: Int) throws(ArchiveError) {
        try data.lay(bytes, at: offset)
    }

    /// Makes what was laid safe on the disk.
    func synchronize() throws(ArchiveError) { try output.synchronize() }

    /// Gives the file its name.
    mutating func publish() throws(ArchiveError) { try output.appear() }

    /// Where the file is until then.
    var temporaryPath: String { output.temporaryPath }

    /// Refuses what has appeared under the name meanwhile.
    func checkStillAllowed() throws(ArchiveError) { try output.checkStillAllowed() }

    /// Takes a file back that was published under a name that was free.
    mutating func withdraw() { output.withdraw() }
}
