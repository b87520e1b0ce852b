import HTTP

/// The address of a MapLibre style that the page draws under the data, instead of bare land.
public struct BasemapAddress: Equatable, Sendable {
    public let text: String
    /// The address as an attribute of HTML has it.
    var markup: String { text.replacing("&", with: "&amp;") }
    /// The scheme and host, which the page's policy must allow; what the style itself names may be
    /// anywhere.
    let origin: String

    /// Where styles are that the page offers where its land ends, light and dark: made of
    /// OpenStreetMap's data, for everybody and without a key (openfreemap.org).
    static let offered = originOfOffered + "/styles/"
    static let originOfOffered = "https://tiles.openfreemap.org"

    /// Reads an `http` or `https` address; nil if it is none, or could break out of markup or a header.
    public init?(_ text: String) {
        guard let scheme = ["http://", "https://"].first(where: { text.hasPrefix($0) }) else {
            return nil
        }
        let host = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        let isPlain = text.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !"\"'<>\\;,`".utf8.contains(byte)
        }
        guard isPlain, Authority.isValid(String(host)) else { return nil }
        self.text = text
        origin = scheme + host
    }
}
