import JSON

/// The meaning of a pair of coordinates.
///
/// Degrees and Web Mercator are converted to positions here; PROJ converts all others.
public struct CoordinateSystem: Hashable, Sendable {
    enum Kind: Hashable { case lonLat, webMercator, other }

    let kind: Kind
    /// Its form in messages, in recipes and for PROJ, as `EPSG:25832`; without an authority's
    /// number, well-known text or PROJJSON.
    public let definition: String

    private init(_ kind: Kind, _ definition: String) {
        self.kind = kind
        self.definition = definition
    }

    /// Degrees of longitude and latitude (EPSG:4326 as GeoJSON orders it, OGC CRS84).
    public static let lonLat = CoordinateSystem(.lonLat, "EPSG:4326")
    /// Metres of Web Mercator.
    public static let webMercator = CoordinateSystem(.webMercator, "EPSG:3857")

    /// The system with an authority's number. Whether it exists is checked when it is used.
    public init(authority: String, code: String) {
        let (authority, code) = (authority.uppercased(), code.uppercased())
        switch (authority, code) {
        // CRS84 is EPSG:4326 with longitude first, which is the order of these formats anyway; 4979
        // also has heights.
        case ("EPSG", "4326"), ("EPSG", "4979"), ("OGC", "84"), ("OGC", "CRS84"), ("OGC", "CRS84H"):
            self = .lonLat
        // Web Mercator's names before it got its number.
        case ("EPSG", "3857"), ("EPSG", "900913"), ("EPSG", "102100"), ("EPSG", "102113"),
            ("ESRI", "102100"), ("ESRI", "102113"):
            self = .webMercator
        case _ where Self.kin["\(authority):\(code)"] != nil:
            self.init(.lonLat, "\(authority):\(code)")
        // PostGIS and old files use EPSG as the authority of Esri's systems; EPSG has no such numbers.
        case ("EPSG", _) where code.count == 6: self.init(.other, "ESRI:\(code)")
        default: self.init(.other, "\(authority):\(code)")
        }
    }

    /// The system with an authority's number, or that of a text if PROJ does not know the number.
    init(authority: String, code: String, otherwise text: String) {
        self.init(authority: authority, code: code)
        if !text.isEmpty, (try? check(in: "")) == nil { self.init(text: text) }
    }

    /// The system of well-known text or a PROJ string.
    private init(text: String) {
        let isString = text.hasPrefix("+") && !text.contains("+type=crs")
        self.init(.other, isString ? text + " +type=crs" : text)
    }

    /// The system that a file or a user declares: an authority and a number (`EPSG:25832`, `25832`,
    /// `urn:ogc:def:crs:EPSG::25832`, an address of opengis.net), well-known text, PROJJSON, or a
    /// PROJ string; nil for text that declares none.
    public init?(declared text: String) {
        let text = text.trimming { $0 <= 0x20 }
        guard !text.isEmpty, text.lowercased() != "undefined", !text.contains("\"Undefined") else {
            return nil
        }
        if text.utf8.allSatisfy(\.isASCIIDigit) {
            self.init(authority: "EPSG", code: text)
        } else if text.hasPrefix("{"), let json = try? JSONValue(parsing: text) {
            self.init(declared: json)
        } else if let (authority, code) = Self.authority(in: text) {
            self.init(authority: authority, code: code)
        } else {
            self.init(text: text)
        }
    }

    /// The system that JSON declares: PROJJSON, or a text as above; nil for null.
    public init?(declared json: JSONValue) {
        if let text = json.asString {
            self.init(declared: text)
            return
        }
        guard let object = json.asObject else { return nil }
        let id = object["id"]?.asObject
        if let authority = id?["authority"]?.asString, let code = id?["code"] {
            self.init(authority: authority, code: code.asString ?? code.text())
        } else {
            self.init(.other, json.text())
        }
    }

    /// Its name in messages: its number, or the name in its text.
    public var name: String {
        if definition.hasPrefix("{") {
            return (try? JSONValue(parsing: definition))?.asObject?["name"]?.asString ?? "PROJJSON"
        }
        guard definition.contains("[") else { return definition }
        let quoted = definition.split(separator: "\"", maxSplits: 2)
        return quoted.count > 1 ? String(quoted[1]) : Snippet.of(definition)
    }

    /// Systems of degrees that are treated as WGS 84, and their distance from it.
    ///
    /// They coincided once, and drift apart with the continents; PROJ's transformations are not more precise.
    private static let kin = [
        "EPSG:4258": "ETRS89, less than 1 m", "EPSG:4269": "NAD83, up to 2 m",
        "EPSG:4283": "GDA94, up to 2 m", "EPSG:7844": "GDA2020, less than 1 m",
        "EPSG:4490": "CGCS2000, less than 1 m", "EPSG:4674": "SIRGAS 2000, up to 1 m",
        "EPSG:6318": "NAD83(2011), up to 2 m", "EPSG:4167": "NZGD2000, up to 2 m",
        "EPSG:6668": "JGD2011, up to 1 m", "EPSG:4612": "JGD2000, up to 1 m",
    ]

    /// A note for the user about positions in it.
    var remark: String? {
        guard let error = Self.kin[definition] else { return nil }
        return "is in \(definition), taken as WGS 84, which it differs from (\(error))"
    }
}

// MARK: - An authority's number

extension CoordinateSystem {
    private static func authority(in text: String) -> (authority: String, code: String)? {
        if text.contains("[") { return authority(inWKT: text) }
        let isURN = text.lowercased().hasPrefix("urn:ogc:def:crs:")
        let isAddress = text.contains("opengis.net/def/crs/")
        let parts = text.split(separator: isAddress ? "/" : ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || isURN && parts.count == 7 || isAddress && parts.count > 5 else {
            return nil
        }
        let authority = parts.count == 2 ? parts[0] : isURN ? parts[4] : parts[parts.count - 3]
        let isWord = { (part: Substring) in
            !part.isEmpty && part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        }
        guard let code = parts.last, isWord(authority), isWord(code) else { return nil }
        return (String(authority), String(code))
    }

    /// The number at the very end of well-known text, which is that of the whole system:
    /// `AUTHORITY["EPSG","25832"]]`, or `ID["EPSG",25832]]`.
    private static func authority(inWKT text: String) -> (authority: String, code: String)? {
        let plain = text.utf8.filter { $0 > 0x20 }
        guard plain.count > 2, plain.suffix(2).allSatisfy({ $0 == UInt8(ascii: "]") }),
            let start = plain.lastIndex(of: UInt8(ascii: "["))
        else { return nil }
        let head = String(decoding: plain[..<start], as: UTF8.self)
        guard head.hasSuffix(",AUTHORITY") || head.hasSuffix(",ID") else { return nil }
        let inside = String(decoding: plain[(start + 1)..<(plain.count - 2)], as: UTF8.self)
        let words = inside.split(separator: ",").map { String($0.filter { $0 != "\"" }) }
        guard words.count >= 2, !inside.contains("]") else { return nil }
        return (words[0], words[1])
    }
}
