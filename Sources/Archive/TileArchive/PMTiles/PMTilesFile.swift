import Basics
import Compression
import JSON

/// A PMTiles file that was checked and can be read; it finds the bytes of tiles. Any number of threads may use
/// it.
final class PMTilesFile: Sendable {
    typealias Entry = PMTilesDirectory.Entry

    let source: any RangeSource
    let header: PMTilesHeader
    let root: PMTilesDirectory
    /// Leaf directories that were read recently: six megabytes, or two of the largest.
    private let leaves = BoundedCache<UInt64, PMTilesDirectory>(budget: 6 << 20) {
        // The cache does not keep what costs more than half of it, and such a directory would be read
        // for each tile; so the largest cost no more.
        min($0.entries.count * MemoryLayout<Entry>.size, 3_000_000)
    }

    /// The deepest level of directories that is read (PMTiles 3.6, section 4: one level is usual).
    static let mostLevels = 4

    /// Checks the header and the root directory, and throws if they cannot be read.
    init(_ source: any RangeSource) throws(ArchiveError) {
        self.source = source
        let front = try source.bytes(0..<min(PMTilesHeader.frontBytes, source.byteCount))
        do throws(PMTilesFault) {
            let header = try PMTilesHeader(front)
            self.header = header
            for section in [header.root, header.metadata, header.leaves, header.tiles] {
                guard Self.range(section, 0, section.length) != nil,
                    section.offset + section.length <= UInt64(source.byteCount)
                else { throw .cutShort }
            }
        } catch {
            throw ArchiveError(source.path, error)
        }
        let end = header.root.offset + header.root.length
        let bytes =
            end <= UInt64(front.count)
            ? Array(front[Int(header.root.offset)..<Int(end)])
            : try source.bytes(Int(header.root.offset)..<Int(end))
        root = try Self.directory(bytes, header, path: source.path)
    }

    // MARK: Directories

    /// The entry of a tile; nil if there is none.
    /// - Parameter lookInto: called with each leaf directory on the way.
    func entry(
        for id: UInt64, lookInto: (PMTilesDirectory) -> Void = { _ in }
    ) throws(ArchiveError) -> Entry? {
        guard var entry = root.entry(for: id) else { return nil }
        for _ in 0..<Self.mostLevels {
            guard entry.isLeaf else { return entry }
            let leaf = try leaf(entry)
            lookInto(leaf)
            guard let next = leaf.entry(for: id) else { return nil }
            entry = next
        }
        throw damaged("its directories are nested too deeply")
    }

    /// The leaf directory of an entry.
    func leaf(_ entry: Entry) throws(ArchiveError) -> PMTilesDirectory {
        try leaves.value(for: entry.offset) { () throws(ArchiveError) in
            guard let range = Self.range(header.leaves, entry.offset, UInt64(entry.length)) else {
                throw damaged("a leaf directory lies outside of its section")
            }
            return try Self.directory(source.bytes(range), header, path: source.path)
        }
    }

    private static func directory(
        _ bytes: [UInt8], _ header: PMTilesHeader, path: String
    ) throws(ArchiveError) -> PMTilesDirectory {
        do {
            let plain = try inflated(bytes, header, limit: PMTilesDirectory.mostBytes)
            return try PMTilesDirectory(plain.span)
        } catch let fault as PMTilesFault {
            throw ArchiveError(path, fault)
        } catch {
            throw ArchiveError(path, .badDirectory("\(error)"))
        }
    }

    private static func inflated(
        _ bytes: [UInt8], _ header: PMTilesHeader, limit: Int
    ) throws(CompressionError) -> [UInt8] {
        guard header.internalCompression == .gzip else { return bytes }
        var inflater = GzipInflater()
        return try inflater.inflate(bytes.span, limit: limit)
    }

    /// The bytes of a part of a section; nil if that is not within the section.
    private static func range(
        _ section: PMTilesHeader.Section, _ offset: UInt64, _ length: UInt64
    ) -> Range<Int>? {
        let limit = UInt64(Int.max) / 4
        guard section.offset < limit, section.length < limit, offset <= section.length,
            length <= section.length - offset
        else { return nil }
        let start = Int(section.offset + offset)
        return start..<start + Int(length)
    }

    // MARK: Contents

    /// The bytes of an entry.
    func contents(_ entry: Entry) throws(ArchiveError) -> [UInt8] {
        try source.bytes(range(of: entry))
    }

    /// The place of an entry's bytes in the file.
    func range(of entry: Entry) throws(ArchiveError) -> Range<Int> {
        guard let range = Self.range(header.tiles, entry.offset, UInt64(entry.length)) else {
            throw damaged("tile \(entry.id) lies outside of the tile data")
        }
        guard range.count <= TileLookup.largestStored else {
            let most = TileLookup.largestStored >> 20
            throw damaged(
                "tile \(entry.id) takes more than \(most) MiB, too much for a tile, and is not read"
            )
        }
        return range
    }

    /// The metadata: JSON of at most some megabytes, which takes seventy times its length when it is read.
    func metadata() throws(ArchiveError) -> JSONValue {
        guard let range = Self.range(header.metadata, 0, header.metadata.length),
            range.count <= ArchiveMetadata.mostBytes
        else { throw ArchiveError(source.path, .badMetadata("they are too long")) }
        let bytes = try source.bytes(range)
        do {
            let plain = try Self.inflated(bytes, header, limit: ArchiveMetadata.mostBytes)
            return try JSONValue(parsing: String(decoding: plain, as: UTF8.self))
        } catch {
            throw ArchiveError(source.path, .badMetadata("\(error)"))
        }
    }

    func damaged(_ reason: String) -> ArchiveError {
        .corrupt(path: source.path, reason: reason)
    }
}

extension ArchiveError {
    init(_ path: String, _ fault: PMTilesFault) {
        switch fault {
        case .badDirectory, .badMetadata: self = .corrupt(path: path, reason: fault.description)
        case .noArchive, .cutShort, .otherVersion, .unknownCompression:
            self = .unreadable(path: path, reason: fault.description)
        }
    }
}
