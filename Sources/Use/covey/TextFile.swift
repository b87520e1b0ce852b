import Platform
import Recipes

/// Reads and writes small text files as a whole.
enum TextFile {
    /// The text of a file of at most `limit` bytes.
    static func read(_ path: String, upTo limit: Int) throws -> String {
        do throws(FileError) {
            let file = try File(reading: path)
            _ = try file.waitUntilReadable(milliseconds: -1)
            let bytes = try file.bytes(upTo: limit)
            // The byte order mark that some editors add is not part of the text.
            return String(
                decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...],
                as: UTF8.self)
        } catch {
            let reason = error.isMissing ? "there is no such file" : "can't be read: \(error)"
            throw RecipeError(problems: ["\(path): \(reason)"])
        }
    }

    static func write(_ text: String, to path: String) throws(NotWritten) {
        do throws(FileError) {
            try File.replace(path, with: Array(text.utf8).span)
        } catch {
            throw NotWritten(path: path, reason: error)
        }
    }

    /// The error for a file that could not be written.
    struct NotWritten: Error, CustomStringConvertible {
        let path: String
        let reason: FileError

        var description: String {
            let remedy = reason.isMissing ? "make its folder first" : "name another file"
            return "\(path): can't be written: \(reason)\n\(remedy)"
        }
    }
}
