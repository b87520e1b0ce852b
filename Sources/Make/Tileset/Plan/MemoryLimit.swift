import CLibrary
import Platform
import Synchronization

/// The memory that a build may use: what the user allows, and what `ulimit -v` does.
///
/// An allocation that fails ends the process. So a build is refused, or given up while it reads more than
/// was foreseen, before one can.
final class MemoryLimit: Sendable {
    /// The most bytes that the process may use.
    let allowed: Int
    /// The addresses that were left when the build began; nil where there is no limit.
    private let addresses: Int?
    private let usedAtStart: Int
    /// What a build holds whatever its points: the archive's cache, and the stacks and heaps of
    /// threads.
    private let fixedAddresses: Int
    private let needed = Atomic<Int>(0)
    /// The most that the process has used so far.
    private let used: @Sendable () -> Int

    /// - Parameter allowed: nil is three quarters of the machine's.
    init(
        allowed: Int?, threads: Int, used: @escaping @Sendable () -> Int = { PeakMemory.bytes }
    ) {
        self.used = used
        self.allowed = allowed ?? Self.machineBytes / 4 * 3
        usedAtStart = Self.usedAddresses
        addresses = Self.limitOfAddresses.map { max(0, $0 - Self.usedAddresses) }
        fixedAddresses = (96 + 16 * (threads + 4)) << 20
        // A heap for each thread would take four times that.
        if addresses != nil { ProcessMemory.savesAddresses() }
    }

    /// Throws if a build that needs that much does not fit.
    func check(_ bytes: Int) throws(BuildError) {
        if bytes > allowed { throw .notEnoughMemory(needed: bytes, allowed: allowed) }
        // Columns that grow are there twice for a moment.
        let addressesNeeded = 2 * bytes + fixedAddresses
        if let addresses, addressesNeeded > addresses {
            throw .notEnoughAddresses(needed: addressesNeeded, left: addresses)
        }
    }

    /// Whether what is being read takes more than there is. Looked at often.
    func isExceeded() -> Bool {
        if needed.load(ordering: .relaxed) > 0 { return true }
        let used = used()
        if used > allowed {
            needed.store(used, ordering: .relaxed)
            return true
        }
        guard let addresses else { return false }
        let grown = max(0, Self.usedAddresses - usedAtStart)
        // What was read so far may be there twice next; by now half of what is fixed is there.
        let wanted = 2 * max(0, grown - fixedAddresses / 2) + fixedAddresses
        guard wanted > addresses else { return false }
        needed.store(wanted, ordering: .relaxed)
        return true
    }

    /// Throws if it was found to be exceeded.
    func checkExceeded() throws(BuildError) {
        let needed = needed.load(ordering: .relaxed)
        guard needed > 0 else { return }
        if needed > allowed { throw .notEnoughMemory(needed: needed, allowed: allowed) }
        throw .notEnoughAddresses(needed: needed, left: addresses ?? 0)
    }

    private static var machineBytes: Int {
        sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    }

    private static var limitOfAddresses: Int? {
        var limit = rlimit()
        #if canImport(Glibc)
            let code = unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        #else
            let code = unsafe getrlimit(RLIMIT_AS, &limit)
        #endif
        guard code == 0 else { return nil }
        return Int(exactly: limit.rlim_cur)
    }

    /// The addresses that the process has taken (proc(5), statm); 0 where that is not told.
    private static var usedAddresses: Int {
        guard let bytes = try? File(readingRegular: "/proc/self/statm").bytes(upTo: 64) else {
            return 0
        }
        let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").first
        return (pages.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}
