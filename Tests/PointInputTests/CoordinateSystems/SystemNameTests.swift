import JSON
import Testing

@testable import PointInput

/// Each way of naming a system, against what it stands for.
struct SystemNameTests {
    @Test(arguments: [
        ("EPSG", "4326"), ("epsg", "4979"), ("OGC", "84"), ("ogc", "crs84"), ("OGC", "CRS84H"),
    ])
    func `these are degrees on WGS 84`(authority: String, code: String) {
        let system = CoordinateSystem(authority: authority, code: code)
        #expect(system == .lonLat && system.kind == .lonLat && system.definition == "EPSG:4326")
        #expect(system.name == "EPSG:4326" && system.remark == nil)
    }

    @Test(arguments: [
        ("EPSG", "3857"), ("epsg", "900913"), ("EPSG", "102100"), ("EPSG", "102113"),
        ("esri", "102100"), ("ESRI", "102113"),
    ])
    func `these are metres of Web Mercator`(authority: String, code: String) {
        let system = CoordinateSystem(authority: authority, code: code)
        #expect(system == .webMercator && system.kind == .webMercator)
        #expect(system.definition == "EPSG:3857" && system.remark == nil)
    }

    @Test(arguments: [
        ("4258", "ETRS89, less than 1 m"), ("4269", "NAD83, up to 2 m"),
        ("4283", "GDA94, up to 2 m"), ("7844", "GDA2020, less than 1 m"),
        ("4490", "CGCS2000, less than 1 m"), ("4674", "SIRGAS 2000, up to 1 m"),
        ("6318", "NAD83(2011), up to 2 m"), ("4167", "NZGD2000, up to 2 m"),
        ("6668", "JGD2011, up to 1 m"), ("4612", "JGD2000, up to 1 m"),
    ])
    func `these degrees are near those of WGS 84, which is said`(code: String, difference: String) {
        let system = CoordinateSystem(authority: "epsg", code: code)
        #expect(system.kind == .lonLat && system != .lonLat)
        #expect(system.definition == "EPSG:\(code)" && system.name == "EPSG:\(code)")
        #expect(
            system.remark
                == "is in EPSG:\(code), taken as WGS 84, which it differs from (\(difference))")
    }

    @Test(arguments: [
        ("EPSG", "25832", "EPSG:25832"), ("EPSG", "102003", "ESRI:102003"),
        ("ESRI", "102003", "ESRI:102003"), ("EPSG", "10200", "EPSG:10200"),
        ("EPSG", "1020030", "EPSG:1020030"), ("OGC", "4326", "OGC:4326"), ("EPSG", "84", "EPSG:84"),
        ("ESRI", "3857", "ESRI:3857"), ("ESRI", "4258", "ESRI:4258"),
        ("iau_2015", "49900", "IAU_2015:49900"), ("ESRI", "900913", "ESRI:900913"),
    ])
    func `all others are left to PROJ by their number`(
        authority: String, code: String, definition: String
    ) {
        let system = CoordinateSystem(authority: authority, code: code)
        #expect(system.kind == .other && system.definition == definition && system.remark == nil)
    }

    @Test(arguments: [
        ("25832", "EPSG:25832"), ("\n 25832\t", "EPSG:25832"), ("0", "EPSG:0"), ("9", "EPSG:9"),
        ("25832a", "25832a"), ("a:b", "A:B"), ("epsg:25832", "EPSG:25832"),
        (":25832", ":25832"), ("EPSG:", "EPSG:"), ("EPSG:258 32", "EPSG:258 32"),
        ("EP SG:25832", "EP SG:25832"), ("a:b:c", "a:b:c"), ("EPSG:é", "EPSG:é"),
        ("EPSG:~!", "EPSG:~!"), ("EPSG:\u{7F}", "EPSG:\u{7F}"),
        ("urn:ogc:def:crs:EPSG::25832", "EPSG:25832"), ("URN:OGC:DEF:CRS:ESRI::7", "ESRI:7"),
        ("urn:ogc:def:crs:EPSG:25832", "urn:ogc:def:crs:EPSG:25832"),
        ("urn:ogc:def:crs:EPSG:::25832", "urn:ogc:def:crs:EPSG:::25832"),
        ("urn:ogc:def:crs:::25832", "urn:ogc:def:crs:::25832"),
        ("urn:ogc:def:crs:EPSG::", "urn:ogc:def:crs:EPSG::"),
        ("http://www.opengis.net/def/crs/EPSG/0/25832", "EPSG:25832"),
        ("opengis.net/def/crs/EPSG/0/25832", "EPSG:25832"),
        ("http://www.opengis.net/def/crs//0/25832", "http://www.opengis.net/def/crs//0/25832"),
        ("http://www.opengis.net/def/crs/EPSG/0/", "http://www.opengis.net/def/crs/EPSG/0/"),
        ("opengis.net/def/crs/EPSG", "opengis.net/def/crs/EPSG"),
        ("+proj=utm +zone=33", "+proj=utm +zone=33 +type=crs"),
        ("+proj=utm +zone=33 +type=crs", "+proj=utm +zone=33 +type=crs"),
        ("{not JSON", "{not JSON"), ("a name", "a name"),
    ])
    func `a text names a system`(text: String, definition: String) {
        #expect(CoordinateSystem(declared: text)?.definition == definition)
    }

    @Test(arguments: [
        ("", nil), (" \n", nil), ("Undefined", nil), ("UNDEFINED", nil), ("undefine", "undefine"),
        (#"ENGCRS["Undefined Cartesian",X[]]"#, nil), (#"X["undefined"]"#, #"X["undefined"]"#),
    ])
    func `what is undefined is no system`(text: String, definition: String?) {
        #expect(CoordinateSystem(declared: text)?.definition == definition)
    }

    /// Only the number at the very end is that of the whole.
    @Test(arguments: [
        (#"X["n",AUTHORITY["EPSG","7"]]"#, "EPSG:7"), (#"X["n",ID["EPSG",7]]"#, "EPSG:7"),
        (#"X["n", ID[ "EPSG" , 7 ] ]"#, "EPSG:7"), (#"X["n",ID["EPSG",7,"x"]]"#, "EPSG:7"),
        (#"X["n",AUTHORITY["EPSG","7"],AXIS["e",EAST]]"#, nil), (#"X["n",ID["EPSG"]]"#, nil),
        (#"X["n",FID["EPSG",7]]"#, nil), (#"X["n",ID["EPSG",7]"#, nil),
        (#"X["n",ID["EPSG",7]] "#, "EPSG:7"), (#"X["n",Y["m",ID["EPSG",7]]]"#, nil),
        (#"ID["EPSG",7]]"#, nil), ("[]", nil), ("]]", nil), ("[]]", nil),
        (#"X["n",AUTHORITY["EPSG","4326"]]"#, "EPSG:4326"),
    ])
    func `well-known text names the whole at its end`(text: String, definition: String?) {
        let wanted = definition ?? text
        #expect(CoordinateSystem(declared: text)?.definition == wanted, "\(text)")
    }

    @Test(arguments: [
        (#"{"id":{"authority":"EPSG","code":7}}"#, "EPSG:7"),
        (#"{"id":{"authority":"esri","code":"7"}}"#, "ESRI:7"),
        (#"{"id":{"authority":"EPSG"},"name":"n"}"#, nil), (#"{"id":{"code":7},"name":"n"}"#, nil),
        (#"{"id":7,"name":"n"}"#, nil), (#"{"name":"n"}"#, nil),
        (#""EPSG:7""#, "EPSG:7"), (#""25832""#, "EPSG:25832"),
    ])
    func `JSON names a system by its id, or is one itself`(text: String, definition: String?) throws
    {
        let system = try #require(CoordinateSystem(declared: try JSONValue(parsing: text)))
        if let definition {
            #expect(system.definition == definition)
        } else {
            #expect(try JSONValue(parsing: system.definition) == JSONValue(parsing: text))
            #expect(system.name == "n" && system.kind == .other)
        }
    }

    @Test func `JSON that is neither a text nor an object is no system`() {
        for json: JSONValue in [.null, .bool(true), .integer(25_832), .array([]), .string("")] {
            #expect(CoordinateSystem(declared: json) == nil)
        }
    }

    @Test(arguments: [
        (#"PROJCS["a b",X["c"]]"#, "a b"), ("X[]", "“X[]”"), (#"{"name":"n","x":1}"#, "n"),
        (#"{"x":1}"#, "PROJJSON"), (#"{"name":7}"#, "PROJJSON"),
        ("+proj=utm", "+proj=utm +type=crs"),
    ])
    func `messages call it by its name`(text: String, name: String) {
        #expect(CoordinateSystem(declared: text)?.name == name)
    }
}
