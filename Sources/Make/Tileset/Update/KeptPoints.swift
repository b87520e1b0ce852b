import ArchiveContract
import Platform
import Points
import Recipes
import TileArchive

/// The points of an archive as they were read, in a file beside it, from which an update starts.
///
/// The file is named by a sum over the points, and the archive names its file. So the archive and its points
/// never disagree: a new archive names a new file, and the old file is removed once the archive is complete.
public struct KeptPoints: Sendable {
    let path: String
    private let folder: JobFolder
    /// The sum of no points to start from, and the sum of all.
    private let sum: (start: PointsSum, end: String)

    /// The kind of job in the head of such files.
    static let job = "points"
    /// The kind in the head of a file that names the job's folder in which the points stay.
    static let jobOfPlace = "place of points"
    /// Is increased with every change of the format: archives outlive jobs.
    static let version: UInt32 = 10

    /// The beginning of the names of such files beside an archive: beside the archive itself, if the name is a link.
    static func prefix(beside archive: String) -> String {
        var name = archive[...]
        while name.hasSuffix("/"), name.count > 1 { name = name.dropLast() }
        return ((try? File.target(of: String(name))) ?? String(name)) + ".points"
    }

    static func path(beside archive: String, sum: String) -> String {
        "\(prefix(beside: archive))-\(sum)"
    }

    /// The files of points beside an archive, of this one and of earlier ones.
    static func files(beside archive: String) -> [String] {
        let (directory, name) = Directory.split(prefix(beside: archive))
        return ((try? Directory(directory).names()) ?? []).filter { found in
            found.hasPrefix(name + "-") && isSum(found.dropFirst(name.count + 1))
        }.map { "\(directory)/\($0)" }
    }

    /// Removes the points of earlier archives, except those that the archive names now.
    static func removeOthers(beside archive: String) {
        // If the archive cannot be read, its own points are not known.
        guard let now = try? Archive(path: archive) else { return }
        for file in files(beside: archive) where file.suffix(16) != now.metadata.keptPoints ?? "" {
            try? File.remove(file)
        }
    }

    /// Locks an archive's folder until the result is released, so that no other run of covey changes points in it.
    static func lockFolder(of archive: String) -> OpenDirectory? {
        let folder = try? OpenDirectory(Directory.split(prefix(beside: archive)).directory)
        folder?.waitForLock()
        return folder
    }

    /// Prevents updates of an archive that is about to be replaced, until the result is released;
    /// nil if it keeps no points. Otherwise the updates or the archive's points would be lost.
    static func lock(beside archive: String) throws(UpdateError) -> KeptLock? {
        guard !files(beside: archive).isEmpty,
            let sum = (try? Archive(path: archive))?.metadata.keptPoints,
            let file = try? File(readingRegular: path(beside: archive, sum: sum))
        else { return nil }
        guard file.lock(exclusively: true) else { throw .isLocked(archive: archive) }
        return KeptLock(file)
    }

    /// Whether a text may be a sum. Archives may come from strangers, and the sum becomes a part of a file name.
    static func isSum(_ text: Substring) -> Bool {
        text.utf8.count == 16 && text.allSatisfy(\.isHexDigit)
    }

    /// Opens the points of an archive.
    /// - Parameter sum: the sum that the archive states.
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

    /// The folder of the job that has the points in its parts; nil if they are in this file.
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

    /// Reads the points block by block, layer after layer.
    struct Reader {
        private var reader: JobFileReader
        private let keys: AttributeKeys
        private var names: [String] = []
        private var layer = 0
        /// The block after the last one that was taken. Its names get keys when its layer is read: those of the layer
        /// before it may be renamed until then.
        private var waiting: [UInt8]?
        private var sum: PointsSum
        private let wholeSum: String

        fileprivate init(
            _ reader: JobFileReader, _ keys: AttributeKeys, _ sum: (start: PointsSum, end: String)
        ) {
            self.reader = reader
            self.keys = keys
            (self.sum, wholeSum) = sum
        }

        /// The next points of a layer; nil after its last.
        mutating func next(of wanted: Int) throws(UpdateError) -> PointTable? {
            do throws(JobError) {
                if waiting == nil { waiting = try reader.next() }
                guard let bytes = waiting else { return nil }
                var source = BlockSource(bytes)
                let layer = try reader.decode { () throws(BlockSource.Damaged) in try source.int() }
                guard layer == wanted else { return nil }
                waiting = nil
                return try points(of: layer, &source)
            } catch {
                throw .damaged(file: reader.path)
            }
        }

        /// Throws unless all points have been read and have the expected sum: another file may have
        /// been given this name.
        mutating func finish() throws(UpdateError) {
            _ = try next(of: -1)
            guard waiting == nil, sum.text == wholeSum else { throw .damaged(file: reader.path) }
        }

        private mutating func points(
            of layer: Int, _ source: inout BlockSource
        ) throws(JobError) -> PointTable {
            let points = try reader.decode { () throws(BlockSource.Damaged) in
                if layer != self.layer { names = [] }
                self.layer = layer
                names += try source.array { (source) throws(BlockSource.Damaged) in
                    try source.text()
                }
                let points = try source.points(StoredKeys(names, in: keys))
                guard layer >= 0, points.areSound else { throw BlockSource.Damaged() }
                return points
            }
            sum.include(points, of: layer)
            return points
        }
    }
}

extension PointTable {
    /// Whether all points are in the world and have a valid weight; no reader makes others.
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
