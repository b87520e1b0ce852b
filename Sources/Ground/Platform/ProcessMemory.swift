import CLibrary
import CMapping

/// Settings of the allocator.
package enum ProcessMemory {
    /// Returns large blocks to the system as soon as they are freed.
    package static func givesBackLargeBlocks() { covey_map_blocks_from(4 << 20) }

    /// Reserves less address space if it is limited (`ulimit -v`): a heap for each thread takes 64 MB. This must come before
    /// the first thread starts.
    package static func savesAddresses() {
        if let limit = addressLimit { covey_share_heaps(limit < 512 << 20 ? 1 : 2) }
    }

    /// The most bytes of address space that the process may have; nil if there is no limit.
    package static var addressLimit: Int? {
        var limit = rlimit()
        #if canImport(Glibc)
            let code = unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        #else
            let code = unsafe getrlimit(RLIMIT_AS, &limit)
        #endif
        return code == 0 ? Int(exactly: limit.rlim_cur) : nil
    }
}
