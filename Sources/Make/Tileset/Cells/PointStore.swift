import Platform
import PointInput
import Points
import Synchronization

/// Takes points out of memory while they are read, from the moment on at which they would be too many.
///
/// They lie in a file of its own, in blocks, in the order in which they came.
final class PointStore: PointSpill {
    /// Some points of one layer.
    struct Block: Sendable {
        let layer: Int
        let offset: Int
        let length: Int
        let count: Int
        /// A sum over its bytes.
        let sum: UInt64
    }

    private struct State: ~Copyable {
        var file: File?
        var size = 0
        var blocks: [Block] = []
        var layer = 0
        /// Points of the present layer that were taken.
        var count = 0
        var total = 0
        var isTaking: Bool
        var folder: JobFolder?
        var path = ""
        /// The points of layers before that are in memory, and their bytes.
        var earlier = (points: 0, bytes: 0)
    }
    private let state: Mutex<State>
    private let makeFolder: @Sendable () throws(JobError) -> JobFolder
    private let mustTake: @Sendable (_ points: Int, _ bytes: Int) -> Bool
    let keys: AttributeKeys

    /// So many rows make a block.
    private static let rowsInBlock = 1 << 17

    /// - Parameters:
    ///   - makeFolder: makes the job's folder, when the first points are taken.
    ///   - always: whether points are taken from the start.
    ///   - mustTake: whether so many points are too many for memory.
    init(
        _ keys: AttributeKeys, always: Bool,
        makeFolder: @escaping @Sendable () throws(JobError) -> JobFolder,
        mustTake: @escaping @Sendable (_ points: Int, _ bytes: Int) -> Bool
    ) {
        self.keys = keys
        self.makeFolder = makeFolder
        self.mustTake = mustTake
        state = Mutex(State(isTaking: always))
    }

    deinit { remove() }

    var isTaking: Bool { state.withLock { $0.isTaking } }
    var count: Int { state.withLock { $0.count } }
    var blocks: [Block] { state.withLock { $0.blocks } }

    /// The job's folder, which is made if it is not there.
    func folder() throws(JobError) -> JobFolder {
        if let folder = state.withLock({ $0.folder }) { return folder }
        let folder = try makeFolder()
        state.withLock { state in
            state.folder = folder
            state.path = "\(folder.path)/points-\(Process.uniqueName).part"
        }
        return folder
    }

    /// Goes on with the points of a layer.
    func begin(layer: Int) {
        state.withLock { state in
            state.layer = layer
            state.count = 0
        }
    }

    /// A layer stays in memory, as it seems.
    func keeps(_ table: PointTable) {
        state.withLock { state in
            state.earlier.points += table.count
            state.earlier.bytes += table.byteCount
        }
    }

    func take(_ table: inout PointTable, of input: String) throws(InputError) {
        let isTaking = state.withLock { state in
            if !state.isTaking {
                state.isTaking = mustTake(
                    state.earlier.points + table.count, state.earlier.bytes + table.byteCount)
            }
            return state.isTaking
        }
        guard isTaking, table.count >= Self.rowsInBlock else { return }
        try takeAll(&table, of: input)
    }

    /// Takes what is left of a layer, if any is taken at all.
    func takeAll(_ table: inout PointTable, of input: String) throws(InputError) {
        guard table.count > 0 else { return }
        do {
            _ = try folder()
        } catch {
            throw .noTemporaryFile(directory: "--job", reason: "\(error)")
        }
        do {
            try write(table)
        } catch {
            throw .temporaryDiskFull(
                input: input, directory: state.withLock { $0.path }, bytes: error.bytes)
        }
        table = PointTable(keys: keys)
    }

    private struct WriteFailure: Error { let bytes: Int }

    private func write(_ table: PointTable) throws(WriteFailure) {
        var start = 0
        while start < table.count {
            let rows = start..<min(start + Self.rowsInBlock, table.count)
            var sink = BlockSink()
            sink.write(table, rows: rows)
            let bytes = sink.bytes
            let sum = ByteSum.of(bytes.span)
            let failed = state.withLock { state in
                do {
                    if state.file == nil { state.file = try Self.makeFile(state.path) }
                    try state.file?.write(bytes.span, at: state.size)
                    state.blocks.append(
                        Block(
                            layer: state.layer, offset: state.size, length: bytes.count,
                            count: rows.count, sum: sum))
                    state.size += bytes.count
                    state.count += rows.count
                    state.total += rows.count
                    return Int?.none
                } catch {
                    return state.size
                }
            }
            if let failed { throw WriteFailure(bytes: failed) }
            start = rows.upperBound
        }
    }

    private static func makeFile(_ path: String) throws(FileError) -> File {
        try UnfinishedFiles.begin(path) { () throws(FileError) in
            try File(creating: path)
        }
    }

    func goBack(to count: Int, _ table: inout PointTable, of input: String) throws(InputError) {
        let taken = self.count
        guard count < taken else { return table.truncate(to: count - taken) }
        table = PointTable(keys: keys)
        while self.count > count {
            let block = state.withLock { state in
                let block = state.blocks.removeLast()
                state.count -= block.count
                state.total -= block.count
                state.size = block.offset
                return block
            }
            guard self.count < count else { continue }
            do {
                table = try points(of: block)
            } catch {
                throw .readFailed(
                    input: input, offset: block.offset, reason: "its copy cannot be read")
            }
            table.truncate(to: count - self.count)
        }
    }

    /// The keys that some record of the present layer has.
    func usedKeys() throws(JobError) -> Set<AttributeKey> {
        let layer = state.withLock { $0.layer }
        var used: Set<AttributeKey> = []
        for block in blocks where block.layer == layer {
            used.formUnion(try points(of: block).usedKeys())
        }
        return used
    }

    /// The points of a block.
    func points(of block: Block) throws(JobError) -> PointTable {
        let path = state.withLock { $0.path }
        var source = BlockSource(
            try folder().bytes(of: path, block.offset..<block.offset + block.length))
        do {
            return try source.points(StoredKeys(sharing: keys))
        } catch {
            throw .damaged(path: path)
        }
    }

    /// The file is of no more use.
    func remove() {
        let path = state.withLock { $0.path }
        if !path.isEmpty { UnfinishedFiles.remove(path) }
    }
}
