import Geometry
import Platform

/// Goes through the tiles of a folder by zoom, column and TMS row, with the names of one folder at a time in
/// memory.
final class FolderTileWalk: TileWalk {
    private let tiles: FolderTiles
    private let root: OpenDirectory
    /// The zooms, columns and rows that are still to come, the next last.
    private var zooms: [UInt8] = []
    private var columns: [UInt32] = []
    private var rows: [(tile: TileID, name: String)] = []
    private var zoom: (number: UInt8, directory: OpenDirectory)?
    private var column: OpenDirectory?
    /// Paths among the tiles that name no tile.
    private(set) var strays: [String] = []

    init(_ tiles: FolderTiles, zooms: ClosedRange<Int>) throws(ArchiveError) {
        root = try tiles.open()
        self.tiles = tiles
        self.zooms = try entries(of: root, "").compactMap { FolderNames.zoom($0.name) }
            .filter { zooms.contains(Int($0)) }.sorted(by: >)
    }

    func next(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileID? {
        guard let (tile, name) = try nextRow(), let column else { return nil }
        bytes = try tiles.read(name, in: column, of: tile)
        return tile
    }

    func next() throws(ArchiveError) -> TileID? { try nextRow()?.tile }

    private func nextRow() throws(ArchiveError) -> (tile: TileID, name: String)? {
        while rows.isEmpty {
            if let x = columns.popLast() {
                try open(column: x)
            } else if let z = zooms.popLast() {
                try open(zoom: z)
            } else {
                return nil
            }
        }
        return rows.removeLast()
    }

    private func open(zoom z: UInt8) throws(ArchiveError) {
        guard let directory = directory("\(z)", in: root, "\(z)") else { return }
        zoom = (z, directory)
        for entry in try entries(of: directory, "\(z)") {
            if let x = FolderNames.number(entry.name[...]), x >> z == 0 {
                columns.append(x)
            } else {
                strays.append("\(z)/\(entry.name)")
            }
        }
        columns.sort(by: >)
    }

    private func open(column x: UInt32) throws(ArchiveError) {
        guard let zoom else { return }
        let path = "\(zoom.number)/\(x)"
        guard let directory = directory("\(x)", in: zoom.directory, path) else { return }
        column = directory
        for entry in try entries(of: directory, path) {
            guard let named = FolderNames.tile(entry.name),
                tiles.endings.contains(where: { named.ending == $0 }),
                named.row >> zoom.number == 0,
                isFile(entry, in: directory)
            else {
                strays.append("\(path)/\(entry.name)")
                continue
            }
            let last = UInt32((UInt64(1) << UInt64(zoom.number)) - 1)
            let y = tiles.rowsFromSouth ? last - named.row : named.row
            rows.append((TileID(z: zoom.number, x: x, y: y), entry.name))
        }
        // The southernmost row comes first, so it is the last of the array.
        rows.sort { $0.tile.y < $1.tile.y }
    }

    private func isFile(_ entry: OpenDirectory.Entry, in directory: OpenDirectory) -> Bool {
        if let kind = entry.kind { return kind == .regular }
        return (try? directory.status(of: entry.name))?.isRegular ?? false
    }

    private func directory(
        _ name: String, in parent: OpenDirectory, _ path: String
    ) -> OpenDirectory? {
        let directory = try? parent.directory(name)
        // It is a file, or a link, and links are not followed.
        if directory == nil { strays.append(path) }
        return directory
    }

    private func entries(
        of directory: OpenDirectory, _ path: String
    ) throws(ArchiveError) -> [OpenDirectory.Entry] {
        do {
            return try directory.entries()
        } catch {
            throw .unreadable(path: tiles.path, reason: "\(path): \(error)")
        }
    }
}
