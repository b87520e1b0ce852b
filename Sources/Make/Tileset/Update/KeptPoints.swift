import ArchiveContract
import Platform
import Points

/// The points of an archive as they were read, in a file beside it: what an update begins with.
///
/// The file is named by a sum over the points, and the archive says which is its own. So the archive and its
/// points never disagree: a new archive names a new file, and the old one goes when it is there.
public struct KeptPoints: Sendable {
    let path: String
    private let folder: JobFolder

    /// What files of a job are told apart by.
    static let job = "points"

    /// What the names of such files beside an archive begin with.
    static func prefix(beside archive: String) -> String {
        var name = archive[...]
        while name.hasSuffix("/"), name.count > 1 { name = name.dropLast() }
        return name + ".points"
    }

    static func path(beside archive: String, sum: String) -> String {
        "\(prefix(beside: archive))-\(sum)"
    }

    /// Removes the points of archives that were there before.
    /// - Parameter sum: whose stay; nil if the archive keeps none.
    static func remove(beside archive: String, but sum: String?) {
        let (directory, name) = Directory.split(prefix(beside: archive))
        for found in (try? Directory(directory).names()) ?? [] where found.hasPrefix(name + "-") {
            let other = found.dropFirst(name.count + 1)
            if isSum(other), other != sum ?? "" { try? File.remove("\(directory)/\(found)") }
        }
    }

    /// Whether a text may be a sum: what an archive says is a stranger's, and goes into a name.
    static func isSum(_ text: Substring) -> Bool {
        text.utf8.count == 16 && text.allSatisfy(\.isHexDigit)
    }

    /// The points of an archive.
    /// - Parameter sum: what the archive says of them.
    init(beside archive: String, sum: String) throws(UpdateError) {
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

    func reader(_ keys: AttributeKeys) throws(UpdateError) -> Reader {
        do throws(JobError) {
            return Reader(try JobFileReader(path, in: folder, job: Self.job), keys)
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

        fileprivate init(_ reader: JobFileReader, _ keys: AttributeKeys) {
            self.reader = reader
            self.keys = keys
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

        private mutating func advance() throws(JobError) {
            guard let bytes = try reader.next() else { return }
            var source = BlockSource(bytes)
            waiting = try reader.decode { () throws(BlockSource.Damaged) in
                let layer = try source.int()
                if layer != self.layer { names = [] }
                self.layer = layer
                names += try source.array { (source) throws(BlockSource.Damaged) in
                    try source.text()
                }
                return (layer, try source.points(StoredKeys(names, in: keys)))
            }
        }
    }
}
