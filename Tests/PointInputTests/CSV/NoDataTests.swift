import PointInput
import Points
import Testing

/// Values that mean none.
struct NoDataTests {
    func read(_ text: String, noData: [String] = []) throws -> Reading {
        var options = InputOptions()
        options.noData = NoData(noData)
        return try Reading(text, name: "t", options: options)
    }

    @Test func `cells with them are blank, and the others stay numbers`() throws {
        let text = "id,lat,lon,x,y\n1,47.1,8.1,-9999,2\n2,47.2,8.2,5,NA\n3,NA,-9999,7,1\n"
        let reading = try read(text, noData: ["NA", "-9999"])
        #expect(reading.table.count == 2 && reading.report.rejected == [.noLocation: 1])
        #expect(reading.attributes(0) == ["id": .integer(1), "y": .integer(2)])
        #expect(reading.attributes(1) == ["id": .integer(2), "x": .integer(5)])
    }

    @Test func `members with them are absent`() throws {
        let text = """
            {"type":"Feature","properties":{"a":"NA","b":-9999,"c":-9999.0,"d":1},
            "geometry":{"type":"Point","coordinates":[4,2]}}
            """
        let reading = try read(text, noData: ["NA", "-9999"])
        #expect(reading.attributes(0) == ["d": .integer(1)])
    }

    @Test func `a column of numbers and one text without digits is told of`() throws {
        let text = "lat,lon,x,name\n1,2,5,a\n1,3,NA,b\n4,4,NA,12\n4,5,6,13\n"
        #expect(
            try read(text).report.notes == [
                "t: x is text because of “NA” in row 2; --nodata=NA reads such cells as blank"
            ])
        let reading = try read(text, noData: ["NA"])
        #expect(reading.report.notes == [])
        #expect(reading.attributes(0)["x"] == .integer(5))
        #expect(try read("lat,lon,x\n1,2,5\n1,3,6\n4,4,abc\n").report.notes == [])
        let rare = (0..<19).map { "1,2,\($0)\n" }.joined() + "1,3,abc\n"
        #expect(
            try read("lat,lon,x\n" + rare).report.notes.contains { $0.contains("--nodata=abc") })
        #expect(try read("lat,lon,house\n1,2,5\n1,3,5a\n4,4,NA\n").report.notes == [])
    }

    @Test func `a column of truth values and one text is told of`() throws {
        let text = "lat,lon,open\n1,2,NULL\n1,3,true\n4,4,False\n"
        #expect(
            try read(text).report.notes == [
                "t: open is text because of “NULL” in row 1; --nodata=NULL reads such cells as blank"
            ])
        #expect(try read(text, noData: ["NULL"]).attributes(1) == ["open": .bool(true)])
        #expect(try read("lat,lon,x\n1,2,NULL\n1,3,true\n4,4,5\n").report.notes == [])
        let rows = (0..<100).map { "1,2,\($0 < 50)\n" }.joined()
        let late = "lat,lon,x\n" + rows + String(repeating: "1,2,true\n", count: 900) + "1,2,no\n"
        #expect(
            try read(late).report.notes.contains {
                $0.contains("its first 1000 values are true or false; --type x:bool finds")
            })
    }

    @Test func `several texts that usually mean no value are told of together`() throws {
        let text = "lat,lon,x\n1,2,5\n1,3,nan\n4,4,inf\n4,4,-inf\n4,5,nan\n"
        #expect(
            try read(text).report.notes == [
                "t: x is text because of “nan” in row 2, “inf” in row 3 and “-inf” in row 4; "
                    + "--nodata=nan --nodata=inf --nodata='-inf' reads such cells as blank"
            ])
        let reading = try read(text, noData: ["nan", "inf", "-inf"])
        #expect(reading.report.notes == [] && reading.attributes(0)["x"] == .integer(5))
        #expect(try read("lat,lon,x\n1,2,inf\n").report.notes == [])
        #expect(try read("lat,lon,x\n1,2,5\n1,3,nan\n4,4,abc\n").report.notes == [])
    }

    @Test func `and so is a column whose texts come late`() throws {
        let rows = (0..<4_000).map { "\($0 % 90),\($0 % 77),\($0)\n" } + ["1,2,NA\n"]
        #expect(
            try read("lat,lon,n\n" + rows.joined()).report.notes.filter { $0.contains("n is") } == [
                "t: n is text, though its first 1000 values are numbers; --type n:number finds the value "
                    + "that is none, and --nodata VALUE leaves such values out"
            ])
    }

    @Test func `a number that means none may be spelled in any way`() throws {
        for spelled in ["-9999", "-9999.0", "-9.999e3"] {
            let reading = try read(
                "lon,lat,v,code\n1,2,-9999,000\n3,4,-9999.00,5x\n0.0,0.0,5,7x\n",
                noData: [spelled, "0"])
            #expect(reading.table.readPoints.count == 2)
            #expect(reading.attributes(0) == ["code": .text("000")])
            #expect(reading.attributes(1) == ["code": .text("5x")])
        }
    }
}
