/// Compares what each zoom draws with the cluster index and the leaf blocks.
enum DrawnLedger {
    static let buckets = 32 << 9

    /// The entry of a cluster, by its id and count.
    static func cluster(id: Int64, points: Int64, zoom: Int) -> (hash: UInt64, bucket: UInt32) {
        let hash = Fingerprint.mix(UInt64(bitPattern: id), UInt64(bitPattern: points))
        return (hash, bucket(zoom, spread: UInt64(bitPattern: id)))
    }

    /// The entry of a single point, by its layer, id and attributes.
    static func point(_ fingerprint: UInt64, zoom: Int) -> (hash: UInt64, bucket: UInt32) {
        (fingerprint, bucket(zoom, spread: fingerprint))
    }

    static func zoom(ofBucket bucket: Int) -> Int { bucket >> 9 }

    private static func bucket(_ zoom: Int, spread: UInt64) -> UInt32 {
        UInt32(zoom) << 9 | UInt32(Fingerprint.mix(spread, 0) & 511)
    }
}

/// The sums of the positions of nodes: two accounts that may differ as far as rounding moves each position.
struct PositionLedger: Sendable {
    /// One node of either account.
    struct Entry: Sendable, BitwiseCopyable {
        var bucket: UInt32
        var x: Double
        var y: Double
        /// The greatest distance by which rounding may have moved it.
        var tolerance: Double
    }

    private var x: [Double]
    private var y: [Double]
    private var tolerance: [Double]

    init(buckets: Int) {
        x = Array(repeating: 0, count: buckets)
        y = x
        tolerance = x
    }

    mutating func expect(_ entry: Entry) { post(entry, sign: 1) }
    mutating func find(_ entry: Entry) { post(entry, sign: -1) }

    private mutating func post(_ entry: Entry, sign: Double) {
        let bucket = Int(entry.bucket)
        x[bucket] += sign * entry.x
        y[bucket] += sign * entry.y
        // A thousand additions lose far less than this to their own rounding.
        tolerance[bucket] += entry.tolerance + 0x1p-48
    }

    /// The buckets whose positions differ by more than rounding explains.
    var differences: [Int] {
        x.indices.filter { bucket in
            // A position on the antimeridian may be 0 on one side and 1 on the other.
            let dx = x[bucket] - x[bucket].rounded()
            return abs(dx) > tolerance[bucket] || abs(y[bucket]) > tolerance[bucket]
        }
    }
}
