import Platform

/// The output of another program as a stream; a failure of the program is a failure of the stream.
package final class ProgramStream: ByteStream {
    private let program: String
    private let name: String
    private let isCancelled: @Sendable () -> Bool
    private var process: ChildProcess
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var unread = 0..<0
    private var offset = 0
    private var isAtEnd = false
    /// The standard error output, up to a limit. GDAL ends it after 1,000 warnings and errors.
    private var errors: [UInt8] = []

    /// - Parameter package: the package to install if the program is missing.
    package init(
        _ program: String, _ arguments: [String], package: String, name: String,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(InputError) {
        self.program = program
        self.name = name
        self.isCancelled = isCancelled
        do { process = try ChildProcess(program, arguments) } catch {
            switch error {
            case .notFound: throw .missingProgram(input: name, program: program, package: package)
            case .failed(let why):
                throw .cannotOpen(
                    input: name, reason: "the program \(program) cannot be started: \(why)")
            }
        }
    }

    func fill(_ target: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        while unread.isEmpty {
            guard !isAtEnd else { return 0 }
            try receive()
        }
        let count = min(target.count, unread.count)
        unsafe target.copyBytes(from: buffer[unread.prefix(count)])
        unread.removeFirst(count)
        offset += count
        return count
    }

    /// Its whole output as text; nil if that is longer than `limit` bytes.
    package func text(upTo limit: Int) throws(InputError) -> String? {
        var text: [UInt8] = []
        while !isAtEnd {
            try receive()
            text += buffer[unread]
            unread = 0..<0
            guard text.count <= limit else { return nil }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func receive() throws(InputError) {
        if isCancelled() { throw .cancelled(input: name) }
        switch process.wait(&buffer, milliseconds: 100) {
        case .output(let count): unread = 0..<count
        case .errors(let count): errors += buffer[..<min(count, (1 << 18) - errors.count)]
        case .silence: break
        case .end:
            isAtEnd = true
            try check(exit: process.exitCode())
        }
    }

    private func check(exit code: Int32?) throws(InputError) {
        guard code != 0 else { return }
        let words = messages.filter { !$0.hasPrefix("Warning") }.prefix(3).joined(separator: "; ")
        let said = words.hasPrefix("\(program):") ? words : "\(program): \(words)"
        let reason =
            !words.isEmpty
            ? said
            : code.map { "\(program) cannot open it, and ends with \($0)" }
                ?? "\(program) was ended by a signal"
        throw offset > 0
            ? .readFailed(input: name, offset: offset, reason: reason)
            : .cannotOpen(input: name, reason: reason)
    }

    /// The first error of GDAL's among its messages, with the program's name.
    var gdalError: String? {
        messages.first { $0.hasPrefix("ERROR ") }.map { "\(program): \($0)" }
    }

    /// The lines of its standard error output, without lists and headings.
    var messages: [String] {
        String(decoding: errors, as: UTF8.self).split(separator: "\n").map { line in
            let text = String(line).trimmingSpaces
            return text.utf8.contains { $0 < 0x20 } ? Snippet.of(text, limit: 300) : text
        }.filter { !$0.hasPrefix("->") && !$0.hasPrefix("FAILURE:") && !$0.isEmpty }
    }
}
