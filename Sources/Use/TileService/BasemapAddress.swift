import HTTP

/// The address of a MapLibre style that the page draws under the data, instead of bare land.
public struct BasemapAddress: Equatable, Sendable {
    public let text: String
    /// The address as an HTML attribute.
    var markup: String { text.replacing("&", with: "&amp;") }
    /// The scheme and host, which the page's policy must allow; the style itself may name addresses
    /// anywhere.
    let origin: String

    /// The address of the styles, light and dark, that the page offers instead of its land: made
    /// from OpenStreetMap's data, open to all and without a key (openfreemap.org).
    static let offered = originOfOffered + "/styles/"
    static let originOfOffered = "https://tiles.openfreemap.org"

    /// Reads an `http` or `https` address; nil for other text, or if it could break out of markup or a header.
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
