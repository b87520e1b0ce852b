import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// Inputs that are packed, lie in archives or are in other encodings: the same as plain ones.
struct PackedInputTests {
    static let table =
        "lon,lat,name\n" + (0..<9_000).map { "\($0 % 170).5,47,Zürich \($0)\n" }.joined()
    static let expected = { try? Reading(table).table.readPoints }()

    /// What a program makes of the table; nil where it is missing.
    static func packed(_ program: String) -> Data? {
        let file = TemporaryFile(Data(table.utf8))
        defer { file.remove() }
        return run("/usr/bin/env", program, "-c", file.path)
    }

    @Test(arguments: ["gzip", "zstd", "xz", "bzip2"])
    func `packed streams are unpacked on the way`(program: String) throws {
        guard let bytes = Self.packed(program) else { return }
        let reading = try Reading(bytes, name: "t.csv.\(program)")
        #expect(reading.table.readPoints == Self.expected && Self.expected?.count == 9_000)
        // Several of them, one after another, are one.
        #expect(try Reading(bytes + bytes.prefix(0)).table.count == 9_000)
        if program == "zstd" {
            let skipped = Data([0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 9])
            #expect(try Reading(skipped + bytes, name: "t").table.count == 9_000)
        }
        let answer = complaint(about: bytes.dropLast(9), name: "t.csv") ?? "read"
        #expect(answer.hasPrefix("t.csv: "), "\(answer)")
    }

    /// A zip archive of one stored file, written by hand.
    static func zip(_ files: [(name: String, bytes: Data)]) -> Data {
        var zip = Data()
        var directory = Data()
        func joined(_ parts: Data...) -> Data { Data(parts.joined()) }
        func number(_ value: Int, _ size: Int) -> Data {
            Data((0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
        }
        for (name, bytes) in files {
            var sum = UInt32.max
            for byte in bytes {
                sum ^= UInt32(byte)
                for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
            }
            sum ^= .max
            let sizes = joined(
                number(Int(sum), 4), number(bytes.count, 4), number(bytes.count, 4),
                number(name.utf8.count, 2), number(0, 2))
            let offset = zip.count
            zip += joined(
                number(0x0403_4B50, 4), number(20, 2), number(0, 8), sizes, Data(name.utf8), bytes)
            directory += joined(
                number(0x0201_4B50, 4), number(20, 2), number(20, 2), number(0, 8), sizes,
                number(0, 10), number(offset, 4), Data(name.utf8))
        }
        return joined(
            zip, directory, number(0x0605_4B50, 4), number(0, 4), number(files.count, 2),
            number(files.count, 2), number(directory.count, 4), number(zip.count, 4), number(0, 2))
    }

    @Test func `the only file of points in an archive is read, another by its name`() throws {
        let small = Data("lon,lat\n1,2\n".utf8)
        let one = Self.zip([("readme.md", Data("#".utf8)), ("a/t.csv", Data(Self.table.utf8))])
        #expect(try Reading(one, name: "t.zip").table.readPoints == Self.expected)
        let gzipped = try #require(Self.packed("gzip"))
        #expect(try Reading(Self.zip([("t.csv.gz", gzipped)])).table.readPoints == Self.expected)
        let two = Self.zip([("a.csv", small), ("b/c.csv", Data(Self.table.utf8))])
        let answer = complaint(about: two, name: "t.zip") ?? "read"
        #expect(answer.contains("2 of its files may have points"), "\(answer)")
        #expect(answer.contains("name one: t.zip/a.csv, t.zip/b/c.csv"), "\(answer)")
        for stream in ["standard input", "http://localhost/t.zip"] {
            #expect(
                complaint(about: two, name: stream)?.hasSuffix(
                    "save it as a file, and name one: FILE.zip/a.csv, FILE.zip/b/c.csv") == true)
        }
        try withFile(Array(two), named: "t.zip") { path throws in
            #expect(try Samples.read(path: path + "/b/c.csv").points == Self.expected)
            #expect(try Samples.read(path: path + "/a.csv").points.count == 1)
            let error = #expect(throws: InputError.self) {
                _ = try Samples.read(path: path + "/d.csv")
            }
            #expect(error?.advice == "there are a.csv, b/c.csv")
        }
        let many = Self.zip((0..<500).map { ("\($0).csv", small) })
        #expect(
            complaint(about: many, name: "t.zip")?.hasSuffix("t.zip/39.csv and 460 more") == true)
        try withFile(Array(many), named: "t.zip") { path throws in
            let error = #expect(throws: InputError.self) {
                _ = try Samples.read(path: path + "/d.csv")
            }
            #expect(error?.advice?.hasSuffix("39.csv and 460 more") == true)
        }
    }

    @Test func `what a program packs is read, too`() throws {
        let script =
            "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED); "
            + "z.writestr('t.csv', open(sys.argv[2], 'rb').read()); z.close()"
        try withFile(Array(Self.table.utf8), named: "source") { source throws in
            let path = source + ".zip"
            guard run("/usr/bin/env", "python3", "-c", script, path, source) != nil else { return }
            #expect(try Samples.read(path: path).points == Self.expected)
        }
    }

    /// Damage of every kind: it is told, or changes nothing.
    @Test func `a damaged archive is refused, whatever byte is wrong`() throws {
        let zip = Self.zip([("a.csv", Data("lon,lat\n1,2\n3,4\n".utf8))])
        let expected = try Reading(zip).table.readPoints
        #expect(expected.count == 2)
        var refused = 0
        for index in zip.indices {
            for value: UInt8 in [0, 0xFF, zip[index] ^ 1] {
                var damaged = zip
                damaged[index] = value
                guard let points = try? Reading(damaged).table.readPoints else {
                    refused += 1
                    continue
                }
                #expect(points == expected, "byte \(index) as \(value)")
            }
            #expect(throws: InputError.self) { _ = try Reading(zip.prefix(index)) }
        }
        #expect(refused > 100)
    }

    @Test(arguments: [
        ("utf-16", String.Encoding.utf16), ("UTF-16LE", .utf16LittleEndian),
        ("UTF-16BE", .utf16BigEndian),
        ("UTF-32", .utf32),
    ])
    func `wide characters are told by themselves`(
        encoding: (name: String, encoding: String.Encoding)
    ) throws {
        let texts = [Self.table, #"{"type":"Point","coordinates":[1,2]}"#]
        for text in texts {
            let bytes = try #require(text.data(using: encoding.encoding))
            #expect(
                try Reading(bytes, name: "t").table.readPoints
                    == (try Reading(text).table.readPoints))
        }
    }

    @Test func `other encodings are guessed where that is safe, or named`() throws {
        let latin = try #require("lon,lat,Größe\n1,2,Zürich – 5 €\n".data(using: .windowsCP1252))
        let reading = try Reading(latin, name: "t.csv")
        #expect(reading.attributes(0) == ["Größe": .text("Zürich – 5 €")])
        #expect(
            reading.report.notes == [
                "t.csv: is no UTF-8, and was read as windows-1252; --encoding says otherwise"
            ])
        var options = InputOptions()
        options.encoding = TextEncoding(named: "windows-1251")
        let cyrillic = try #require("lon,lat,n\n1,2,Москва\n".data(using: .windowsCP1251))
        #expect(try Reading(cyrillic, options: options).attributes(0) == ["n": .text("Москва")])
        // Letters of both kinds: UTF-8 with a fault.
        let mixed = Data("lon,lat,n\n1,2,é\n1,2,".utf8) + [0xE9, 0x0A]
        let answer = complaint(about: mixed, name: "t.csv") ?? "read"
        #expect(
            answer.contains("row 2 is not valid UTF-8")
                && answer.contains("--encoding windows-1252"))
        options.encoding = TextEncoding(named: "utf-8")
        #expect(
            complaint(about: latin, name: "t.csv") { $0.encoding = options.encoding }?.contains(
                "UTF-8") == true)
        options.encoding = TextEncoding(named: "ASCII")
        let fault =
            complaint(about: latin, name: "t.csv") { $0.encoding = options.encoding } ?? "read"
        #expect(fault.contains("t.csv: is no ASCII at byte 10"), "\(fault)")
        #expect(
            TextEncoding(named: "no such") == nil && TextEncoding(named: "ASCII//IGNORE") == nil)
        // What is no text stays as it is.
        options.encoding = TextEncoding(named: "windows-1252")
        let binary = try Samples.read("kinds.fgb") { $0.encoding = options.encoding }
        #expect(binary.points.count > 0)
        #expect(
            binary.report.notes.contains { $0.hasSuffix("so --encoding windows-1252 is not used") })
    }

    @Test func `a text that is surely UTF-8 is read so, whatever the options say`() throws {
        var options = InputOptions()
        options.encoding = TextEncoding(named: "windows-1251")
        let note = "is UTF-8, so --encoding windows-1251 is not used"
        for text in [
            "lon,lat,n\n1,2,Санкт-Петербург\n", "\u{FEFF}lon,lat,n\n1,2,Санкт-Петербург\n",
        ] {
            let reading = try Reading(Data(text.utf8), name: "t.csv", options: options)
            #expect(reading.attributes(0) == ["n": .text("Санкт-Петербург")])
            #expect(reading.report.notes == ["t.csv: \(note)"])
        }
        // 小学 in GBK looks like two letters of UTF-8, however often it comes.
        let school =
            Data("lon,lat,n\n".utf8)
            + (0..<9).flatMap { _ in
                Data("1,2,".utf8) + [0xD0, 0xA1, 0xD1, 0xA7, 0x0A]
            }
        options.encoding = TextEncoding(named: "GBK")
        #expect(try Reading(school, options: options).attributes(8) == ["n": .text("小学")])
        options.encoding = TextEncoding(named: "windows-1251")
        // With few letters it may be either.
        let few = try Reading(Data("lon,lat,n\n1,2,é\n".utf8), options: options)
        #expect(few.attributes(0) == ["n": .text("Г©")] && few.report.notes.isEmpty)
        let wide = try #require("lon,lat,n\n1,2,Санкт-Петербург\n".data(using: .utf16))
        let marked = try Reading(wide, name: "t.csv", options: options)
        #expect(marked.attributes(0) == ["n": .text("Санкт-Петербург")])
        #expect(
            marked.report.notes == ["t.csv: is UTF-16, so --encoding windows-1251 is not used"])
    }

    @Test func `a text that is neither UTF-8 nor what was guessed is told to name its encoding`()
        throws
    {
        // 東京 with a wide space in Shift-JIS.
        let japanese =
            Data("name,lon,lat\n".utf8)
            + [0x93, 0x8C, 0x8B, 0x9E, 0x81, 0x40] + Data(",139,35\n".utf8)
        let fault = complaint(about: japanese, name: "t.csv") ?? "read"
        #expect(
            fault.contains("is no windows-1252") && fault.contains("--encoding CP932"), "\(fault)")
        let names = try #require("название,долгота,широта\na,1,2\n".data(using: .windowsCP1251))
        let misread = complaint(about: names, name: "t.csv") ?? "read"
        #expect(misread.contains("as windows-1252") && misread.contains("--encoding windows-1251"))
    }

    @Test func `marks that cannot be seen are no part of names and numbers`() throws {
        let text =
            "\u{200B}n,\u{200F}lon\u{3000},lat\n\u{2066}7\u{2069},1,2\n\u{3000}8,3,\u{202A}4\n"
        let reading = try Reading(text)
        #expect(reading.attributes(0) == ["n": .integer(7)])
        #expect(reading.attributes(1) == ["n": .integer(8)])
        #expect(reading.table.readPoints.count == 2)
    }

    @Test func `metres with a comma may have thousands, degrees may not`() throws {
        var options = InputOptions()
        options.crs = CoordinateSystem(authority: "EPSG", code: "27700")
        let text = "n,x,y\nA,\"530,123\",\"180,456\"\n"
        let fault =
            complaint(about: Data(text.utf8), name: "t.csv") { $0.crs = options.crs } ?? "read"
        #expect(fault.contains("has the longitude") && fault.contains("may group"), "\(fault)")
        let decimal = try Reading("n;x;y\nA;530123,5;180456,25\n", options: options)
        #expect(decimal.table.readPoints.count == 1)
        let degrees = try Reading("n,lon,lat\nA,\"13,405\",\"52,520\"\n")
        #expect(degrees.table.readPoints.count == 1)
    }
}
