import Arguments
import JSON
import Platform
import TileArchive
import Tileset

/// The last step of `covey cells`: in one process, in tasks, or byte by byte for a store.
extension CellsVerb {
    static let layOut = Option<Bool>(
        flag: "lay-out", "for PMTiles: print the size of each file in bytes, and write none")
    static let bytes = Option<ByteRange?>(
        "bytes", "FROM-TO",
        "for PMTiles: write these bytes to -o; the file of clusters follows the archive")

    /// The way to merge that the command line asks for.
    enum MergeWay {
        case layOut
        case bytes(Range<Int>, String)
        case share(CellBuild.Share, String)
        case whole(String, any ArchiveContainer.Type)

        init(_ arguments: ParsedArguments) throws {
            let ways = arguments.given(among: [task, CellsVerb.layOut, CellsVerb.bytes])
            if ways.count > 1 {
                throw UsageError.contradiction(
                    "--\(ways[0]) and --\(ways[1]) do not go together",
                    remedy: "leave one out")
            }
            if arguments[CellsVerb.layOut] {
                self = .layOut
                return
            }
            guard let path = arguments[BuildVerb.output] else {
                throw UsageError.missingArgument("-o OUT")
            }
            if let range = arguments[CellsVerb.bytes] {
                self = .bytes(range.bytes, path)
                return
            }
            let container = try ArchiveOutput.container(of: path)
            guard let share = arguments[task]?.share else {
                self = .whole(path, container)
                return
            }
            guard container == PMTiles.self else {
                throw UsageError.contradiction(
                    "\(path) cannot be written by several tasks, as PMTiles can be",
                    remedy: "leave --task out, or name a file that ends in .pmtiles")
            }
            self = .share(share, path)
        }
    }

    static func merge(
        _ cells: CellBuild, _ way: MergeWay, _ console: Console
    ) throws -> BuildReport? {
        switch way {
        case .layOut:
            let layout = try cells.layOut()
            var json = try cells.report(of: layout).json.asObject ?? JSONObject()
            json["file_sizes"] = .array(layout.sizes.map { .integer(Int64($0)) })
            console.print(JSONValue.object(json).text())
            return nil
        case .bytes(let range, let path):
            try write(range, of: cells, to: path)
            return nil
        case .share(let share, let path): return try cells.merge(share, to: path)
        case .whole(let path, let container): return try cells.merge(to: path, in: container)
        }
    }

    /// Writes bytes of the archive to a new file, which is complete or absent.
    private static func write(_ range: Range<Int>, of cells: CellBuild, to path: String) throws {
        let layout = try cells.layOut()
        let total = layout.sizes.reduce(0, +)
        guard range.upperBound <= total else {
            throw UsageError.contradiction(
                "--bytes goes beyond the \(total) bytes that there are", remedy: "ask for fewer")
        }
        do {
            let file = try UnfinishedFiles.begin(path) { () throws(FileError) in
                try File(creating: path)
            }
            do {
                try cells.write(range, of: layout) { bytes, _, _ in try file.write(bytes) }
                try UnfinishedFiles.publish(path) { () throws(FileError) in try file.synchronize() }
            } catch {
                UnfinishedFiles.remove(path)
                throw error
            }
        } catch let error as FileError {
            throw TextFile.NotWritten(path: path, reason: error)
        }
    }
}

/// `FROM-TO` on the command line: a range of bytes without its upper bound.
struct ByteRange: ArgumentValue {
    let bytes: Range<Int>

    init(argument: String) throws(ValueError) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = Int(parts[0]), let end = Int(parts[1]), start >= 0,
            start < end
        else { throw ValueError(expected: "two numbers of bytes, as 0-1000") }
        bytes = start..<end
    }
}
