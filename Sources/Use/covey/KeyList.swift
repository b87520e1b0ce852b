import Tileset

/// A list of the keys of points to remove, one a line.
enum KeyList {
    static func keys(in file: String) throws -> [PointKey] {
        let text = try TextFile.read(file, upTo: 1 << 30, mayBeInput: true)
        return text.split { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
            .filter { !$0.trimmed.isEmpty }.map { line in
                // Blanks may be part of a text, but not of a number.
                let number = PointKey(spelling: line.trimmed)
                if case .number = number { return number }
                return PointKey(spelling: String(line))
            }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text.drop(while: \.isWhitespace))
    }
}
