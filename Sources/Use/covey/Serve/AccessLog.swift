import CLibrary
import Platform
import Synchronization
import TileService

/// The lines of `--access-log` on standard output.
///
/// If lines cannot be written, for instance to a full disk or because their reader has stopped, that is reported
/// once, and the server runs without them until they can be. No line is written in part: the rest of one is written
/// before the next.
final class AccessLog: Sendable {
    private struct State {
        /// The rest of a line that was partly written.
        var rest: [UInt8] = []
        /// The number of lines that were left out since one could not be written.
        var missing = 0
        var isFailing = false
        /// Whether the failure was reported.
        var isTold = false
    }
    private let state = Mutex(State())
    private let console: Console

    init(_ console: Console) { self.console = console }

    @Sendable
    func write(_ record: AccessRecord) {
        let line = Array((record.line(at: Clock.now) + "\n").utf8)
        state.withLock { state in
            let bytes = state.rest + line
            var written = 0
            do throws(FileError) {
                try Self.write(bytes, written: &written)
                if state.isTold { sayThatItGoesOn(missing: state.missing) }
                state = State()
            } catch {
                state.isFailing = true
                // The messages may go to the same reader.
                if !state.isTold, StandardStream.errors.isWritable {
                    complain(of: error)
                    state.isTold = true
                }
                // A line of which nothing was written is left out.
                let isBegun = written > state.rest.count
                state.missing += isBegun ? 0 : 1
                state.rest = Array(bytes[written..<(isBegun ? bytes.count : state.rest.count)])
            }
        }
    }

    /// Writes the bytes as far as the reader takes them: requests must not wait for it.
    private static func write(_ bytes: [UInt8], written: inout Int) throws(FileError) {
        while written < bytes.count {
            guard StandardStream.output.isWritable else { throw .system(code: EAGAIN) }
            let end = min(written + StandardStream.bytesAtOnce, bytes.count)
            var part = 0
            defer { written += part }
            try StandardStream.output.write(
                bytes.span.extracting(written..<end), written: &part)
        }
    }

    private func complain(of error: FileError) {
        let reason = error == .system(code: EAGAIN) ? "its reader has stopped" : "\(error)"
        console.complain(
            "the access log can't be written: \(reason)\n"
                + "requests are answered all the same; lines are left out until it can be")
    }

    private func sayThatItGoesOn(missing: Int) {
        guard StandardStream.errors.isWritable else { return }
        let lines = missing == 1 ? "1 line is" : "\(missing) lines are"
        console.say("the access log is written again; \(lines) missing")
    }
}
