/// The names that a document used lately, as texts that need not be made again.
///
/// A document has few names and many tags; what is kept is bounded all the same.
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

    /// The name that was spelled so.
    mutating func name(spelled spelling: [UInt8]) throws(XMLFault) -> Name {
        // FNV-1a.
        var hash: UInt32 = 0x811C_9DC5
        for byte in spelling { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        let place = Int((hash ^ hash >> 16) & 255)
        if names[place].spelling == spelling { return names[place] }
        guard let full = String(validating: spelling, as: UTF8.self) else { throw .notUTF8 }
        let colon = spelling.firstIndex(of: UInt8(ascii: ":"))
        let local = colon.map { String(decoding: spelling[($0 + 1)...], as: UTF8.self) }
        names[place] = Name(full: full, local: local ?? full, spelling: spelling)
        return names[place]
    }
}
