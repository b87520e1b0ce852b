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
    /// - Parameter tell: is given a note about each folder whose files are left out.
    func members(
        _ tell: (_ note: String) -> Void = { _ in }
    ) throws(InputError) -> [PointSource] {
        guard let path, Self.isFile(path) else { return [self] }
        var found: [String] = []
        // The part of the path that the user wrote, which is not searched for values.
        var known = path[...]
        if Self.isPattern(path) {
            // `**` matches a folder and all that is in it.
            let tell = path.contains("**") ? { _ in } : tell
            for match in try Self.paths(matching: path) {
                try found += Self.isFolder(match) ? Self.files(in: match, tell) : [match]
            }
            var seen: Set<String> = []
            found.removeAll { !seen.insert($0).inserted }
            guard !found.isEmpty else {
                throw .cannotOpen(input: name, reason: "no file has such a name")
            }
            known = path.prefix { !Self.wildcards.contains($0) }
            known = known.lastIndex(of: "/").map { known[...$0] } ?? ""
        } else if Self.isFolder(path) {
            found = try Self.files(in: path, tell)
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

    /// The paths that match a pattern, without programs' own files: a name with a prefix of these is one unless
    /// the pattern spells it out. `**` stands for any folders, or none.
    static func paths(matching pattern: String) throws(InputError) -> [String] {
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
        let sections = parts.split(separator: "**", omittingEmptySubsequences: false)
            .map { $0.joined(separator: "/") }
        guard sections.count > 1 else { return plainPaths(matching: pattern) }
        let isRelative = parts[0] == "**"
        var found = isRelative ? ["."] : ["/"]
        if !sections[0].isEmpty { found = plainPaths(matching: sections[0]) }
        for section in sections.dropFirst() {
            let folders = try folders(below: found)
            guard !section.isEmpty else {
                found = folders
                continue
            }
            var matches: Set<String> = []
            for folder in folders {
                let path = folder + "/"
                let start = path.dropFirst(isRelative && path.hasPrefix("./") ? 2 : 0)
                matches.formUnion(plainPaths(matching: spelledOut(start) + section))
            }
            found = Array(matches)
        }
        return found.sorted()
    }

    /// The paths that match a pattern in which `**` stands for a single name.
    private static func plainPaths(matching pattern: String) -> [String] {
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
        return Directory.paths(matching: pattern).filter { path in
            let names = path.split(separator: "/", omittingEmptySubsequences: false)
            return zip(names, parts).allSatisfy { name, part in
                !isOwn(name) || !(part.first.map(wildcards.contains) ?? false)
            }
        }
    }

    /// Folders and all folders below them but programs' own, each once; links to folders are not followed.
    private static func folders(below roots: [String]) throws(InputError) -> [String] {
        var found: Set<String> = []
        var left = roots.filter(isFolder)
        while let folder = left.popLast() {
            guard found.insert(folder).inserted else { continue }
            for name in try names(in: folder) {
                let path = "\(folder)/\(name)"
                let status = try? FileStatus(of: path, followingLinks: false)
                if status?.kind == .directory { left.append(path) }
            }
        }
        return Array(found)
    }

    /// A path as a pattern that matches it alone.
    private static func spelledOut(_ path: Substring) -> String {
        path.reduce(into: "") { pattern, character in
            if wildcards.contains(character) || character == "\\" { pattern.append("\\") }
            pattern.append(character)
        }
    }

    /// Whether a path is that of points by its name, or a folder that is a file of points.
    public static func isOfPoints(_ path: String) -> Bool {
        PointReaders.reader(ofName: path) != nil || GDALSource.isFolder(path)
    }

    /// Whether a name is that of a program's own file, not one of points.
    private static func isOwn(_ name: Substring) -> Bool {
        name.hasPrefix(".") || name.hasPrefix("_")
    }

    /// The files of points in a folder and in its folders of values.
    private static func files(
        in folder: String, _ tell: (_ note: String) -> Void
    ) throws(InputError) -> [String] {
        var others: [String] = []
        let all = try allFiles(in: folder, &others, tell)
        let files = PointReaders.certain(among: all, \.self)
        func pattern(besides path: String) -> String {
            "'\(spelledOut(path[...(path.lastIndex(of: "/") ?? path.startIndex)]))*'"
        }
        if let text = all.first(where: { !files.contains($0) }) {
            tell(
                "\(text): is not read, as a .txt counts only if there is no other file of points; "
                    + "a pattern reads it: \(pattern(besides: text))")
        }
        if let first = others.first {
            let start = folder.hasSuffix("/") ? folder.count : folder.count + 1
            let some = others.prefix(3).map { $0.dropFirst(start) }.joined(separator: ", ")
            let more = others.count > 3 ? " and \(others.count - 3) more" : ""
            tell(
                "\(folder): not read, without an extension of a point format: \(some)\(more); "
                    + "a pattern reads such files: \(pattern(besides: first))")
        }
        return files
    }

    /// - Parameter others: gets the files that are not read, but for those that belong to one that is.
    private static func allFiles(
        in folder: String, _ others: inout [String], depth: Int = 0,
        _ tell: (_ note: String) -> Void
    ) throws(InputError) -> [String] {
        var files: [String] = []
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        let names = try Self.names(in: folder)
        let whole = names.filter(GDALSource.hasCompanions).map { $0.prefix { $0 != "." } + "." }
        for name in names {
            let path = start + name
            if !isFolder(path) {
                if isOfPoints(path) {
                    files.append(path)
                } else if !whole.contains(where: name.hasPrefix) {
                    others.append(path)
                }
            } else if name.contains("="), depth < depthLimit {
                files += try allFiles(in: path, &others, depth: depth + 1, tell)
            } else if let file = try? Self.names(in: path).first(where: {
                isOfPoints("\(path)/\($0)")
            }) {
                let pattern = "'\(start)**/*\(file.drop { $0 != "." })'"
                tell(
                    "\(path): is not read, as its name is not NAME=VALUE; "
                        + "a pattern reads such folders too: \(pattern)")
            }
        }
        return files
    }

    private static func names(in folder: String) throws(InputError) -> [String] {
        do {
            return try Directory(folder).names().filter { !isOwn($0[...]) }.sorted()
        } catch {
            throw .cannotOpen(input: folder, reason: error.description)
        }
    }

    /// The values in the names of a file's folders: `country=de/year=2024/part-0.parquet`.
    private static func values(of path: Substring) -> [String: AttributeValue?] {
        var values: [String: AttributeValue?] = [:]
        for folder in path.split(separator: "/").dropLast() {
            let parts = folder.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { continue }
            let text = unescaped(parts[1])
            let hasNone = text.isEmpty || text == missing
            values.updateValue(
                hasNone ? nil : NumberText.value(of: text) ?? .text(text),
                forKey: unescaped(parts[0]))
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
