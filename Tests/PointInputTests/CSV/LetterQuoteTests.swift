import Foundation
import PointInput
import Points
import Testing

/// Tables in which a quote may be a letter, as in Darwin Core archives.
struct LetterQuoteTests {
    static let swallowing = """
        gbifID\tlocality\tlat\tlon
        1\tbrook\t47.1\t8.1
        2\t"am Bach\t47.2\t8.2
        3\tford\t47.3\t8.3
        4\t"\t47.4\t8.4
        5\thill\t47.5\t8.5

        """
    static let note =
        "t.tsv: quotes were read as letters, because a cell that begins with one would hold whole rows, "
        + "or end before its text does; --quotes cells reads them as the ends of cells"

    func read(_ text: String, _ change: (inout InputOptions) -> Void = { _ in }) throws -> Reading {
        var options = InputOptions()
        change(&options)
        return try Reading(text, name: "t.tsv", options: options)
    }

    @Test(arguments: [1, 8], [16, 64, 1 << 18])
    func `quotes are letters in a table with tabs if a cell would hold rows`(
        threads: Int, pieceSize: Int
    ) throws {
        let reading = try read(Self.swallowing) {
            ($0.threads, $0.pieceSize) = (threads, pieceSize)
        }
        #expect(reading.table.count == 5 && reading.report.notes == [Self.note])
        #expect(reading.attributes(1)["locality"] == .text("\"am Bach"))
        #expect(reading.attributes(3)["locality"] == .text("\""))
    }

    @Test(arguments: [1, 8])
    func `a late quote decides for the whole table`(threads: Int) throws {
        var rows = (0..<3_000).map { "\($0)\t\"wood\"\t47.1\t8.1\n" }
        rows[2_900] = "2900\t2\" pipe\t47.1\t8.1\n"
        rows[2_901] = "2901\t\"2 pipe\t47.1\t8.1\n"
        let text = "id\twhat\tlat\tlon\n" + rows.joined()
        let reading = try read(text) { ($0.threads, $0.pieceSize) = (threads, 1 << 12) }
        #expect(reading.table.count == 3_000 && reading.report.notes.contains(Self.note))
        #expect(reading.attributes(0)["what"] == .text("\"wood\""))
    }

    @Test(arguments: ["\"Wald\" bei Au", "\"Wald", "\"\"Wald\" x"])
    func `so they are if text follows the second one, or there is none`(cell: String) throws {
        let reading = try read("id\twhat\tlat\tlon\n1\t\(cell)\t47.1\t8.1\n2\ta\t47\t8\n")
        #expect(reading.table.count == 2 && reading.report.notes == [Self.note])
        #expect(reading.attributes(0)["what"] == .text(cell))
    }

    @Test(arguments: [
        "id\tlat\tlon\twhat\n1\t47.1\t8.1\t\"two\nlines\"\n2\t47\t8\t\"a \"\"b\"\"\"\n",
        "what\tid\tlat\tlon\n\"two\nlines\"\t1\t47.1\t8.1\n\"a \"\"b\"\"\"\t2\t47\t8\n",
    ])
    func `quotes that enclose lines without rows stay quotes`(text: String) throws {
        let reading = try read(text)
        #expect(reading.table.count == 2 && reading.report.notes.isEmpty)
        #expect(reading.attributes(0)["what"] == .text("two\nlines"))
        #expect(reading.attributes(1)["what"] == .text("a \"b\""))
    }

    @Test func `a header in quotes means that quotes enclose cells`() throws {
        let text = "\"id\"\t\"lat\"\t\"lon\"\n\"1\" x\t47.1\t8.1\n"
        let said = try #require(complaint(about: text, name: "t.tsv"))
        #expect(said.contains("has text after the closing quote of a cell"))
        #expect(said.contains("--quotes letters"))
    }

    @Test func `the options decide before the cells`() throws {
        let asked = try read(Self.swallowing) { $0.quotes = .cells }
        #expect(asked.table.count == 3)
        let commas = Self.swallowing.replacing("\t", with: ",")
        let told = try read(commas)
        #expect(told.table.count == 3)
        #expect(
            told.report.notes == [
                "t.tsv: a cell in quotes runs over lines that look like rows; if quotes are letters in "
                    + "this table, --quotes letters reads all rows"
            ])
        let letters = try read(commas) { $0.quotes = .letters }
        #expect(letters.table.count == 5 && letters.report.notes.isEmpty)
    }

    @Test func `a joined table is read alike`() throws {
        let file = TemporaryFile(Data(Self.swallowing.utf8))
        defer { file.remove() }
        let table = try JoinTable(
            reading: .file(file.path, named: "t.tsv"), key: "gbifID", column: "id",
            options: InputOptions())
        let reading = try read("id,lat,lon\n3,47,8\n") { $0.join = table }
        #expect(reading.attributes(0)["locality"] == .text("ford"))
        #expect(reading.report.notes == [Self.note])
    }

    @Test func `a table whose cells show quotes is not read by letters`() throws {
        let rows = "lon\tlat\tn\n1\t2\t\"say \"\"hi\"\"\"\n3\t4\t\"see:\n5\t6\tz\"\n"
        let reading = try Reading(rows)
        #expect(reading.table.readPoints.count == 2)
        #expect(reading.attributes(0) == ["n": .text("say \"hi\"")])
        let tab = try Reading("lon\tlat\tn\n1\t2\t\"a\tb\"\n3\t4\t\"see:\n5\t6\tz\"\n")
        #expect(tab.attributes(0) == ["n": .text("a\tb")] && tab.table.readPoints.count == 2)
        let header = complaint(about: "1\t2\t\"Foo\" bar\n3\t4\tx\n", name: "t.tsv")
        #expect(header?.contains("--quotes letters") == true)
    }
}
