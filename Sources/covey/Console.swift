import CLibrary
import Platform

/// The two ways out of the program: data to standard output, words for people to standard error.
struct Console: Sendable {
    /// Whether people read standard error on a terminal that can move its cursor.
    let isInteractive: Bool
    /// Whether colour is welcome there.
    let hasColor: Bool

    init() {
        let isTerminal = (try? File.standardError().isTerminal) ?? false
        isInteractive = isTerminal && Process.variable("TERM") != "dumb"
        // The convention of no-color.org: any value but the empty one says no.
        hasColor = isInteractive && (Process.variable("NO_COLOR") ?? "").isEmpty
    }

    /// Writes a line of data.
    func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    /// Writes bytes of data.
    func write(_ bytes: [UInt8]) { write(bytes.span, to: STDOUT_FILENO) }

    /// Writes a line for people.
    func say(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// Writes for people without ending the line.
    func sayInPlace(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Says what went wrong and, on the lines below it, what to do.
    func complain(_ description: String) {
        let lines = description.split(separator: "\n", omittingEmptySubsequences: false)
        let name = hasColor ? "\u{1B}[1;31mcovey:\u{1B}[0m" : "covey:"
        say("\(name) \(lines[0])")
        for line in lines.dropFirst() { say("       \(line)") }
    }

    private func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.makeContiguousUTF8()
        write(text.utf8.span, to: descriptor)
    }

    private func write(_ bytes: Span<UInt8>, to descriptor: Int32) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.extracting(written...).withUnsafeBufferPointer { rest in
                unsafe CLibrary.write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0 && errno == EINTR { continue }
            // Nobody reads any more (`covey … | head`): that is no failure of ours.
            if count <= 0 { exit(ExitCode.done.rawValue) }
            written += count
        }
    }
}
