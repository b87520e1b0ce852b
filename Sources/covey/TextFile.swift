import Foundation
import Recipes

/// Small files of text, whole.
enum TextFile {
    /// The text of a file of at most `limit` bytes.
    static func read(_ path: String, upTo limit: Int) throws -> String {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw RecipeError(problems: ["\(path): there is no such file, or it can't be read"])
        }
        defer { try? handle.close() }
        let data = try handle.read(upToCount: limit) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
