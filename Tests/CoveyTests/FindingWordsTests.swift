import Foundation
import Inspection
import Testing

@testable import covey

/// What `inspect` and `verify` say to people.
struct FindingWordsTests {
    @Test func `a finding says how often it was found, where first, and how much more there is`() {
        var findings = FindingList()
        findings.add(.warning, "hint", "a small thing", count: 2)
        for column in 0..<1_007 {
            findings.add(.error, "spacing", "two nodes are too near", at: "11/\(column)/3")
        }
        findings.add(.error, "hash", "it is another one", at: "here")
        let verdict = Verdict(path: "a", findings: findings, json: [], summary: "7 tiles")
        #expect(
            verdict.lines == [
                "a: 7 tiles", "", "error spacing: two nodes are too near (1,007 times)",
                "    11/0/3", "    11/1/3", "    11/2/3", "    11/3/3", "    11/4/3",
                "    and 1,002 more", "", "error hash: it is another one", "    here", "",
                "warning hint: a small thing (2 times)",
            ])
        let well = Verdict(path: "a", findings: FindingList(), json: [], summary: "7 tiles")
        #expect(well.lines == ["a: 7 tiles", "all is well"])
    }

    @Test(arguments: [
        ("a bb ccc dddd", 6, "a bb\n  ccc\n  dddd"), ("a bb", 4, "a bb"), ("a bb", 3, "a\n  bb"),
        ("  indented words", 4, "  indented\n  words"), ("longword", 3, "longword"), ("", 3, ""),
    ])
    func `a line is broken between words, and all of it is there`(
        line: String, width: Int, text: String
    ) {
        #expect(line.wrapped(to: width, indent: 2) == text)
    }

    @Test func `an archive of others is told by its bounds and its clusters`() throws {
        let terminal = try Terminal()
        try terminal.write("lon,lat\n1,2\n1.001,2\n30,40\n", to: "points.csv")
        let built = try terminal.covey(
            "build", "points.csv", "-o", "tiles/", "--max-zoom", "1", "--no-leaves", "--quiet")
        #expect(built.exitCode == 0, "\(built.words)")
        let text = try terminal.read("tiles/metadata.json")
        var rows = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String])
        rows["covey"] = nil
        rows["bounds"] = "-20.5,-10.25,30.125,41.5"
        let changed = try JSONSerialization.data(withJSONObject: rows)
        try terminal.write(String(decoding: changed, as: UTF8.self), to: "tiles/metadata.json")
        let inspected = try terminal.covey("inspect", "tiles/").output
        #expect(inspected.contains("  bounds       -20.5,-10.25,30.125,41.5\n"))
        let verified = try terminal.covey("verify", "tiles/").output
        #expect(
            verified.hasPrefix(
                "tiles/: 5 tiles decoded, the archive does not describe its clusters, so only their tiles"
            ))
    }
}
