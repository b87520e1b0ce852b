import CLibrary

/// The names that a document used lately, as texts that need not be made again.
///
/// A document has few names and many tags; what is kept is bounded all the same.
@safe
struct XMLNames {
    struct Name {
        /// As it is written, prefix included.
        var full = ""
        /// Without its prefix.
        var local = ""
        fileprivate var spelling: [UInt8] = []
    }

    /// Names whose spellings give the same number replace each other.
    private var names = [Name](repeating: Name(), count: 256)

    /// The name that expat spells so, in valid UTF-8 with a zero behind.
    mutating func name(_ text: UnsafePointer<CChar>?) -> Name? {
        guard let text = unsafe text else { return nil }
        let spelling = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
        // FNV-1a: names are short, and this is inlined where they are read.
        let hash: UInt32 = unsafe spelling.reduce(0x811C_9DC5) { hash, byte in
            (hash ^ UInt32(byte)) &* 0x0100_0193
        }
        let index = Int((hash ^ hash >> 16) & 255)
        if unsafe names[index].spelling.elementsEqual(spelling) { return names[index] }
        let full = unsafe String(decoding: spelling, as: UTF8.self)
        let colon = full.utf8.firstIndex(of: UInt8(ascii: ":"))
        let local = colon.map { String(full[full.utf8.index(after: $0)...]) }
        unsafe names[index] = Name(full: full, local: local ?? full, spelling: Array(spelling))
        return names[index]
    }
}
