import CLibrary
import Platform
import Testing

@Suite("Files replaced whole")
struct ReplacingTests {
    private func inDirectory(_ body: (String) throws -> Void) throws {
        let path = "/tmp/covey-tests-\(Process.uniqueName)"
        try Directory.create(path)
        defer { try? Directory.removeTree(path) }
        try body(path)
    }

    @Test("a file that was there keeps its permissions, and a link what it is")
    func linked() throws {
        try inDirectory { directory in
            let (file, link) = ("\(directory)/a", "\(directory)/b")
            try File.replace(file, with: [1].span)
            try File.setPermissions(0o640, of: file)
            symlink("a", link)
            try File.replace(link, with: [2, 3].span)
            #expect(try File.contents(of: file, limit: 9) == [2, 3])
            #expect(try FileStatus(of: file).permissions == 0o640)
            #expect(try FileStatus(of: link, followingLinks: false).kind == .symbolicLink)
            #expect(try Directory(directory).names().sorted() == ["a", "b"])
        }
    }

    /// Only root may give files away.
    @Test("a file that is replaced keeps its owner and its group", .enabled(if: geteuid() == 0))
    func owned() throws {
        try inDirectory { directory in
            let file = "\(directory)/a"
            try File.replace(file, with: [1].span)
            try #require(chown(file, 4_321, 8_765) == 0)
            try File.setPermissions(0o6640, of: file)
            try File.replace(file, with: [2].span)
            var found = stat()
            try #require(stat(file, &found) == 0)
            #expect(found.st_uid == 4_321 && found.st_gid == 8_765)
            #expect(found.st_mode & 0o7777 == 0o6640)
        }
    }

    @Test("a device is written to, and stays")
    func device() throws {
        try File.replace("/dev/null", with: [1].span)
        #expect(try FileStatus(of: "/dev/null").kind == .device)
    }

    @Test("what can't be written leaves nothing behind")
    func refused() throws {
        try inDirectory { directory in
            #expect(throws: FileError.system(code: EISDIR)) {
                try File.replace(directory, with: [1].span)
            }
            #expect(throws: FileError.system(code: ENOENT)) {
                try File.replace("\(directory)/none/a", with: [1].span)
            }
            let left = try Directory(directory).names()
            #expect(left.isEmpty)
            #expect(File.isReadable(directory) && !File.isReadable("\(directory)/none"))
        }
    }
}
