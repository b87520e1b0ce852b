import CMapping

/// What the process does with memory that it has freed.
package enum ProcessMemory {
    /// Gives large blocks back to the system as soon as they are free.
    package static func givesBackLargeBlocks() { covey_map_blocks_from(4 << 20) }

    /// Takes few addresses for each thread, where these are limited.
    package static func savesAddresses() { covey_share_heaps(2) }
}
