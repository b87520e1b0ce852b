import ArchiveContract
import Platform
import Points
import Recipes
import TileArchive

/// The points of an archive as they were read, in a file beside it: what an update begins with.
///
/// The file is named by a sum over the points, and the archive says which is its own. So the archive and its
/// points never disagree: a new archive names a new file, and the old one goes when it is there.
public struct KeptPoints: Sendable {
    let path: String
    private let folder: JobFolder
    /// Of no points yet, and what it is of all.
    private let sum: (start: PointsSum, end: String)

    /// What files of a job are told apart by.
    static let job = "points"
    /// That of a file that says in which folder of a job the points stay.
    static let jobOfPlace = "place of points"
    /// Goes up with every change of what is written: archives outlive jobs.
    static let version: UInt32 = 10

    /// What the names of such files beside an archive begin with.
    static func prefix(beside archive: String) -> String {
        var name = archive[...]
        while name.hasSuffix("/"), name.count > 1 { name = name.dropLast() }
        return name + ".points"
    }

    static func path(beside archive: String, sum: String) -> String {
        "\(prefix(beside: archive))-\(sum)"
    }

    /// The files of points beside an archive, of this one or of those that were there before.
    static func files(beside archive: String) -> [String] {
        let (directory, name) = Directory.split(prefix(beside: archive))
        return ((try? Directory(directory).names()) ?? []).filter { found in
            found.hasPrefix(name + "-") && isSum(found.dropFirst(name.count + 1))
        }.map { "\(directory)/\($0)" }
    }

    /// Removes the points of archives that were there before, but for those that the archive names now.
    static func removeOthers(beside archive: String) {
        // Of one that cannot be read it is not known which are its own.
        guard let now = try? Archive(path: archive) else { return }
        for file in files(beside: archive) where file.suffix(16) != now.metadata.keptPoints ?? "" {
            try? File.remove(file)
        }
    }

    /// The folder of an archive, which no other run of covey changes points in until what comes back goes away.
    static func lockFolder(of archive: String) -> OpenDirectory? {
        let folder = try? OpenDirectory(Directory.split(prefix(beside: archive)).directory)
        folder?.waitForLock()
        return folder
    }

    /// Keeps updates from an archive that is about to be replaced, until what comes back goes away; nil where it keeps
    /// no points. They would be lost, or it would lose its points.
    static func lock(beside archive: String) throws(UpdateError) -> KeptLock? {
        guard !files(beside: archive).isEmpty,
            let sum = (try? Archive(path: archive))?.metadata.keptPoints,
            let file = try? File(readingRegular: path(beside: archive, sum: sum))
        else { return nil }
        guard file.lock(exclusively: true) else { throw .isLocked(archive: archive) }
        return KeptLock(file)
    }

    /// Whether a text may be a sum: what an archive says is a stranger's, and goes into a name.
    static func isSum(_ text: Substring) -> Bool {
        text.utf8.count == 16 && text.allSatisfy(\.isHexDigit)
    }

    /// The points of an archive.
    /// - Parameter sum: what the archive says of them.
    init(beside archive: String, sum: String, of recipe: Recipe) throws(UpdateError) {
        self.sum = (PointsSum(for: recipe), sum)
        path = Self.path(beside: archive, sum: sum)
        guard (try? FileStatus(of: path))?.isRegular ?? false else {
            throw .pointsAreGone(archive: archive, file: path)
        }
        do {
            folder = try JobFolder(Directory.split(path).directory)
        } catch {
            throw .damaged(file: path)
        }
    }

    /// The folder of the job in whose parts the points stay, if they do.
    var job: String? {
        guard
            var reader = try? JobFileReader(
                path, in: folder, job: Self.jobOfPlace, version: Self.version),
            var source = try? reader.block()
        else { return nil }
        return try? source.text()
    }

    func reader(_ keys: AttributeKeys) throws(UpdateError) -> Reader {
        do throws(JobError) {
            return Reader(
                try JobFileReader(path, in: folder, job: Self.job, version: Self.version), keys, sum
            )
        } catch {
            throw .damaged(file: path)
        }
    }

    /// Goes through the points a block at a time, layer after layer.
    struct Reader {
        private var reader: JobFileReader
        private let keys: AttributeKeys
        private var names: [String] = []
        private var layer = 0
        private var waiting: (layer: Int, points: PointTable)?
        private var sum: PointsSum
        private let wholeSum: String

        fileprivate init(
            _ reader: JobFileReader, _ keys: AttributeKeys, _ sum: (start: PointsSum, end: String)
        ) {
            self.reader = reader
            self.keys = keys
            (self.sum, wholeSum) = sum
        }

        /// The next points of a layer; nil behind its last.
        mutating func next(of wanted: Int) throws(UpdateError) -> PointTable? {
            do throws(JobError) {
                if waiting == nil { try advance() }
            } catch {
                throw .damaged(file: reader.path)
            }
            guard let found = waiting, found.layer == wanted else { return nil }
            waiting = nil
            return found.points
        }

        /// Throws unless all points have been read, and are those that they should be: another file may have
        /// got this one's name.
        mutating func finish() throws(UpdateError) {
            _ = try next(of: -1)
            guard waiting == nil, sum.text == wholeSum else { throw .damaged(file: reader.path) }
        }

        private mutating func advance() throws(JobError) {
            guard let bytes = try reader.next() else { return }
            var source = BlockSource(bytes)
            let block = try reader.decode { () throws(BlockSource.Damaged) in
                let layer = try source.int()
                if layer != self.layer { names = [] }
                self.layer = layer
                names += try source.array { (source) throws(BlockSource.Damaged) in
                    try source.text()
                }
                let points = try source.points(StoredKeys(names, in: keys))
                guard layer >= 0, points.areSound else { throw BlockSource.Damaged() }
                return (layer, points)
            }
            sum.include(block.1, of: block.0)
            waiting = block
        }
    }
}

extension PointTable {
    /// Whether all points stand on the world and have some weight: no reader makes others.
    fileprivate var areSound: Bool {
        (0..<count).allSatisfy { row in
            (0...1).contains(xs[row]) && (0...1).contains(ys[row])
                && (weights?[row] ?? 1) > 0 && (weights?[row] ?? 1) < .infinity
        }
    }
}

/// The lock of an archive's points.
final class KeptLock {
    private let file: File

    init(_ file: consuming File) { self.file = file }
}
