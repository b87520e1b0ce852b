import CLibrary

extension Limits {
    /// Raises the limit of open files, which is usually 1,024: each connection counts as one. If that is not allowed,
    /// lowers the number of connections, so that those beyond it are refused and not left without an answer.
    /// - Returns: how many files may be open, if there are fewer connections for that reason.
    public mutating func fitOpenFiles() -> Int? {
        #if canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard unsafe getrlimit(files, &limit) == 0 else { return nil }
        let wanted = rlim_t(connections + connectionsToRefuse + Self.usualFiles)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            unsafe setrlimit(files, &limit)
        }
        let allowed = Int(clamping: limit.rlim_cur)
        let room = Self.connections(within: allowed, threads: threads)
        guard room < connections else { return nil }
        connectionsPerAddress = connectionsPerAddress.map { max($0 * room / connections, 1) }
        connections = room
        return allowed
    }

    /// Files for archives besides the connections: each archive that is served takes one or two, and each thread some.
    private static let usualFiles = 1 << 14

    /// The connections for which there is room, with those to refuse, beside some files; at least some for the latter's sake.
    static func connections(within files: Int, threads: Int) -> Int {
        max((files - min(200, files / 4) - 16 * threads) * 8 / 9, files / 4, 1)
    }
}
