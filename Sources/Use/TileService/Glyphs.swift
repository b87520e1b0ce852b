import HTTP

/// Glyphs for styles: one font under any name that a style asks for, so that labels show.
enum Glyphs {
    /// The address of glyphs in styles, below a server's address.
    static func template(below address: String) -> String {
        address + "/-/fonts/{fontstack}/{range}.pbf"
    }

    /// The range in the name of a file, `0-255.pbf`; nil for other names.
    static func range(_ name: String) -> String? {
        guard name.hasSuffix(".pbf") else { return nil }
        let parts = name.dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt32($0) }
        guard parts.count == 2, numbers.count == 2, numbers[0] % 256 == 0,
            numbers[0] <= 0x10FF00, numbers[1] == numbers[0] + 255
        else { return nil }
        return "\(numbers[0])-\(numbers[1])"
    }

    /// An empty range, for characters that the font does not have: clients take a refusal as an error of the style.
    static func empty(range: String) -> [UInt8] {
        func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
            [number << 3 | 2, UInt8(bytes.count)] + bytes
        }
        return field(1, field(1, Array(PageData.font.utf8)) + field(2, Array(range.utf8)))
    }
}

extension TileService {
    func glyphs(_ range: String, for request: Request) throws(ServiceError) -> Response {
        let name = "fonts/\(PageData.font)/\(range).pbf"
        guard assets.asset(named: name) == nil else { return try asset(name, for: request) }
        return try respond(
            with: Glyphs.empty(range: range), type: Assets.type(of: name), to: request,
            freshness: .asConfigured)
    }
}
