import CLibrary
import Platform
import Synchronization

/// The two ways out of the program: data to standard output, words for people to standard error.
///
/// Words that can't be said are dropped: they never end a run, nor decide how it ends. Data that can't be
/// written is remembered, and `end` says so; until then the work goes on, for most verbs make a file.
struct Console: Sendable {
    /// Whether people read standard error on a terminal that can move its cursor.
    let isInteractive: Bool
    /// Whether colour is welcome there.
    let hasColor: Bool
    /// Whether the program ends as soon as data can't be written: for verbs that do nothing else.
    var endsWithOutput = false
    private let output = Output()

    private final class Output: Sendable {
        /// Why data could not be written. Nothing is written from then on: a gap is worse than an end.
        let failure = Mutex<FileError?>(nil)
    }

    init() {
        isInteractive =
            StandardStream.errors.isTerminal && Process.variable("TERM") != "dumb"
        // The convention of no-color.org: any value but the empty one says no.
        hasColor = isInteractive && (Process.variable("NO_COLOR") ?? "").isEmpty
    }

    /// Writes a line of data.
    func print(_ line: String) { write(Array((line + "\n").utf8)) }

    /// Writes bytes of data.
    func write(_ bytes: [UInt8]) {
        output.failure.withLock { failure in
            guard failure == nil else { return }
            do throws(FileError) {
                try StandardStream.output.write(bytes.span)
            } catch {
                failure = error
            }
        }
        if endsWithOutput, hasLostOutput { exit(end(.done).rawValue) }
    }

    /// Whether some data could not be written.
    var hasLostOutput: Bool { output.failure.withLock { $0 != nil } }

    /// Says that data could not be written, if so, and with which code the program ends whose verb ended
    /// with `code`. That a reader has seen enough (`covey … | head`) is no failure of ours.
    func end(_ code: ExitCode) -> ExitCode {
        guard let failure = output.failure.withLock({ $0 }), !failure.isClosedPipe else {
            return code
        }
        complain(
            "standard output can't be written: \(failure)\n"
                + "what was printed is not complete"
                + (endsWithOutput ? "" : "; files that were made are whole"))
        return code == .done ? .badData : code
    }

    /// Writes a line for people.
    func say(_ line: String) { sayInPlace(line + "\n") }

    /// Writes for people without ending the line.
    func sayInPlace(_ text: String) {
        try? StandardStream.errors.write(Array(text.utf8).span)
    }

    /// Says what went wrong and, on the lines below it, what to do.
    func complain(_ description: String) {
        let lines = description.split(separator: "\n", omittingEmptySubsequences: false)
        let name = hasColor ? "\u{1B}[1;31mcovey:\u{1B}[0m" : "covey:"
        say("\(name) \(lines[0])")
        for line in lines.dropFirst() { say("       \(line)") }
    }
}
