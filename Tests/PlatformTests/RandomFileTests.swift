import CLibrary
import Foundation
import Platform
import TestSupport
import Testing

/// Files, folders and programs, against what the system's own tools say of them.
struct RandomFileTests {
    private func inDirectory(_ body: (String) throws -> Void) throws {
        let path = "/tmp/covey-tests-\(Platform.Process.uniqueName)"
        try Directory.create(path)
        defer { try? Directory.removeTree(path) }
        try body(path)
    }

    @Test func `pieces that are written and read anywhere are those of an array`() throws {
        var random = SeededRandom(seed: 1)
        try inDirectory { directory in
            let path = "\(directory)/a"
            let file = try File(creating: path)
            var wanted: [UInt8] = []
            for round in 0..<60 {
                let piece = (0..<Int(random.next() % 70)).map {
                    UInt8(truncatingIfNeeded: round + $0)
                }
                let offset = Int(random.next() % 200)
                try file.write(piece.span, at: offset)
                if wanted.count < offset + piece.count, !piece.isEmpty {
                    wanted += [UInt8](repeating: 0, count: offset + piece.count - wanted.count)
                }
                if !piece.isEmpty {
                    wanted.replaceSubrange(offset..<offset + piece.count, with: piece)
                }
                let start = Int(random.next() % 250)
                let end = start + Int(random.next() % 90)
                let range = min(start, wanted.count)..<min(end, wanted.count)
                #expect(try file.bytes(start..<end) == Array(wanted[range]))
                #expect(
                    try FileStatus(of: path).size == wanted.count
                        && file.status().size == wanted.count)
                #expect(try FileStatus.byteCount(at: path) == wanted.count)
                file.beginSynchronizing(start..<end)
            }
            try file.synchronize()
            // What was written at offsets moved no position.
            try file.write([200, 201].span)
            wanted.replaceSubrange(0..<2, with: [200, 201])
            #expect(try File.contents(of: path, limit: wanted.count) == wanted)
            #expect(try OpenDirectory(directory).contents(of: "a", limit: wanted.count) == wanted)
            let again = try File(writing: path)
            try again.write([7].span)
            #expect(try again.bytes(upTo: 3) == Array(wanted[1..<4]))
            #expect(
                try again.bytes(upTo: 10_000) == Array(wanted[4...]) && again.bytes(upTo: 1) == [])
        }
    }

    @Test func `each kind of file is called what it is, by every way to it`() throws {
        try inDirectory { directory in
            func path(_ name: String) -> String { "\(directory)/\(name)" }
            try File.write([1, 2, 3].span, toNew: path("file"))
            try Directory.create(path("folder"))
            #expect(mkfifo(path("fifo"), 0o640) == 0 && symlink("file", path("link")) == 0)
            let kinds: [String: FileStatus.Kind] = [
                "file": .regular, "folder": .directory, "fifo": .fifo, "link": .symbolicLink,
            ]
            let folder = try OpenDirectory(directory)
            let entries = try folder.entries()
            #expect(Set(entries.map(\.name)) == Set(kinds.keys) && entries.count == 4)
            for entry in entries {
                let kind = kinds[entry.name]
                #expect(try entry.kind == kind && folder.status(of: entry.name).kind == kind)
                #expect(try FileStatus(of: path(entry.name), followingLinks: false).kind == kind)
                let isFile = kind == .regular
                #expect(
                    try FileStatus(of: path(entry.name), followingLinks: false).isRegular == isFile)
            }
            #expect(
                try FileStatus(of: path("link")).kind == .regular
                    && FileStatus(of: path("link")).size == 3)
            #expect(try FileStatus(of: "/dev/null").kind == .device)
            let nouns = [
                FileStatus.Kind.regular, .directory, .symbolicLink, .fifo, .socket, .device,
            ].map(\.noun)
            #expect(
                nouns == [
                    "a file", "a directory", "a symbolic link", "a fifo", "a socket", "a device",
                ])
            for permissions: UInt32 in [0o4751, 0o600, 0o777, 0o1000] {
                try File.setPermissions(permissions, of: path("file"))
                #expect(try FileStatus(of: path("file")).permissions == permissions)
            }
            #expect(try File.target(of: path("link")).hasSuffix("/file"))
            #expect(
                try File.target(of: path("file")) == path("file")
                    && File.target(of: path("no")) == path("no"))
            #expect(try File.resolved(path("folder/../link")) == File.resolved(path("file")))
            #expect(throws: FileError.system(code: EEXIST)) {
                try File.link(path("file"), as: path("fifo"))
            }
            #expect(throws: FileError.system(code: EEXIST)) {
                try File(creating: path("link")).synchronize()
            }
            #expect(throws: FileError.system(code: ENOTDIR)) {
                _ = try OpenDirectory(path("file")).entries()
            }
            for name in ["folder", "fifo"] {
                #expect(throws: FileError.notAFile(try #require(kinds[name]))) {
                    _ = try folder.contents(of: name, limit: 9)
                }
            }
        }
    }

    /// Trees of files, counted by a plain walk; made by name, removed whole.
    @Test(arguments: 0..<4) func `a tree has the bytes of its files`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        try inDirectory { directory in
            var (folders, bytes) = ([directory], 0)
            for number in 0..<40 {
                let parent = folders[Int(random.next() % UInt64(folders.count))]
                let opened = try OpenDirectory(parent)
                switch random.next() % 4 {
                case 0:
                    _ = try opened.directory(making: "d\(number)")
                    _ = try opened.directory(making: "d\(number)")
                    folders.append("\(parent)/d\(number)")
                case 1: symlink(directory, "\(parent)/l\(number)")
                default:
                    let count = Int(random.next() % 50)
                    try opened.file(creating: "f\(number)").write(
                        [UInt8](repeating: 1, count: count).span)
                    bytes += count
                    #expect(throws: FileError.system(code: EEXIST)) {
                        _ = try opened.file(creating: "f\(number)").status()
                    }
                }
            }
            #expect(try FileStatus.byteCount(at: directory) == bytes)
            #expect(try OpenDirectory(directory).byteCount() == bytes)
            try OpenDirectory(directory).removeAll()
            #expect(try Directory(directory).names() == [])
        }
    }

    @Test func `failures are told apart by their code`() {
        let codes: [Int32] = [
            ENOENT, EEXIST, EPIPE, ENOSPC, EDQUOT, EINVAL, ENOSYS, ENOTSUP, EIO, EACCES, EXDEV, 0,
        ]
        for code in codes {
            let error = FileError.system(code: code)
            #expect(error.isMissing == (code == ENOENT) && error.isTaken == (code == EEXIST))
            #expect(error.isClosedPipe == (code == EPIPE))
            #expect(error.isDiskFull == [ENOSPC, EDQUOT].contains(code))
            #expect(error.isUnsupported == [EINVAL, ENOSYS, ENOTSUP].contains(code))
            #expect(
                "\(error)" == String(cString: strerror(code))
                    && FileError.words(for: code) == "\(error)")
        }
        #expect(!FileError.notAFile(.fifo).isMissing && !FileError.notAFile(.device).isUnsupported)
    }

    @Test func `a path is cut at its last slash`() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<200 {
            let path = (0...random.next() % 6).map { _ in
                ["a", "/", "bc", "."][Int(random.next() % 4)]
            }.joined()
            let (directory, name) = Directory.split(path)
            #expect(!name.contains("/") && path.hasSuffix(name))
            let rest = path.dropLast(name.count)
            let wanted = rest.isEmpty ? "." : rest == "/" ? "/" : String(rest.dropLast())
            #expect(directory == (wanted.isEmpty ? "/" : wanted), "\(path)")
        }
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
            #expect(abs(free - told) < 2 << 30)
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
            for _ in 0..<400 where id == nil {
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
