/// The range that a `Range` header requests from a number of bytes (RFC 9110, 14.1.2 and 14.2).
public enum ByteRangeRequest: Equatable, Sendable {
    /// All bytes: the header is missing or not understood.
    case whole
    case part(Range<Int>)
    /// None of the requested bytes exist.
    case unsatisfiable

    /// Several ranges at once are answered with all bytes, as the RFC allows.
    public init(_ header: String?, of count: Int) {
        self = .whole
        guard let header, header.lowercased().hasPrefix("bytes=") else { return }
        let parts = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts.contains(where: { $0.contains(",") }) else { return }
        // A number may have any length; one greater than `Int.max` is past the last byte.
        func number(_ text: Substring) -> Int? {
            text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? Int(text) ?? .max : nil
        }
        switch (parts[0].isEmpty, parts[1].isEmpty) {
        case (true, false):
            guard let last = number(parts[1]) else { return }
            self = last == 0 || count == 0 ? .unsatisfiable : .part(max(count - last, 0)..<count)
        case (false, _):
            guard let first = number(parts[0]),
                let last = parts[1].isEmpty ? Int.max : number(parts[1]), first <= last
            else { return }
            self = first >= count ? .unsatisfiable : .part(first..<min(last, count - 1) + 1)
        case (true, true): return
        }
    }
}
