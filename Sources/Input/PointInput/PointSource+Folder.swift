import Platform
import Points

// Folders and patterns, which represent several files.

extension PointSource {
    /// The greatest depth of folders of values.
    private static let depthLimit = 16
    private static let wildcards: [Character] = ["*", "?", "["]
    /// The text that Hive writes for a missing value.
    private static let missing = "__HIVE_DEFAULT_PARTITION__"

    /// Whether a path has `*`, `?` or brackets, and no file has this name.
    static func isPattern(_ path: String) -> Bool {
        path.contains(where: wildcards.contains) && isFile(path) && !File.isReadable(path)
    }

    /// The files that it represents, in the order of their names: those of a folder and of folders
    /// of values in it (`country=de`), or those that match a pattern. A file represents itself.
    func members() throws(InputError) -> [PointSource] {
        guard let path, Self.isFile(path) else { return [self] }
        var found: [String] = []
        // The part of the path that the user wrote, which is not searched for values.
        var known = path[...]
        if Self.isPattern(path) {
            for match in Directory.paths(matching: path) {
                try found += Self.isFolder(match) ? Self.files(in: match) : [match]
            }
            guard !found.isEmpty else {
                throw .cannotOpen(input: name, reason: "no file has such a name")
            }
            known = path.prefix { !Self.wildcards.contains($0) }
            known = known.lastIndex(of: "/").map { known[...$0] } ?? ""
        } else if Self.isFolder(path) {
            found = try Self.files(in: path)
            guard !found.isEmpty else { throw .isDirectory(input: name) }
        } else {
            return [self]
        }
        return found.map { file in
            var source = PointSource.file(file)
            source.values = Self.values(of: file.dropFirst(known.count))
            return source
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        (try? FileStatus(of: path))?.kind == .directory && !GDALSource.isName(path)
    }

    private static func files(in folder: String, depth: Int = 0) throws(InputError) -> [String] {
        let names: [String]
        do { names = try Directory(folder).names().sorted() } catch {
            throw .cannotOpen(input: folder, reason: error.description)
        }
        var files: [String] = []
        // Names with these prefixes are programs' own files.
        for name in names where !name.hasPrefix(".") && !name.hasPrefix("_") {
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            if !isFolder(path) {
                if PointReaders.reader(ofName: name) != nil { files.append(path) }
            } else if name.contains("="), depth < depthLimit {
                files += try Self.files(in: path, depth: depth + 1)
            }
        }
        return files
    }

    /// The values in the names of a file's folders: `country=de/year=2024/part-0.parquet`.
    private static func values(of path: Substring) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        for folder in path.split(separator: "/").dropLast() {
            let parts = folder.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[1] != missing else { continue }
            let text = unescaped(parts[1])
            values[unescaped(parts[0])] = NumberText.value(of: text) ?? .text(text)
        }
        return values
    }

    /// A text with escapes such as `%20` decoded.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
