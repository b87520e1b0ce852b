/// Two accounts of one set, compared by sums of hashes: what is expected and what is found.
///
/// The hashes are spread over buckets, so that a difference can be traced without keeping the set.
struct Ledger: Sendable {
    /// One element of either account, with its sign.
    struct Entry: Sendable, BitwiseCopyable {
        var bucket: UInt32
        var amount: UInt64

        static func expected(_ hash: UInt64, in bucket: UInt32) -> Entry {
            Entry(bucket: bucket, amount: hash)
        }

        static func found(_ hash: UInt64, in bucket: UInt32) -> Entry {
            Entry(bucket: bucket, amount: 0 &- hash)
        }
    }

    private var sums: [UInt64]

    init(buckets: Int) { sums = [UInt64](repeating: 0, count: buckets) }

    mutating func post(_ entry: Entry) { sums[Int(entry.bucket)] &+= entry.amount }

    mutating func post(_ entries: [Entry]) { for entry in entries { post(entry) } }

    /// The buckets in which the accounts differ.
    var differences: [Int] { sums.indices.filter { sums[$0] != 0 } }
}
