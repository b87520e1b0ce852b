import Expressions
import Foundation
import PointInput
import Points
import Testing

/// Folders and patterns, which stand for several files.
struct FolderTests {
    /// A folder of files by their paths, each of one point whose longitude is its number.
    static func withFolder<Result>(_ files: [String], _ use: (String) throws -> Result) throws
        -> Result
    {
        let folder = URL.temporaryDirectory.appending(path: "covey-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (number, file) in files.enumerated() {
            let path = folder.appending(path: file)
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("lon,lat\n\(number),0\n".utf8).write(to: path)
        }
        return try use(folder.path)
    }

    static let files = [
        "country=de/year=2023/b.csv", "country=de/year=2024/a.csv",
        "country=at%20x/year=2024/a.csv",
        "country=__HIVE_DEFAULT_PARTITION__/a.csv", "top.csv", "_SUCCESS", ".hidden.csv",
        "readme.md", "country=de/year=2024/deep/c.csv", "packed.csv.gz",
    ]

    static func points(
        _ path: String, _ change: (inout InputOptions) -> Void = { _ in }
    ) throws -> [ReadPoint] {
        try Samples.read(path: path, change).points
    }

    @Test func `a folder is read in order, with the values of its folders`() throws {
        try Self.withFolder(Self.files) { folder throws in
            for path in [folder, folder + "/"] {
                #expect(
                    try Self.points(path) == [
                        ReadPoint(3, 0, [:]),
                        ReadPoint(2, 0, ["country": .text("at x"), "year": .integer(2024)]),
                        ReadPoint(0, 0, ["country": .text("de"), "year": .integer(2023)]),
                        ReadPoint(1, 0, ["country": .text("de"), "year": .integer(2024)]),
                        ReadPoint(9, 0, [:]), ReadPoint(4, 0, [:]),
                    ])
            }
        }
    }

    @Test func `texts of no format count only if there are no other files`() throws {
        func read(_ files: [String], _ pattern: String = "") throws -> (
            x: [Double], notes: [String]
        ) {
            try Self.withFolder(files) { folder throws in
                let (points, report) = try Samples.read(path: folder + pattern)
                return (points.map(\.x), report.notes.filter { $0.contains("a .txt counts") })
            }
        }
        let both = try read(["a.csv", "README.TXT", "k=1/b.txt"])
        #expect(both.x == [0] && both.notes.count == 1)
        #expect(try read(["a.csv", "b.txt"], "/").notes.allSatisfy { !$0.contains("//") })
        #expect(try read(["a.csv", "b.txt"]).notes.count == 1)
        let texts = try read(["a.txt", "b.txt"])
        #expect(texts.x == [0, 1] && texts.notes.isEmpty)
        #expect(try read(["a.csv", "b.txt"], "/*").x == [0, 1])
    }

    @Test func `patterns match names, and folders that match are read`() throws {
        try Self.withFolder(Self.files) { folder throws in
            #expect(try Self.points(folder + "/t*.csv").map(\.x) == [4])
            let germany = try Self.points(folder + "/country=d?")
            #expect(germany.map(\.x) == [0, 1])
            #expect(germany.first?.attributes["country"] == .text("de"))
            let one = try Self.points(folder + "/country=de/year=*/a.csv")
            #expect(one == [ReadPoint(1, 0, ["year": .integer(2024)])])
        }
    }

    @Test func `programs' own files match no star, and two stars are any folders`() throws {
        let files = [
            "d=1/a.csv", "d=1/_b.csv", "_temporary/c.csv", "x[1]/y/d.csv", "x[1]/e.csv", "f.csv",
            ".git/g.csv", "readme/h.md",
        ]
        try Self.withFolder(files) { folder throws in
            // Links to folders are not followed.
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/x[1]/again", withDestinationPath: folder)
            for (pattern, numbers) in [
                ("/*/*.csv", [0, 4]), ("/d=1/*", [0]), ("/d=1/_*.csv", [1]), ("/_*/c.csv", [2]),
                ("/**/*.csv", [0, 5, 4, 3]), ("/**", [0, 5, 4, 3]), ("/x*/**/*.csv", [4, 3]),
                ("/**/d=*/*.csv", [0]), ("/**/**/**/e.csv", [4]), ("/**/**", [0, 5, 4, 3]),
                ("/**/x*/**/*.csv", [4, 3]),
            ] as [(String, [Double])] {
                let found = try Self.points(folder + pattern).map(\.x)
                #expect(found.sorted() == numbers.sorted(), "\(pattern): \(found)")
            }
        }
    }

    /// Each folder is visited once for each `**`, not once for each way to come to it.
    @Test(.timeLimit(.minutes(1)))
    func `many times two stars are no more work than they have folders`() throws {
        try Self.withFolder([String(repeating: "a/", count: 25) + "x.csv"]) { folder throws in
            let stars = String(repeating: "/**", count: 9)
            let between = String(repeating: "/**/*", count: 9)
            for pattern in [stars, between] {
                #expect(try Self.points(folder + pattern + "/x.csv").map(\.x) == [0])
            }
        }
    }

    @Test func `what a pattern matches is read in the order of the matches`() throws {
        try Self.withFolder(["a/x.csv", "a.csv", "b.csv"]) { folder throws in
            #expect(try Self.points(folder + "/*").map(\.x) == [0, 1, 2])
        }
    }

    @Test func `a folder that is not read is told`() throws {
        try Self.withFolder(["sub/b.csv.gz", "a.csv", "d=1/sub/c.csv", "words/readme.md"]) {
            folder throws in
            let read = try Samples.read(path: folder)
            let told = ["/d=1/sub: is not read", "/sub: is not read"]
            #expect(read.report.notes.count == 2 && read.points.count == 1, "\(read.report.notes)")
            for (note, words) in zip(read.report.notes, told) {
                #expect(note.hasPrefix(folder + words), "\(note)")
            }
            for path in [folder, folder + "/"] {
                let notes = try Samples.read(path: path).report.notes
                #expect(notes.last?.hasSuffix("'\(folder)/**/*.csv.gz'") == true, "\(notes)")
            }
        }
    }

    @Test func `options see the values of folders as they see columns`() throws {
        try Self.withFolder(Self.files) { folder throws in
            let kept = try Self.points(folder) {
                $0.filter = try? .init(parsing: ["==", ["get", "country"], "de"], as: .filter)
                $0.excluded = ["country"]
                $0.kinds = ["year": .text]
            }
            #expect(
                kept == [
                    ReadPoint(0, 0, ["year": .text("2023")]),
                    ReadPoint(1, 0, ["year": .text("2024")]),
                ])
        }
    }

    @Test func `a value of a folder takes the place of the file's own`() throws {
        try Self.withFolder(["kind=1/a.csv"]) { folder throws in
            try Data("lon,lat,kind\n1,2,old\n".utf8)
                .write(to: URL(filePath: folder + "/kind=1/a.csv"))
            let points = try Self.points(folder)
            #expect(points == [ReadPoint(1, 2, ["kind": .integer(1)])])
        }
        for none in ["", "__HIVE_DEFAULT_PARTITION__"] {
            try Self.withFolder(["kind=\(none)/a.csv"]) { folder throws in
                try Data("kind,lon,lat\n1900,1,2\n,3,4\n".utf8)
                    .write(to: URL(filePath: folder + "/kind=\(none)/a.csv"))
                #expect(try Self.points(folder) == [ReadPoint(1, 2, [:]), ReadPoint(3, 4, [:])])
                let unknown = try Self.points(folder) {
                    $0.filter = try? .init(parsing: ["==", ["get", "kind"], nil], as: .filter)
                }
                #expect(unknown.count == 2)
            }
        }
    }

    @Test func `files without an extension of a format are told, those that belong to others not`()
        throws
    {
        let files = [
            "a.csv", "b.dat", "c", "d.csv.bak", ".e.log", "_f", "k=1/g.log", "k=1/h.tab",
            "k=1/h.map",
        ]
        try Self.withFolder(files) { folder throws in
            for path in [folder, folder + "/"] {
                let (points, report) = try Samples.read(path: path) { $0.tellsOddPlaces = false }
                #expect(points.map(\.x) == [0, 7])
                #expect(
                    report.notes == [
                        "\(path): not read, without an extension of a point format: b.dat, c, d.csv.bak "
                            + "and 1 more; a pattern reads such files: '\(folder)/*'"
                    ])
            }
        }
    }

    @Test func `what stands for no file is told, and a name with a star is a name`() throws {
        try Self.withFolder(["a*b.csv", "empty/readme.md"]) { folder throws in
            #expect(try Self.points(folder + "/a*b.csv").map(\.x) == [0])
            let missing = folder + "/*.parquet"
            #expect(
                throws: InputError.cannotOpen(input: missing, reason: "no file has such a name")
            ) { try Self.points(missing) }
            #expect(throws: InputError.isDirectory(input: folder + "/empty")) {
                try Self.points(folder + "/empty")
            }
            #expect(!PointSource.isReadable(missing))
            #expect(PointSource.isReadable(folder + "/*.csv"))
            #expect(PointSource.file(folder).files == [folder, folder + "/a*b.csv"])
        }
    }

    @Test func `an attribute that is a number here and a text there is told of`() throws {
        func notes(_ texts: [String], _ change: (inout InputOptions) -> Void = { _ in }) throws
            -> [String]
        {
            var options = InputOptions()
            change(&options)
            let files = texts.map { TemporaryFile(Data($0.utf8)) }
            defer { for file in files { file.remove() } }
            let sources = files.enumerated().map { number, file in
                PointSource.file(file.path, named: "\(["a", "b", "c", "d"][number])")
            }
            return try PointTable.read(sources, options: options).report.notes
        }
        let number = "lon,lat,plz,n\n1,2,10115,1\n1,3,10117,2.5\n"
        let text = "lon,lat,n,plz\n2,2,-3,01067\n2,3,,99084\n"
        let json = """
            {"type":"Feature","properties":{"plz":"01067","n":true},
            "geometry":{"type":"Point","coordinates":[4,2]}}
            """
        let difference = "b: plz is a text, but a number in a; --type plz:text makes texts of all"
        #expect(try notes([number, text, text, number]) == [difference])
        #expect(
            try notes([number, number, json]) == [
                "c: n is true or false, but a number in a; --type n:text makes texts of all",
                "c: plz is a text, but a number in a; --type plz:text makes texts of all",
            ])
        #expect(try notes([number, text]) { $0.kinds = ["plz": .text] } == [])
        #expect(try notes([number, text]) { $0.excluded = ["plz"] } == [])
        // Also if a filter leaves out all points with the other values.
        #expect(
            try notes([number, text]) {
                $0.filter = try? Expression(parsing: [">", ["get", "plz"], 1], as: .filter)
            } == [difference])
        // In one input values may differ.
        #expect(try notes([json, text, "lon,lat\n1,2\n3,4\n"]).count == 1)
    }
}
