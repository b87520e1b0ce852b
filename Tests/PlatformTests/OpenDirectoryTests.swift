import CLibrary
import Foundation
import Platform
import Testing

struct OpenDirectoryTests {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/covey-open-\(UUID().uuidString)"
        try Directory.create(path)
    }

    @Test func `nothing outside of a directory is reached by way of links in it`() throws {
        defer { try? Directory.removeTree(path) }
        try File.write([7].span, toNew: path + "/secret")
        try Directory.create(path + "/in")
        try Directory.create(path + "/out")
        try File.write([8].span, toNew: path + "/out/file")
        symlink("../secret", path + "/in/link")
        symlink("../out", path + "/in/folder")
        let inner = try OpenDirectory(path + "/in")
        #expect(throws: FileError.self) { _ = try inner.file(reading: "link") }
        #expect(throws: FileError.self) { _ = try inner.directory("folder") }
        #expect(try inner.status(of: "link").kind == .symbolicLink)
        #expect(Set(try inner.entries().map(\.name)) == ["link", "folder"])
        #expect(mkfifo(path + "/in/fifo", 0o600) == 0)
        #expect(throws: FileError.notAFile(.fifo)) { _ = try inner.file(reading: "fifo") }
    }

    @Test func `a directory that is locked stays so until what has locked it goes away`() throws {
        defer { try? Directory.removeTree(path) }
        func isLocked() -> Bool {
            let other = open(path, O_RDONLY)
            defer { close(other) }
            return flock(other, LOCK_EX | LOCK_NB) != 0
        }
        func lock() throws {
            let folder = try OpenDirectory(path)
            #expect(!isLocked())
            folder.waitForLock()
            #expect(isLocked())
            _ = try folder.entries()
        }
        try lock()
        #expect(!isLocked())
    }

    @Test func `a tree is removed without what its links lead to`() throws {
        try Directory.create(path + "/kept")
        try File.write([1].span, toNew: path + "/kept/file")
        try Directory.create(path + "/gone")
        try Directory.create(path + "/gone/deep")
        try File.write([1].span, toNew: path + "/gone/deep/file")
        symlink("../../kept", path + "/gone/deep/link")
        try Directory.removeTree(path + "/gone")
        #expect(try Directory(path).names() == ["kept"])
        #expect(try Directory(path + "/kept").names() == ["file"])
        UnfinishedFiles.discard(path + "/kept")
        UnfinishedFiles.discard(path + "/kept")
        #expect(try Directory(path).names().isEmpty)
        try Directory.remove(path)
    }

    @Test func `directories take each other's names, and empty ones give theirs up`() throws {
        defer { try? Directory.removeTree(path) }
        for name in ["a", "b", "empty"] { try Directory.create(path + "/" + name) }
        try File.write([1].span, toNew: path + "/a/one")
        try File.write([2].span, toNew: path + "/b/two")
        try Directory.exchange(path + "/a", path + "/b")
        #expect(try Directory(path + "/a").names() == ["two"])
        #expect(try Directory(path + "/b").names() == ["one"])
        let error = #expect(throws: FileError.self) {
            try Directory.rename(path + "/a", toNew: path + "/b")
        }
        #expect(error?.isTaken == true)
        try Directory.rename(path + "/a", toNew: path + "/empty")
        #expect(try Directory(path + "/empty").names() == ["two"])
        try Directory(path).synchronizeAll()
    }

    @Test func `a file is no directory, and what is opened is not handed on to other programs`()
        throws
    {
        defer { try? Directory.removeTree(path) }
        try File.write([1].span, toNew: path + "/file")
        #expect(throws: FileError.self) { try OpenDirectory(path + "/file") }
        #expect(throws: FileError.self) { try OpenDirectory(path).directory("file") }
        #if os(Linux)
            try Directory.create(path + "/inner")
            let folder = try OpenDirectory(path)
            let inner = try folder.directory("inner")
            var found = 0
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\(name)")
                guard target == path || target == path + "/inner", let number = Int32(name) else {
                    continue
                }
                found += 1
                #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
            }
            #expect(found == 2)
            _ = (try folder.entries(), try inner.entries())
        #endif
    }

    @Test func `a file that is larger than it may be is not read`() throws {
        defer { try? Directory.removeTree(path) }
        try File.write([1, 2, 3].span, toNew: path + "/three")
        let folder = try OpenDirectory(path)
        #expect(try folder.contents(of: "three", limit: 3) == [1, 2, 3])
        #expect(try folder.contents(of: "three", limit: 2) == nil)
    }
}
