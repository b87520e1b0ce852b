import CLibrary

/// The name of an element or an attribute; many tags share one.
final class XMLName: Sendable {
    /// As it is written, prefix included.
    let full: String
    /// Without its prefix.
    let local: String
    fileprivate let spelling: [UInt8]

    fileprivate init(spelling: [UInt8]) {
        self.spelling = spelling
        full = String(decoding: spelling, as: UTF8.self)
        let prefix = spelling.firstIndex(of: UInt8(ascii: ":"))
        local = prefix.map { String(decoding: spelling[($0 + 1)...], as: UTF8.self) } ?? full
    }
}

/// The names that a document used lately, as texts that need not be made again.
///
/// A document has few names and many tags; what is kept is bounded all the same.
@safe
struct XMLNames {
    /// Names whose spellings give the same number replace each other.
    private var names = [XMLName](repeating: XMLName(spelling: []), count: 256)

    /// The name that expat spells so, in valid UTF-8 with a zero behind.
    mutating func name(_ text: UnsafePointer<CChar>?) -> XMLName? {
        guard let text = unsafe text else { return nil }
        let spelling = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
        // FNV-1a: names are short.
        var hash: UInt32 = 0x811C_9DC5
        for index in spelling.indices {
            hash = unsafe (hash ^ UInt32(spelling[index])) &* 0x0100_0193
        }
        let index = Int((hash ^ hash >> 16) & 255)
        if unsafe !names[index].spelling.elementsEqual(spelling) {
            names[index] = unsafe XMLName(spelling: Array(spelling))
        }
        return names[index]
    }
}
