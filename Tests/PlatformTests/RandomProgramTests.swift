import CLibrary
import Foundation
import Platform
import Testing

/// Programs, disks, and what programs leave behind.
struct RandomProgramTests {
    private func inDirectory(_ body: (String) throws -> Void) throws {
        try RandomFileTests.inDirectory(body)
    }

    @Test func `the room on a disk is what df says, and names can be exchanged where it can`()
        throws
    {
        try inDirectory { directory in
            let free = try Directory(directory).freeBytes()
            var process = try ChildProcess("df", ["-P", "-k", directory])
            let words = try Self.outcome(of: &process).output.split(separator: "\n").last?.split(
                separator: " ")
            let told = try #require(words.flatMap { Int($0[3]) }) * 1_024
            #expect(abs(free - told) < 16 << 30)
            #expect(throws: FileError.system(code: ENOENT)) {
                _ = try Directory("/nowhere").freeBytes()
            }
            try Directory(directory).synchronize()
            #expect(throws: FileError.system(code: ENOTEMPTY)) {
                try File.write([1].span, toNew: "\(directory)/a")
                try Directory.remove(directory)
            }
        }
    }

    // MARK: Programs

    private static func outcome(
        of process: inout ChildProcess
    ) throws -> (output: String, errors: String, code: Int32?) {
        var (output, errors) = ("", "")
        var buffer = [UInt8](repeating: 0, count: 7)
        reading: while true {
            switch process.wait(&buffer, milliseconds: 20_000) {
            case .output(let count): output += String(decoding: buffer[..<count], as: UTF8.self)
            case .errors(let count): errors += String(decoding: buffer[..<count], as: UTF8.self)
            case .end: break reading
            case .silence: throw FileError.system(code: ETIMEDOUT)
            }
        }
        return (output, errors, process.exitCode())
    }

    @Test(
        arguments: [
            (
                "printf 'out of it'; printf 'words of errors' >&2; exit 0", "out of it",
                "words of errors", 0
            ),
            ("exit 255", "", "", 255), ("exit 3", "", "", 3), ("kill -KILL $$", "", "", nil),
            ("kill -PIPE $$", "", "", nil), ("cat", "", "", 0),
            ("exec >&-; exec 2>&-; exit 1", "", "", 1),
            ("echo a >&2; exec 2>&-; echo b", "b\n", "a\n", 0),
        ] as [(String, String, String, Int32?)])
    func `what a program writes and how it ends is told`(
        script: String, output: String, errors: String, code: Int32?
    ) throws {
        var process = try ChildProcess("sh", ["-c", script])
        let outcome = try Self.outcome(of: &process)
        #expect(outcome.output == output && outcome.errors == errors && outcome.code == code)
    }

    @Test func `a program that says nothing is waited for so long, and ends with its owner`() throws
    {
        let path = "/tmp/covey-tests-\(Platform.Process.uniqueName)"
        defer { try? File.remove(path) }
        var id: Int32?
        do {
            var process = try ChildProcess("sh", ["-c", "echo $$ > \(path); exec sleep 100"])
            var buffer = [UInt8](repeating: 0, count: 9)
            for _ in 0..<2_000 where id == nil {
                guard case .silence = process.wait(&buffer, milliseconds: 10) else {
                    throw FileError.last
                }
                let bytes = (try? File.contents(of: path, limit: 20)) ?? []
                id = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.flatMap {
                    Int32($0)
                }
            }
            #expect(Platform.Process.isRunning(try #require(id)))
        }
        #expect(!Platform.Process.isRunning(try #require(id)))
        do {
            _ = try ChildProcess("no-such-program-of-covey", [])
            Issue.record("it was started")
        } catch {
            guard case .notFound = error else { throw error }
        }
    }

    // MARK: Names and leftovers

    @Test func `unique names are of one form, and no two are the same`() {
        let names = (0..<200).map { _ in Platform.Process.uniqueName }
        #expect(Set(names).count == 200)
        for name in names {
            #expect(
                name.wholeMatch(of: /\d+-[0-9a-z]{13}/) != nil && name.hasPrefix("\(getpid())-"))
        }
        #expect(Platform.Process.variable("PATH") == ProcessInfo.processInfo.environment["PATH"])
        #expect(Platform.Process.variable("COVEY_NO_SUCH_VARIABLE") == nil)
    }

    @Test func `leftovers go by the sign that their maker is gone`() throws {
        let dead = "1073741824-0123456789abc"
        let own = "\(getpid())-0123456789abc"
        // By the number of a process, or by a lock alone.
        for (sign, left) in [(Leftovers.Sign.process, [own]), (.lock, [])] {
            try inDirectory { directory in
                for name in [dead, own] {
                    try Directory.create("\(directory)/x-\(name)")
                    try File.write([1].span, toNew: "\(directory)/x-\(name)/inner")
                    try File.write([1].span, toNew: "\(directory)/y-\(name)")
                }
                let others = [
                    "x-\(dead)x", "x-0-0123456789abc", "x--5-0123456789abc", "x-\(dead)-1",
                    "z-\(dead)",
                ]
                for name in others { try File.write([1].span, toNew: "\(directory)/\(name)") }
                Leftovers.remove(named: "x-", in: directory, unless: sign)
                Leftovers.remove(named: "y-", in: directory, unless: sign)
                let wanted = others + left.flatMap { ["x-\($0)", "y-\($0)"] }
                #expect(try Directory(directory).names().sorted() == wanted.sorted())
            }
        }
    }

    @Test func `a temporary file is read wherever it was written, named or not`() throws {
        try inDirectory { directory in
            for isNamed in [true, false] {
                var file = try TemporaryFile(in: directory, isNamed: isNamed)
                var wanted: [UInt8] = []
                for count in [0, 1, 300, 7] {
                    let piece = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 5 + count) }
                    try file.append(piece.span)
                    wanted += piece
                    #expect(file.count == wanted.count)
                }
                #expect(try Directory(directory).names().count == (isNamed ? 1 : 0))
                var buffer = [UInt8](repeating: 0, count: 100)
                for offset in [0, 1, 250, 307, 308, 400] {
                    let count = try buffer.withUnsafeMutableBytes {
                        try file.read(into: $0, at: offset)
                    }
                    #expect(Array(buffer[..<count]) == Array(wanted.dropFirst(offset).prefix(100)))
                }
                // No other program takes it for a leftover.
                TemporaryFile.removeLeftovers(in: directory)
                #expect(try Directory(directory).names().count == (isNamed ? 1 : 0))
                _ = file.count
            }
            #expect(try Directory(directory).names().isEmpty)
        }
    }

    @Test func `a file that is replaced has new bytes, and its folder nothing else`() throws {
        try inDirectory { directory in
            let path = "\(directory)/a"
            for count in [3, 0, 70_000] {
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
                let before = try? FileStatus(of: path)
                try File.replace(path, with: bytes.span)
                #expect(try File.contents(of: path, limit: 100_000) == bytes)
                #expect(try Directory(directory).names() == ["a"])
                #expect(try FileStatus(of: path).identity != before?.identity)
            }
            try File.rename(path, to: "\(directory)/b")
            #expect(try Directory(directory).names() == ["b"])
            try UnfinishedFiles.begin("\(directory)/c") { () throws(FileError) in
                try Directory.create("\(directory)/c")
            }
            UnfinishedFiles.remove("\(directory)/c")
            #expect(try Directory(directory).names() == ["b"])
        }
    }
}
