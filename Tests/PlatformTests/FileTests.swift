import CLibrary
import Platform
import Testing

@Suite("Files")
struct FileTests {
    private func inDirectory(_ body: (String) throws -> Void) throws {
        let path = "/tmp/covey-tests-\(Process.uniqueName)"
        try Directory.create(path)
        defer {
            for name in (try? Directory(path).names()) ?? [] { try? File.remove("\(path)/\(name)") }
            try? Directory.remove(path)
        }
        try body(path)
    }

    @Test("gives back the bytes that were written, whole or up to a count or a limit")
    func roundTrip() throws {
        try inDirectory { directory in
            let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let path = "\(directory)/a"
            try File.write(bytes.span, toNew: path)
            #expect(try File.contents(of: path, limit: 200_000) == bytes)
            #expect(try File.contents(of: path, limit: 199_999) == nil)
            #expect(try File(reading: path).bytes(upTo: 70_000) == Array(bytes[..<70_000]))
            #expect(try FileStatus(of: path).size == 200_000)
            var buffer = [UInt8](repeating: 0, count: 10)
            let count = try buffer.withUnsafeMutableBytes {
                try File(reading: path).read(into: $0, at: 199_995)
            }
            #expect(count == 5 && Array(buffer[..<5]) == Array(bytes[199_995...]))
            #expect(throws: FileError.system(code: EINVAL)) {
                try buffer.withUnsafeMutableBytes { try File(reading: path).read(into: $0, at: -1) }
            }
        }
    }

    @Test("makes no file where there is one, and says so")
    func taken() throws {
        try inDirectory { directory in
            try File.write([1, 2].span, toNew: "\(directory)/a")
            #expect(throws: FileError.system(code: EEXIST)) {
                try File.write([3].span, toNew: "\(directory)/a")
            }
            #expect(FileError.system(code: EEXIST).isTaken)
            #expect(try File.contents(of: "\(directory)/a", limit: 9) == [1, 2])
        }
    }

    @Test("tells a file by its identity, whatever its name is")
    func identity() throws {
        try inDirectory { directory in
            let (a, b) = ("\(directory)/a", "\(directory)/b")
            try File.write([1].span, toNew: a)
            try File.link(a, as: b)
            #expect(try FileStatus(of: a).identity == FileStatus(of: b).identity)
            symlink(a, "\(directory)/c")
            #expect(try FileStatus(of: "\(directory)/c").identity == FileStatus(of: a).identity)
            let link = try FileStatus(of: "\(directory)/c", followingLinks: false)
            #expect(link.kind == .symbolicLink)
            try File.remove(b)
            try File.write([1].span, toNew: b)
            #expect(try FileStatus(of: a).identity != FileStatus(of: b).identity)
            try File.rename(b, to: a)
            #expect(throws: FileError.system(code: ENOENT)) { try FileStatus(of: b) }
            #expect(try Set(Directory(directory).names()) == ["a", "c"])
        }
    }

    @Test("opens a fifo without waiting for its writer, and as a regular file not at all")
    func fifo() throws {
        try inDirectory { directory in
            let path = "\(directory)/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            #expect(throws: FileError.notAFile(.fifo)) {
                _ = try File(readingRegular: path).status()
            }
            #expect(throws: FileError.notAFile(.directory)) {
                _ = try File(readingRegular: directory).status()
            }
            #expect(FileError.notAFile(.fifo).description == "it is a fifo, not a file")
            let reader = try File(reading: path)
            #expect(try !reader.waitUntilReadable(milliseconds: 0))
            do {
                let writer = try File(writing: path)
                #expect(try !reader.waitUntilReadable(milliseconds: 0))
                try writer.write([7, 8].span)
                #expect(try reader.waitUntilReadable(milliseconds: 0))
                #expect(try reader.bytes(upTo: 2) == [7, 8])
            }
            #expect(try reader.waitUntilReadable(milliseconds: 0))
            #expect(try reader.bytes(upTo: 2) == [])
        }
    }

    @Test("keeps a temporary file to this user, and only as long as its owner does")
    func temporary() throws {
        var path = ""
        do {
            var file = try TemporaryFile(in: "/tmp")
            path = file.path
            #expect(try FileStatus(of: path).permissions == 0o600)
            try file.append([1, 2, 3].span)
            try file.append([4].span)
            #expect(file.count == 4)
            #expect(try File.contents(of: path, limit: 9) == [1, 2, 3, 4])
        }
        #expect(throws: FileError.system(code: ENOENT)) { try FileStatus(of: path) }
        let unnamed = try TemporaryFile(in: "/tmp", isNamed: false)
        #expect(throws: FileError.system(code: ENOENT)) { try FileStatus(of: unnamed.path) }
        #expect(throws: FileError.system(code: ENOENT)) {
            _ = try TemporaryFile(in: "/nowhere").count
        }
    }

    @Test("sweeps what is unfinished, and not what was published or removed")
    func sweep() async throws {
        let directory = "/tmp/covey-tests-\(Process.uniqueName)"
        try Directory.create(directory)
        defer { try? Directory.remove(directory) }
        await #expect(processExitsWith: .exitCode(7)) { [directory = directory as String] in
            let names = ["open", "published", "removed"].map { "\(directory)/\($0)" }
            for name in names {
                _ = try UnfinishedFiles.begin(name) { () throws(FileError) in
                    try File(creating: name)
                }
            }
            var file = try TemporaryFile(in: directory)
            try file.append([1].span)
            try UnfinishedFiles.publish(names[1]) { () throws(FileError) in
                try File.rename(names[1], to: "\(directory)/whole")
            }
            UnfinishedFiles.remove(names[2])
            try File.write([1].span, toNew: names[2])
            // A name that could not be taken is not to be removed.
            try File.write([1].span, toNew: "\(directory)/others")
            _ = try? UnfinishedFiles.begin("\(directory)/others") { () throws(FileError) in
                try File(creating: "\(directory)/others")
            }
            try #require(Directory(directory).names().count == 5)
            UnfinishedFiles.sweep { isAnyPublished in exit(isAnyPublished ? 7 : 8) }
        }
        let left = try Directory(directory).names()
        #expect(Set(left) == ["whole", "removed", "others"])
        for name in left { try File.remove("\(directory)/\(name)") }
    }

    @Test("splits a path into directory and name")
    func split() {
        #expect(Directory.split("a") == (".", "a"))
        #expect(Directory.split("/a") == ("/", "a"))
        #expect(Directory.split("x/y/a") == ("x/y", "a"))
        #expect(Directory.split("x/") == ("x", ""))
    }

    @Test("says a full disk in the system's words")
    func fullDisk() throws {
        // A device that is always full.
        #expect(throws: FileError.system(code: ENOSPC)) {
            try File(writing: "/dev/full").write([1].span)
        }
        #expect(throws: FileError.system(code: ENOSPC)) {
            try File(writing: "/dev/full").write([1, 2].span, at: 7)
        }
        #expect(FileError.system(code: ENOSPC).isDiskFull)
        #expect(!FileError.system(code: EIO).isDiskFull)
        #expect(FileError.system(code: ENOSPC).description == "No space left on device")
    }

    @Test("knows which processes run")
    func processes() {
        #expect(Process.isRunning(Process.id))
        #expect(Process.isRunning(1))
        #expect(!Process.isRunning(0))
        #expect(!Process.isRunning(.max))
    }
}
