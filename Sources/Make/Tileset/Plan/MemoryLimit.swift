import CLibrary
import Platform
import Synchronization

/// The memory that a build may use: the user's limit and that of `ulimit -v`.
///
/// An allocation that fails ends the process. So a build is refused beforehand, or stopped if it
/// reads more than was forecast.
final class MemoryLimit: Sendable {
    /// The memory for a build in cells: with less than the least it is not begun, and some need more than that.
    struct ForCells {
        let least: Int
        let enough: Int

        /// For a build that cannot be cut.
        static let never = ForCells(least: .max, enough: .max)
    }

    /// The memory of the process without points: its code, and the pieces of files that it reads. It is not limited.
    static let processBytes = 32 << 20

    /// The most bytes that the build may use.
    let allowed: Int
    private let forCells: ForCells
    /// The address space that was left when the build began; nil if there is no limit.
    private let addresses: Int?
    private let usedAtStart: Int
    /// The memory of a build apart from its points: the archive's cache, and the stacks and heaps
    /// of threads.
    private let fixedAddresses: Int
    private let needed = Atomic<Int>(0)
    /// The most memory that the process has used so far.
    private let used: @Sendable () -> Int

    /// - Parameter allowed: the user's limit; nil means three quarters of what the machine or its container has.
    init(
        allowed: Int?, threads: Int, forCells: ForCells = .never,
        used: @escaping @Sendable () -> Int = { PeakMemory.bytes }
    ) {
        self.used = used
        self.forCells = forCells
        self.allowed = allowed ?? MachineMemory.bytes / 4 * 3
        usedAtStart = Self.usedAddresses
        addresses = ProcessMemory.addressLimit.map { max(0, $0 - Self.usedAddresses) }
        fixedAddresses = (96 + 16 * (threads + 4)) << 20
    }

    /// Whether a build in cells may fit.
    var mayHoldCells: Bool { forCells.least <= allowed }

    /// Throws if a build that needs so many bytes does not fit. If less is enough for cells, it says that.
    func check(_ bytes: Int) throws(BuildError) {
        if bytes > allowed {
            throw .notEnoughMemory(
                needed: mayHoldCells ? bytes : min(bytes, forCells.enough), allowed: allowed)
        }
        // Columns that grow exist twice for a moment.
        let addressesNeeded = 2 * bytes + fixedAddresses
        if let addresses, addressesNeeded > addresses {
            throw .notEnoughAddresses(needed: addressesNeeded, left: addresses)
        }
    }

    /// Whether the points being read take more memory than there is. It is called often.
    func isExceeded() -> Bool {
        if needed.load(ordering: .relaxed) > 0 { return true }
        let used = used() - Self.processBytes
        if used > allowed {
            needed.store(used, ordering: .relaxed)
            return true
        }
        guard let addresses else { return false }
        let grown = max(0, Self.usedAddresses - usedAtStart)
        // What was read so far may soon exist twice; by now, half of the fixed memory is in use.
        let wanted = 2 * max(0, grown - fixedAddresses / 2) + fixedAddresses
        guard wanted > addresses else { return false }
        needed.store(wanted, ordering: .relaxed)
        return true
    }

    /// Throws if `isExceeded` found that the limit is exceeded.
    func checkExceeded() throws(BuildError) {
        let needed = needed.load(ordering: .relaxed)
        guard needed > 0 else { return }
        if needed > allowed {
            // More may be left to read, of which nothing is known; cells need no more than this.
            throw .notEnoughMemory(
                needed: forCells.enough < .max ? max(needed, forCells.enough) : needed,
                allowed: allowed)
        }
        throw .notEnoughAddresses(needed: needed, left: addresses ?? 0)
    }

    /// The address space that the process uses (proc(5), statm); 0 if it is not known.
    private static var usedAddresses: Int {
        guard let bytes = try? File(readingRegular: "/proc/self/statm").bytes(upTo: 64) else {
            return 0
        }
        let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").first
        return (pages.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}
