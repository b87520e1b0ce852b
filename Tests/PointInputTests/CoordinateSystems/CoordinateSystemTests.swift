import JSON
import PointInput
import Testing

struct CoordinateSystemTests {
    @Test(arguments: [
        "EPSG:4326", "4326", " epsg:4326 ", "urn:ogc:def:crs:OGC:1.3:CRS84", "OGC:CRS84",
        "urn:ogc:def:crs:EPSG::4326", "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
        "https://www.opengis.net/def/crs/EPSG/0/4326",
        #"{"id":{"authority":"OGC","code":"CRS84"}}"#,
        #"{"type":"GeographicCRS","datum":{"id":{"code":1,"authority":"X"}},"#
            + #""id":{"authority":"EPSG","code":4326}}"#,
        #"GEOGCS["WGS 84",DATUM["D",AUTHORITY["EPSG","6326"]],AUTHORITY["EPSG","4326"]]"#,
        "GEOGCRS[\"WGS 84\",\n  ID[\"EPSG\",4326]\n]\n",
    ])
    func `degrees are known by all their names`(text: String) {
        #expect(CoordinateSystem(declared: text) == .lonLat)
    }

    @Test(arguments: ["3857", "EPSG:900913", "ESRI:102100", "urn:ogc:def:crs:EPSG::3857"])
    func `Web Mercator is known by all its names`(text: String) {
        #expect(CoordinateSystem(declared: text) == .webMercator)
    }

    @Test(arguments: [
        "25832", "epsg:25832", "urn:ogc:def:crs:EPSG:9.8:25832",
        #"PROJCS["x",GEOGCS["y",AUTHORITY["EPSG","4258"]],AUTHORITY["EPSG","25832"]]"#,
        #"{"id":{"authority":"EPSG","code":25832}}"#,
    ])
    func `a number is found in what spells it`(text: String) {
        #expect(CoordinateSystem(declared: text)?.definition == "EPSG:25832")
    }

    @Test func `a number of a part is not the system's`() {
        let parts = #"PROJCS["mine",GEOGCS["y",AUTHORITY["EPSG","4326"]],UNIT["metre",1]]"#
        let system = CoordinateSystem(declared: parts)
        #expect(system?.definition == parts)
        #expect(system?.name == "mine")
        let json = #"{"name":"own","base_crs":{"id":{"authority":"EPSG","code":4326}}}"#
        #expect(CoordinateSystem(declared: json)?.name == "own")
        #expect(CoordinateSystem(declared: JSONValue.null) == nil)
    }

    @Test(arguments: ["", "  ", "undefined", #"LOCAL_CS["Undefined SRS",UNIT["m",1]]"#])
    func `what says nothing is no system`(text: String) {
        #expect(CoordinateSystem(declared: text) == nil)
    }

    @Test func `Esri's numbers are Esri's`() {
        #expect(CoordinateSystem(authority: "EPSG", code: "102003").definition == "ESRI:102003")
    }
}
