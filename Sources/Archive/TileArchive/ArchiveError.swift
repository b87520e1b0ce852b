import ArchiveContract
import Compression
import Geometry
import Platform
import SQLite

/// Why an archive could not be read or written: the file, the fault, and what to do about it.
public enum ArchiveError: Error, Equatable, Sendable {
    // Reading
    case unreadable(path: String, reason: String)
    case notADatabase(path: String)
    case truncated(path: String, bytes: Int, expected: Int)
    case wrongSchema(path: String, reason: String)
    case locked(path: String)
    case corrupt(path: String, reason: String)
    /// Changes in a write-ahead log or journal cannot be applied, because the place is read-only.
    case unappliedChanges(path: String)
    /// Its schema does something that the schema of an untrusted file must not do.
    case refused(path: String, reason: String)
    case damagedTile(path: String, TileID, CompressionError)
    // Cluster tables
    case noClusters(path: String)
    /// The archive's description of its clusters is damaged, or of a later format.
    case unreadableClusters(path: String, DescriptionError)
    case unknownCluster(path: String, id: Int64)
    case unknownLeaf(path: String, leaf: Int64)
    /// A page of a cluster's children begins after more of them than are counted.
    case tooManyChildren(path: String, id: Int64, most: Int)
    case unknownLeafBlock(path: String, block: Int64)
    case damagedLeafBlock(path: String, block: Int64, CompressionError)
    case damagedClusters(path: String, reason: String)
    /// The file of clusters beside an archive comes from another build.
    case otherClusters(path: String)
    // Writing
    case exists(path: String)
    case inUse(path: String)
    case cannotWrite(path: String, reason: String)
    case diskFull(path: String)
    case duplicateTile(path: String, TileID)
    case outOfOrder(path: String, table: String, row: Int64)
    case cancelled(path: String)
    /// Readers would refuse the overview of so many blocks and pages of ids.
    case tooManyPayloads(Int)
    /// Readers would refuse so many bytes of metadata, most of which may be a list of names of attributes.
    case tooMuchMetadata(bytes: Int, names: Int, nameBytes: Int)
    /// Anything else that SQLite refused.
    case database(path: String, SQLiteError)
}

extension ArchiveError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .notADatabase(let path): "\(path): not an SQLite database, and so no MBTiles archive"
        case .truncated(let path, let bytes, let expected):
            "\(path): cut short: \(bytes) bytes of \(expected); copy or build it again"
        case .wrongSchema(let path, let reason): "\(path): not an MBTiles archive: \(reason)"
        case .locked(let path):
            "\(path): locked by another program; wait until it is done"
        case .corrupt(let path, let reason): "\(path): damaged: \(reason)"
        case .unappliedChanges(let path):
            "\(path): changes wait in the -wal or -journal file beside it, and this place is "
                + "read-only; open the archive once where it can be written, or copy all its files"
        case .refused(let path, let reason):
            "\(path): its schema is not safe to read: \(reason)"
        case .damagedTile(let path, let tile, let error): "\(path): tile \(tile): \(error)"
        case .noClusters(let path):
            "\(path): holds no cluster index; build it with covey, without --no-leaves, and convert it "
                + "without --bbox"
        case .unreadableClusters(let path, let error): "\(path): \(error)"
        case .unknownCluster(let path, let id):
            "\(path): no cluster has the id \(id); tiles carry ids as "
                + "\(ClusterAttribute.clusterID.name), and 'covey clusters \(path) --containing "
                + "LON,LAT --zoom Z' finds one"
        case .tooManyChildren(let path, let id, let most):
            "\(path): cluster \(id) splits into more than \(most) nodes; use a smaller offset, "
                + "or ask for its leaves"
        case .unknownLeaf(let path, let leaf): "\(path): no point has the leaf number \(leaf)"
        case .unknownLeafBlock(let path, let block): "\(path): there is no leaf block \(block)"
        case .damagedLeafBlock(let path, let block, let error):
            "\(path): leaf block \(block): \(error)"
        case .damagedClusters(let path, let reason):
            "\(path): the cluster index is damaged: \(reason)"
        case .otherClusters(let path):
            "\(path): does not belong to the archive beside it: only one of the two was replaced; "
                + "copy both again, or build them again"
        default: writingDescription
        }
    }

    private var writingDescription: String {
        switch self {
        case .exists(let path): "\(path): exists already; use --force to replace it"
        case .inUse(let path):
            "\(path): a -wal or -journal file lies beside it; close the program that uses the "
                + "archive, or remove that file"
        case .cannotWrite(let path, let reason): "\(path): cannot be written: \(reason)"
        case .diskFull(let path):
            "\(path): cannot be written: the disk is full; make room there, or name another output"
        case .duplicateTile(let path, let tile): "\(path): tile \(tile) was written twice"
        case .outOfOrder(let path, let table, let row):
            "\(path): row \(row) of \(table) was written out of order"
        case .tooManyPayloads(let count):
            "the cluster index has \(count) blocks and pages, more than readers take; leave it out "
                + "(--no-leaves), or make several archives of the points"
        case .tooMuchMetadata(let bytes, let names, let nameBytes):
            "the metadata take \(bytes) bytes, and readers take \(ArchiveMetadata.mostBytes) at most: "
                + "\(names) names of attributes make \(nameBytes) of them; build with fewer attributes "
                + "(--include, --exclude)"
        case .cancelled(let path): "\(path): stopped before it was done"
        case .database(let path, let error): "\(path): \(error)"
        default: "unknown fault"
        }
    }
}

extension ArchiveError {
    /// The meaning of a failed statement, for an archive that is being read.
    init(reading path: String, _ error: SQLiteError) {
        let message = error.fault.message
        switch error.fault.kind {
        case .busy: self = .locked(path: path)
        case .notADatabase: self = .notADatabase(path: path)
        case .corrupt: self = .corrupt(path: path, reason: message)
        case .tooBig:
            let most = TileLookup.largestStored >> 20
            self = .corrupt(
                path: path,
                reason: "a value takes more than \(most) MiB, too much for a tile, and is not read")
        case .inputOutput: self = .unreadable(path: path, reason: message)
        case .interrupted:
            self = .corrupt(
                path: path, reason: "its views or missing indexes make reading too slow")
        case .refused: self = .refused(path: path, reason: message)
        case .full: self = .corrupt(path: path, reason: "its views need too much disk space")
        case .cannotOpen, .readOnly:
            let isChanged = ["-wal", "-journal"].contains { DatabaseHeader.hasContent(path + $0) }
            self =
                isChanged
                ? .unappliedChanges(path: path) : .unreadable(path: path, reason: message)
        default: self = .database(path: path, error)
        }
    }

    /// The meaning of a failed statement, for an archive that is being written.
    init(writing path: String, _ error: SQLiteError) {
        let message = error.fault.message
        switch error.fault.kind {
        case .busy: self = .locked(path: path)
        case .full: self = .diskFull(path: path)
        case .inputOutput, .cannotOpen, .readOnly:
            self = .cannotWrite(path: path, reason: message)
        case .interrupted: self = .cancelled(path: path)
        default: self = .database(path: path, error)
        }
    }

    /// The meaning of a failed system call, for an archive that is being written.
    init(writing path: String, _ error: FileError) {
        self =
            error.isDiskFull
            ? .diskFull(path: path) : .cannotWrite(path: path, reason: "\(error)")
    }
}
