import CLibrary

/// The memory that this process may use.
public enum MachineMemory {
    /// The bytes of the machine's memory, or of what its container allows if that is less.
    public static var bytes: Int {
        let pages = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        let groups = (try? File(readingRegular: "/proc/self/cgroup").bytes(upTo: 1 << 16)) ?? []
        return min(
            pages,
            limit(of: String(decoding: groups, as: UTF8.self), under: "/sys/fs/cgroup") ?? pages)
    }

    /// The least limit of control groups and of those that hold them; nil if there is none (cgroups(7)).
    /// - Parameters:
    ///   - groups: the groups of a process, as in `/proc/self/cgroup`.
    ///   - root: the directory of all groups.
    static func limit(of groups: String, under root: String) -> Int? {
        groups.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            if fields[1].isEmpty { return limit("memory.max", of: fields[2], under: root) }
            guard fields[1].split(separator: ",").contains("memory") else { return nil }
            return limit("memory.limit_in_bytes", of: fields[2], under: root + "/memory")
        }.min()
    }

    /// In a container, the path of a group may be that of the machine, while the container sees its group as the root.
    private static func limit(_ name: String, of group: Substring, under root: String) -> Int? {
        let parts = group.split(separator: "/")
        return (0...parts.count).compactMap { count in
            let path = ([root] + parts.prefix(count).map(String.init) + [name])
                .joined(separator: "/")
            guard let bytes = try? File(readingRegular: path).bytes(upTo: 64) else { return nil }
            return Int(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
        }.min()
    }
}
