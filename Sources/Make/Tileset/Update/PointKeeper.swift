import Platform
import Points
import Synchronization

/// Writes the points of a build to a file beside its archive, or a reference to where they stay.
///
/// Only one thread at a time may use it.
final class PointKeeper: Sendable {
    private struct State: ~Copyable {
        var writer: JobFileWriter?
        var sum: PointsSum
        /// The sum of points that stay in a job.
        var known: String?
        var layer = -1
        /// The number of the layer's attribute names that have been written.
        var names = 0
    }
    private let state: Mutex<State>
    let archive: String

    /// - Parameter sum: the sum of no points.
    init(beside archive: String, _ sum: PointsSum) {
        self.archive = archive
        state = Mutex(State(sum: sum))
    }

    /// Adds points of a layer; layers come one after another.
    func keep(_ points: PointTable, of layer: Int) throws(JobError) {
        try state.withLock { state throws(JobError) in
            if state.writer == nil { state.writer = try makeWriter() }
            if state.layer != layer { (state.layer, state.names) = (layer, 0) }
            state.sum.include(points, of: layer)
            for start in stride(from: 0, to: points.count, by: Self.rowsInBlock) {
                let names = Array(points.attributes.keys.names.dropFirst(state.names))
                state.names += names.count
                var sink = BlockSink()
                sink.write(layer)
                sink.write(names) { $0.write($1) }
                sink.write(points, rows: start..<min(start + Self.rowsInBlock, points.count))
                try state.writer?.append(sink.bytes)
            }
        }
    }

    /// Notes that the points stay in the parts of a job: the file beside the archive then names the job's folder.
    func refer(to job: CellJob) throws(JobError) {
        guard let sum = job.plan.points else {
            throw .plannedOtherwise(folder: job.folder.path)
        }
        let path = (try? File.resolved(job.folder.path)) ?? job.folder.path
        try state.withLock { state throws(JobError) in
            var sink = BlockSink()
            sink.write(path)
            state.writer = try makeWriter(KeptPoints.jobOfPlace)
            try state.writer?.append(sink.bytes)
            state.known = sum
        }
    }

    private func makeWriter(
        _ job: String = KeptPoints.job
    ) throws(JobError) -> JobFileWriter {
        let prefix = KeptPoints.prefix(beside: archive)
        let (directory, name) = Directory.split(prefix)
        // Files of builds that were killed.
        Leftovers.remove(named: name + ".", ending: ".part", in: directory, unless: .process)
        let writer = try JobFileWriter(prefix, job: job, version: KeptPoints.version)
        // The points are as private as the archive that there is; a folder's right to search is none of a file's.
        if let replaced = try? FileStatus(of: archive) {
            try? File.setAccess(as: replaced, of: writer.temporaryPath, mask: 0o666)
        }
        return writer
    }

    private static let rowsInBlock = 1 << 17

    /// Gives the file its name, which the archive does not state yet.
    /// - Returns: the sum over the points, and whether the file was there before.
    func publish() throws(JobError) -> (sum: String, wasThere: Bool) {
        try state.withLock { state throws(JobError) in
            let sum = state.known ?? state.sum.text
            let path = KeptPoints.path(beside: archive, sum: sum)
            let wasThere = (try? FileStatus(of: path)) != nil
            guard var writer = state.writer.take() else {
                preconditionFailure("a build without points has no archive")
            }
            try writer.finish(as: path)
            do {
                try File(writing: path).synchronize()
            } catch {
                if !wasThere { withdraw(sum) }
                throw .cannotWrite(path: path, reason: "\(error)")
            }
            return (sum, wasThere)
        }
    }

    /// Removes a published file, as the archive was not completed.
    func withdraw(_ sum: String) {
        try? File.remove(KeptPoints.path(beside: archive, sum: sum))
    }
}
