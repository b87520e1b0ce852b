#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif
import Points

/// Numbers as JSON (RFC 8259 section 6) and tables spell them.
enum NumberText {
    /// The value of a text that is a number and nothing else.
    static func value(of text: String) -> AttributeValue? {
        if let integer = Int64(text) { return .integer(integer) }
        if let unsigned = UInt64(text) { return .unsigned(unsigned) }
        guard let number = Double(text), number.isFinite else { return nil }
        return AttributeValue(canonical: number)
    }
}
