import Foundation
import PointInput
import Points
import Testing

/// Numbers between signs that no one sees, and cells and encodings that lose nothing.
struct OddNumberTests {
    static let marks = ["\u{A0}", "\u{202F}", "\u{200E}", "\u{200F}", "\u{FEFF}", "\u{A0}\u{200E}"]

    @Test(arguments: marks)
    func `no-break spaces and marks around a number are passed over`(mark: String) throws {
        let text =
            "x;y;n;d;t\n\(mark)1,5;\u{2212}2\(mark);\(mark)7;\(mark)\u{2212}1,5\(mark);7\(mark)\n"
        let reading = try Reading(text + "3;4;\u{2212}8;2;a\n", name: "t.csv")
        #expect(abs(reading.longitude(0) - 1.5) < 1e-9 && abs(reading.latitude(0) + 2) < 1e-9)
        #expect(
            reading.attributes(0) == [
                "n": .integer(7), "d": .number(-1.5), "t": .text("7\(mark)"),
            ])
        #expect(reading.attributes(1)["n"] == .integer(-8))
        var options = InputOptions()
        options.kinds = ["n": .number]
        let asked = try Reading("x,y,n\n1,2,\(mark)007\n", name: "t.csv", options: options)
        #expect(asked.attributes(0) == ["n": .integer(7)])
        let bare = complaint(about: "x,y\n1\(mark)5,2\n", name: "t.csv")
        #expect(bare?.contains("which is not a number") == true)
    }

    @Test func `a number may have digits behind its point alone`() throws {
        let text = "lon,lat,a,b,c\n1,2,.5,5.,+5\n-.5,.25,-.125,6,7\n3,4,2,8,.\n"
        let reading = try Reading(text, name: "t.csv")
        #expect(abs(reading.longitude(1) + 0.5) < 1e-9)
        #expect(
            (0..<3).map { reading.attributes($0)["a"] } == [
                .number(0.5), .number(-0.125), .integer(2),
            ])
        #expect(
            reading.attributes(0)["b"] == .text("5.") && reading.attributes(0)["c"] == .text("+5"))
        #expect(reading.attributes(2)["c"] == .text("."))
        var options = InputOptions()
        options.kinds = ["a": .number, "b": .number, "c": .number]
        let asked = try Reading(String(text.dropLast(2)), name: "t.csv", options: options)
        #expect(asked.attributes(0) == ["a": .number(0.5), "b": .integer(5), "c": .integer(5)])
        #expect(asked.attributes(2) == ["a": .integer(2), "b": .integer(8)])
        // Text by text, as in a table with decimal commas.
        let german = try Reading("x;y;a\n1,5;2;.5\n1;2;-.25\n", name: "t.csv")
        #expect((0..<2).map { german.attributes($0)["a"] } == [.number(0.5), .number(-0.25)])
        for odd in ["1e999", "+", "+-5", "5.x", ".."] {
            #expect(
                complaint(about: "x,y,n\n1,2,\(odd)\n", name: "t.csv") {
                    $0.kinds = ["n": .number]
                }?
                .contains("which is no number") == true, "\(odd)")
        }
    }

    @Test func `truth values are 1 and 0 where numbers are wanted`() throws {
        var options = InputOptions()
        options.kinds = ["a": .number, "b": .integer]
        let reading = try Reading("x,y,a,b\n1,2,true,False\n", name: "t.csv", options: options)
        #expect(reading.attributes(0) == ["a": .integer(1), "b": .integer(0)])
        options.kinds = [:]
        options.weightAttribute = "a"
        options.tolerance = .all
        #expect(try Reading("x,y,a\n1,2,true\n1,2,x\n", options: options).table.count == 0)
    }

    @Test func `an empty cell behind the last column is nothing`() throws {
        let reading = try Reading("x;y;n\n1;2;a;\n3;4;b\n5;6;;\r\n", name: "t.csv")
        #expect(reading.table.count == 3 && reading.report.rejected.isEmpty)
        #expect(reading.attributes(0) == ["n": .text("a")] && reading.attributes(2) == [:])
        for row in ["1;2;a;;", "1;2;a; ", "1;2;a;\"\""] {
            let answer = complaint(about: "x;y;n\n\(row)\n", name: "t.csv")
            #expect(answer?.contains("has more cells than the header") == true, "\(row)")
        }
    }

    @Test func `wide letters are read without a mark, or their encoding is named`() throws {
        for (encoding, name) in [
            (String.Encoding.utf16LittleEndian, "UTF-16LE"), (.utf16BigEndian, "UTF-16BE"),
        ] {
            let german = "Länge;Breite;ä\n1;2;ß\n"
            let reading = try Reading(#require(german.data(using: encoding)), name: "t.csv")
            #expect(reading.attributes(0) == ["ä": .text("ß")])
            let russian = try #require("Имя;lon;lat\nЖ;1;2\n".data(using: encoding))
            let answer = complaint(about: russian, name: "t.csv")
            #expect(answer?.hasSuffix("name it: --encoding \(name)") == true, "\(answer ?? "")")
            #expect(
                complaint(about: russian, name: "t.csv") { $0.encoding = TextEncoding(named: name) }
                    == nil)
        }
    }
}
