import CLibrary
import Platform
import Synchronization

/// The output of the program: data on standard output, messages on standard error.
///
/// Messages that cannot be written are dropped: they never end a run, nor decide how it ends. A failure to
/// write data is remembered, and `end` reports it; until then the work continues, as most verbs make a file.
struct Console: Sendable {
    /// Whether standard error is a terminal with a movable cursor.
    let isInteractive: Bool
    /// Whether messages may have colours.
    let hasColor: Bool
    /// Whether the program ends as soon as data cannot be written: for verbs that do nothing else.
    var endsWithOutput = false
    /// Whether standard output is a terminal.
    private let showsData = StandardStream.output.isTerminal
    private let output = Output()

    private final class Output: Sendable {
        /// Why data could not be written. Nothing is written after that: a gap is worse than an early end.
        let failure = Mutex<FileError?>(nil)
        let exitCode = Mutex(ExitCode.badData)
    }

    /// The exit code of errors, of all copies of the console.
    var failure: ExitCode {
        get { output.exitCode.withLock { $0 } }
        nonmutating set { output.exitCode.withLock { $0 = newValue } }
    }

    init() {
        isInteractive =
            StandardStream.errors.isTerminal && Process.variable("TERM") != "dumb"
        // The convention of no-color.org: any value except an empty one turns colours off.
        hasColor = isInteractive && (Process.variable("NO_COLOR") ?? "").isEmpty
    }

    /// Writes lines of text for people.
    func show(_ lines: [String]) {
        for line in lines { write(Array((line.withoutControls + "\n").utf8)) }
    }

    /// Writes a line of data.
    func print(_ line: String) {
        write(Array(((showsData ? line.withoutControls : line) + "\n").utf8))
    }

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

    /// Reports a failure to write data, and returns the program's exit code, given that of its
    /// verb. A reader that closes the pipe (`covey … | head`) is no failure.
    func end(_ code: ExitCode) -> ExitCode {
        guard let failure = output.failure.withLock({ $0 }), !failure.isClosedPipe else {
            return code
        }
        complain(
            "standard output can't be written: \(failure)\n"
                + "what was printed is not complete"
                + (endsWithOutput ? "" : "; files that were made are whole"))
        return [.done, .badData].contains(code) ? self.failure : code
    }

    /// Writes a line of messages.
    func say(_ line: String) { writeMessage(line.withoutControls + "\n") }

    /// Writes a message in place of the line where the cursor is, without ending it.
    func sayInPlace(_ text: String) { writeMessage("\r\u{1B}[K" + text.withoutControls) }

    private func writeMessage(_ message: String) {
        try? StandardStream.errors.write(Array(message.utf8).span)
    }

    /// Writes an error and, on the lines below it, what to do.
    func complain(_ description: String) {
        let lines = description.split(separator: "\n", omittingEmptySubsequences: false)
        let name = hasColor ? "\u{1B}[1;31mcovey:\u{1B}[0m" : "covey:"
        writeMessage("\(name) \(lines[0].withoutControls)\n")
        for line in lines.dropFirst() { say("       \(line)") }
    }
}

extension StringProtocol {
    /// The text without the control characters by which names and values of others could steer a terminal.
    fileprivate var withoutControls: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            text.append(isControl && scalar != "\n" && scalar != "\t" ? "\u{FFFD}" : scalar)
        }
        return String(text)
    }
}
