import CLibrary
import Foundation
import Platform
import TestSupport
import Testing

/// Files, folders and programs, against what the system's own tools say of them.
struct RandomFileTests {
    static func inDirectory(_ body: (String) throws -> Void) throws {
        let path = "/tmp/covey-tests-\(Platform.Process.uniqueName)"
        try Directory.create(path)
        defer { try? Directory.removeTree(path) }
        try body(path)
    }

    @Test func `a question mark of a pattern stands for a letter of any script`() throws {
        try Self.inDirectory { directory in
            for name in ["第1区", "第十区", "第二十区"] {
                _ = try File(creating: "\(directory)/\(name)")
            }
            let found = { (pattern: String) in
                Directory.paths(matching: "\(directory)/\(pattern)").count
            }
            #expect(found("第?区") == 2 && found("第[0-9十]区") == 2 && found("第[!0-9]区") == 1)
        }
    }

    @Test func `pieces that are written and read anywhere are those of an array`() throws {
        var random = SeededRandom(seed: 1)
        try Self.inDirectory { directory in
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
        try Self.inDirectory { directory in
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
            for permissions: UInt32 in [0o4751, 0o600, 0o777, 0o1000] {
                try File.setPermissions(permissions, of: path("file"))
                #expect(try FileStatus(of: path("file")).permissions == permissions)
            }
            for name in ["folder", "fifo"] {
                #expect(throws: FileError.notAFile(try #require(kinds[name]))) {
                    _ = try folder.contents(of: name, limit: 9)
                }
            }
        }
    }

    @Test func `what is in the way of a name is told`() throws {
        try Self.inDirectory { directory in
            func path(_ name: String) -> String { "\(directory)/\(name)" }
            try File.write([1, 2, 3].span, toNew: path("file"))
            try Directory.create(path("folder"))
            #expect(mkfifo(path("fifo"), 0o640) == 0 && symlink("file", path("link")) == 0)
            let nouns = [
                FileStatus.Kind.regular, .directory, .symbolicLink, .fifo, .socket, .device,
            ].map(\.noun)
            #expect(
                nouns == [
                    "a file", "a directory", "a symbolic link", "a fifo", "a socket", "a device",
                ])
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
        }
    }

    /// Trees of files, counted by a plain walk; made by name, removed whole.
    @Test(arguments: 0..<4) func `a tree has the bytes of its files`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        try Self.inDirectory { directory in
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
}
