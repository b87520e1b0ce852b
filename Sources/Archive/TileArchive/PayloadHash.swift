import Basics

/// The hash over all payloads of an archive's clusters: MD5 over the MD5 of each, so that they may be hashed
/// separately (docs/pmtiles.md).
package struct PayloadHash: ~Copyable {
    private var digest = MD5()

    package init() {}

    /// The MD5 of one payload, in hexadecimal capitals.
    package static func sum(of payload: Span<UInt8>) -> String {
        var digest = MD5()
        digest.update(payload)
        return digest.finish()
    }

    /// Includes the next payload, by its MD5.
    package mutating func include(sum: String) { digest.update(Array(sum.utf8).span) }

    package consuming func finish() -> String { digest.finish() }
}
