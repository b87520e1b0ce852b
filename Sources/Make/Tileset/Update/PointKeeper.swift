import Platform
import Points
import Synchronization

/// Writes the points of a build to a file beside its archive.
///
/// One thread at a time may use it.
final class PointKeeper: Sendable {
    private struct State: ~Copyable {
        var writer: JobFileWriter?
        var sum: PointsSum
        var layer = -1
        /// How many names of attributes of the layer have been written.
        var names = 0
        var published: String?
    }
    private let state: Mutex<State>
    private let archive: String

    /// - Parameter isOrdered: whether the order of the points makes a difference.
    init(beside archive: String, isOrdered: Bool) {
        self.archive = archive
        state = Mutex(State(sum: PointsSum(isOrdered: isOrdered)))
    }

    /// Adds points of a layer; layers come one after another.
    func keep(_ points: PointTable, of layer: Int) throws(JobError) {
        var failure: JobError?
        state.withLock { state in
            do throws(JobError) {
                try Self.keep(points, of: layer, beside: archive, &state)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private static func keep(
        _ points: PointTable, of layer: Int, beside archive: String, _ state: inout State
    ) throws(JobError) {
        if state.writer == nil {
            let prefix = KeptPoints.prefix(beside: archive)
            let (directory, name) = Directory.split(prefix)
            // What builds left that were killed.
            Leftovers.remove(
                named: name + ".", ending: ".part", in: directory, unless: .process)
            state.writer = try JobFileWriter(prefix, job: KeptPoints.job)
        }
        if state.layer != layer { (state.layer, state.names) = (layer, 0) }
        state.sum.include(points, of: layer)
        var start = 0
        while start < points.count {
            let rows = start..<min(start + rowsInBlock, points.count)
            let names = Array(points.attributes.keys.names.dropFirst(state.names))
            state.names += names.count
            var sink = BlockSink()
            sink.write(layer)
            sink.write(names) { $0.write($1) }
            sink.write(points, rows: rows)
            try state.writer?.append(sink.bytes)
            start = rows.upperBound
        }
    }

    private static let rowsInBlock = 1 << 17

    /// Gives the file its name; the archive does not know it yet.
    /// - Returns: the sum over the points, and whether the file was there before.
    func publish() throws(JobError) -> (sum: String, wasThere: Bool) {
        var result = Result<(sum: String, wasThere: Bool), JobError>.success(("", true))
        state.withLock { state in
            do throws(JobError) {
                let sum = state.sum.text
                let path = KeptPoints.path(beside: archive, sum: sum)
                let wasThere = (try? FileStatus(of: path)) != nil
                guard var writer = state.writer.take() else {
                    throw JobError.cannotCut(
                        reason: "the points of a job that is planned have been read already, and "
                            + "none can be kept")
                }
                try writer.finish(as: path)
                do throws(FileError) {
                    try File(writing: path).synchronize()
                } catch {
                    throw .cannotWrite(path: path, reason: "\(error)")
                }
                state.published = sum
                result = .success((sum, wasThere))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    /// The sum over the points of the file that has its name, if one does.
    var published: String? { state.withLock { $0.published } }

    /// Takes back what was published: the archive did not become what it was to be.
    func withdraw(_ sum: String) {
        try? File.remove(KeptPoints.path(beside: archive, sum: sum))
    }
}
