import CMapping

/// Settings of the allocator.
package enum ProcessMemory {
    /// Returns large blocks to the system as soon as they are freed.
    package static func givesBackLargeBlocks() { covey_map_blocks_from(4 << 20) }

    /// Reserves less address space for each thread, for systems that limit it.
    package static func savesAddresses() { covey_share_heaps(2) }
}
