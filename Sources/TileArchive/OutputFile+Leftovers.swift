import Platform

extension OutputFile {
    /// What the hidden names of unfinished files begin with; the maker's process id follows.
    static func temporaryPrefix(for name: String) -> String { ".\(name).covey-" }

    /// Removes what writers of the same name left behind when they were killed.
    ///
    /// A file goes only if the process that its name tells of is gone. Nothing here is an error: a
    /// leftover that cannot be removed hinders nobody.
    static func removeLeftovers(of name: String, in directory: String) {
        let prefix = temporaryPrefix(for: name)
        for entry in (try? Directory(directory).names()) ?? [] where entry.hasPrefix(prefix) {
            let parts = entry.dropFirst(prefix.count).split(
                separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let maker = Int32(parts[0]), maker > 0,
                !Process.isRunning(maker)
            else { continue }
            UnfinishedFiles.discard("\(directory)/\(entry)")
        }
    }
}
