import Platform
import Recipes

/// Reads and writes small text files as a whole.
enum TextFile {
    /// The text of a file of at most `limit` bytes.
    /// - Parameter mayBeInput: whether `-` is standard input.
    static func read(
        _ path: String, upTo limit: Int, mayBeInput: Bool = false
    ) throws -> String {
        let bytes = try start(of: path, upTo: limit + 1, mayBeInput: mayBeInput)
        let text = bytes.count > limit ? nil : decoded(bytes)
        guard let text else {
            let reason =
                bytes.count > limit
                ? "is larger than \(limit >> 20) MiB" : "is no UTF-8; save it as UTF-8"
            throw RecipeError(problems: ["\(path): \(reason)"])
        }
        return text
    }

    /// The first bytes of a file.
    static func start(
        of path: String, upTo limit: Int, mayBeInput: Bool = false
    ) throws(RecipeError) -> [UInt8] {
        do throws(FileError) {
            let file =
                try mayBeInput && path == "-" ? File.standardInput() : File(reading: path)
            _ = try file.waitUntilReadable(milliseconds: -1)
            return try file.bytes(upTo: limit)
        } catch {
            let reason = error.isMissing ? "there is no such file" : "can't be read: \(error)"
            throw RecipeError(problems: ["\(path): \(reason)"])
        }
    }

    /// A byte order mark, which some editors add, tells the encoding and is not part of the text. Nil for bytes that are none.
    static func decoded(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return String(validating: bytes[3...], as: UTF8.self)
        }
        guard bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) else {
            return String(validating: bytes, as: UTF8.self)
        }
        let low = bytes[0] == 0xFF ? 0 : 1
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8
        }
        return String(decoding: units, as: UTF16.self)
    }

    static func write(_ text: String, to path: String) throws(NotWritten) {
        do throws(FileError) {
            try File.replace(path, with: Array(text.utf8).span)
        } catch {
            throw NotWritten(path: path, reason: error)
        }
    }

    /// Throws if the folder of a file that is to be written later is not there.
    static func checkFolder(of path: String) throws(NotWritten) {
        do throws(FileError) {
            _ = try FileStatus(of: Directory.split(path).directory)
        } catch {
            throw NotWritten(path: path, reason: error)
        }
    }

    /// The error for a file that could not be written.
    struct NotWritten: Error, CustomStringConvertible {
        let path: String
        let reason: FileError
        /// What is done all the same.
        var done = ""

        var description: String {
            let remedy = reason.isMissing ? "make its folder first" : "name another file"
            return "\(path): can't be written: \(reason)\(done)\n\(remedy)"
        }
    }
}
