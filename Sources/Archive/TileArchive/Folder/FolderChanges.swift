import ArchiveContract
import Compression
import Geometry
import Platform

/// Changes an archive that is a folder, file by file. Files that differ are first written beside the folder and
/// then moved to their places: the tiles first, then the description of the folder. All other files stay as they
/// are, with their times.
///
/// A process that is killed while files are moved leaves a mix of old and new ones.
final class FolderChanges: ChangingArchive {
    private let path: String
    /// Holds the new files, in its folder, until they are moved.
    private let sink: FolderSink
    private let root: OpenDirectory
    private var staged: [Place] = []
    private var stale: [Place] = []
    private var payloadCount = 0

    /// The place of a file in an archive.
    private struct Place: Hashable {
        let folders: [String]
        let name: String

        init(_ folders: [String] = [], _ name: String) {
            (self.folders, self.name) = (folders, name)
        }

        init(_ path: String) {
            let parts = path.split(separator: "/").map(String.init)
            self.init(parts.dropLast(), parts.last ?? "")
        }
    }

    /// - Returns: nil if there is no folder, or if its files would be compressed differently.
    init?(of path: String, by sink: FolderSink) throws(ArchiveError) {
        guard let root = try? OpenDirectory(path) else { return nil }
        let walk = try FolderTileWalk(
            FolderTiles(path: path, format: sink.options.format), zooms: 0...31)
        var bytes: [UInt8] = []
        guard try walk.next(&bytes) != nil else { return nil }
        let isPacked = GzipInflater.isGzip(bytes.span)
        guard isPacked == sink.options.folder.keepsGzip || sink.options.format != "pbf" else {
            return nil
        }
        (self.path, self.sink, self.root) = (path, sink, root)
    }

    func set(
        _ tile: TileID, _ change: TileChange, gzip bytes: Span<UInt8>
    ) throws(ArchiveError) {
        let place = Place(["\(tile.z)", "\(tile.x)"], "\(tile.y).\(sink.ending)")
        // The file may have been changed by others in the meantime; it gets its new contents in any case.
        if change == .removed {
            if has(place) { stale.append(place) }
        } else if let plain = try sink.unpacked(tile, bytes) {
            try stage(plain.span, place)
        } else {
            try stage(bytes, place)
        }
    }

    func keep(payload former: Int) -> Bool {
        guard former == payloadCount else { return false }
        payloadCount += 1
        return true
    }

    func write(payload: Span<UInt8>, sum: String) throws(ArchiveError) {
        try stage(payload, Self.place(ofPayload: payloadCount))
        payloadCount += 1
    }

    private static func place(ofPayload index: Int) -> Place {
        Place([FolderNames.clusters], FolderClusters.name(ofPayload: Int64(index)))
    }

    func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        try metadata.checkLength()
        try addStalePayloads(from: payloadCount)
        try putInPlace()
        // Companions are made from the archive as it is now, which matches the new metadata only if nothing
        // fails.
        let old = try? root.contents(of: FolderNames.metadata, limit: TileFolder.largestFile)
        do throws(ArchiveError) {
            try place(metadata)
            try placeCompanions()
        } catch {
            (staged, stale) = ([], [])
            if let old { try? place(old) }
            throw error
        }
    }

    private func place(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        try sink.write(metadata)
        staged.append(Place(FolderNames.metadata))
        try putInPlace()
    }

    private func place(_ metadata: [UInt8]) throws(ArchiveError) {
        try stage(metadata.span, Place(FolderNames.metadata))
        try putInPlace()
    }

    private func placeCompanions() throws(ArchiveError) {
        let companions = try sink.options.companions(of: path, path: path)
        try addStaleCompanions(companions)
        // Map clients read this file first, so it is replaced last.
        let last = companions.filter { $0.path == FolderNames.tileJSON }
        for file in companions.filter({ $0.path != FolderNames.tileJSON }) + last {
            try stage(file.bytes.span, Place(file.path))
        }
        try putInPlace()
    }

    private func writing(_ body: () throws(FileError) -> Void) throws(ArchiveError) {
        do { try body() } catch { throw ArchiveError(writing: path, error) }
    }

    private func folder(of place: Place) throws(FileError) -> OpenDirectory {
        var folder = root
        for name in place.folders { folder = try folder.directory(name) }
        return folder
    }

    private func has(_ place: Place) -> Bool {
        (try? folder(of: place).status(of: place.name))?.isRegular ?? false
    }

    /// Writes a new file for a place, unless the place already has these contents.
    private func stage(_ bytes: Span<UInt8>, _ place: Place) throws(ArchiveError) {
        let old = (try? folder(of: place).contents(of: place.name, limit: bytes.count)) ?? nil
        if let old, old.span.holdsSame(as: bytes) { return }
        try sink.write(bytes, as: (place.folders + [place.name]).joined(separator: "/"))
        staged.append(place)
    }

    /// Moves the staged files to their places, once they are durable, and removes stale ones.
    private func putInPlace() throws(ArchiveError) {
        var changed: [[String]: OpenDirectory] = [:]
        try writing { () throws(FileError) in
            try sink.synchronize()
            for place in staged {
                var (from, to) = (sink.root, root)
                for name in place.folders {
                    (from, to) = (try from.directory(name), try to.directory(making: name))
                }
                try from.move(place.name, to: to)
                changed[place.folders] = to
            }
            for place in stale {
                let folder = try folder(of: place)
                try folder.remove(place.name)
                changed[place.folders] = folder
            }
            for folder in changed.values { try folder.synchronize() }
            for place in stale { removeEmpty(place.folders) }
            try root.synchronize()
        }
        (staged, stale) = ([], [])
    }

    /// Removes folders that have become empty, the innermost first.
    private func removeEmpty(_ folders: [String]) {
        guard let name = folders.last else { return }
        let rest = Array(folders.dropLast())
        guard let parent = try? folder(of: Place(rest, "")),
            (try? parent.removeDirectory(name)) != nil
        else { return }
        removeEmpty(rest)
    }

    private func addStalePayloads(from count: Int) throws(ArchiveError) {
        var index = count
        while has(Self.place(ofPayload: index)) {
            stale.append(Self.place(ofPayload: index))
            index += 1
        }
    }

    /// Adds the files beside the tiles that are not among these files.
    private func addStaleCompanions(
        _ files: [FolderOptions.StaticFile]
    ) throws(ArchiveError) {
        let kept = Set(files.map { Place($0.path) } + [Place(FolderNames.metadata)])
        try writing { () throws(FileError) in
            for entry in try root.entries()
            where FolderNames.zoom(entry.name) == nil && entry.name != FolderNames.clusters {
                guard FolderNames.isOwn(entry.name) else { continue }
                try addStale(Place(entry.name), entry.kind, but: kept)
            }
        }
    }

    private func addStale(
        _ place: Place, _ kind: FileStatus.Kind?, but kept: Set<Place>
    ) throws(FileError) {
        guard kind == .directory else {
            if !kept.contains(place) { stale.append(place) }
            return
        }
        let folders = place.folders + [place.name]
        for entry in try folder(of: Place(folders, "")).entries() {
            try addStale(Place(folders, entry.name), entry.kind, but: kept)
        }
    }
}
