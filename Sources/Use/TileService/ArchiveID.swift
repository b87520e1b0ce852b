/// Ids of archives in URLs. An id is one path segment, made from the file's path below the served
/// folder, so that it does not depend on other files there.
enum ArchiveID {
    /// Letters, digits and `-_.` stay; `/` becomes `~`; every other byte becomes `=` and two digits.
    /// Different paths have different ids.
    static func id(forPath path: String) -> String {
        var id: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "/"): id.append(UInt8(ascii: "~"))
            case _ where byte.isASCIILetterOrDigit, UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                id.append(byte)
            default: id += [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: id, as: UTF8.self)
    }

    /// The id itself, unless a route has its name. Escaped paths never end in `=`, so the result
    /// cannot equal another id.
    static func unreserved(_ id: String) -> String {
        Route.reserved.contains(id) ? id + "=" : id
    }

    /// Whether a user may choose it as an id.
    static func isValid(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 128 && !Route.reserved.contains(text)
            && text != "." && text != ".."
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_.~=".utf8.contains($0) }
    }
}
