import Platform
import Synchronization
import TileService

/// The lines of `--access-log` on standard output.
///
/// If lines cannot be written, for instance to a full disk, that is reported once, and the server runs without
/// them until they can be. No line is written in part: the rest of one is written before the next.
final class AccessLog: Sendable {
    private struct State {
        /// The rest of a line that was partly written.
        var rest: [UInt8] = []
        /// The number of lines that were left out since one could not be written.
        var missing = 0
        var isFailing = false
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
                try StandardStream.output.write(bytes.span, written: &written)
                if state.isFailing { sayThatItGoesOn(missing: state.missing) }
                state = State()
            } catch {
                if !state.isFailing { complain(of: error) }
                state.isFailing = true
                // A line of which nothing was written is left out.
                let isBegun = written > state.rest.count
                state.missing += isBegun ? 0 : 1
                state.rest = Array(bytes[written..<(isBegun ? bytes.count : state.rest.count)])
            }
        }
    }

    private func complain(of error: FileError) {
        console.complain(
            "the access log can't be written: \(error)\n"
                + "requests are answered all the same; lines are left out until it can be")
    }

    private func sayThatItGoesOn(missing: Int) {
        let lines = missing == 1 ? "1 line is" : "\(missing) lines are"
        console.say("the access log is written again; \(lines) missing")
    }
}
