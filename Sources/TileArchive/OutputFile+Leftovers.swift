import CLibrary

extension OutputFile {
    /// What the hidden names of unfinished files begin with; the maker's process id follows.
    static func temporaryPrefix(for name: String) -> String { ".\(name).covey-" }

    /// Removes what writers of the same name left behind when they were killed.
    ///
    /// A file goes only if the process that its name tells of is gone. Nothing here is an error: a
    /// leftover that cannot be removed hinders nobody.
    static func removeLeftovers(of name: String, in directory: String) {
        let prefix = temporaryPrefix(for: name)
        for entry in names(in: directory) where entry.hasPrefix(prefix) {
            let parts = entry.dropFirst(prefix.count).split(
                separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let maker = pid_t(parts[0]), maker > 0,
                kill(maker, 0) == -1, errno == ESRCH
            else { continue }
            unsafe unlink("\(directory)/\(entry)")
        }
    }

    private static func names(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }
}
