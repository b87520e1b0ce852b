import CLibrary
import Foundation
import Platform
import Testing
import TileArchive

/// What an output may replace: a regular file, by the name of a link too, and nothing else.
struct OutputKindTests {
    let directory = try! TemporaryDirectory()

    private func write(to path: String) throws {
        var options = SinkOptions()
        options.replacesExisting = true
        try MBTilesWriter(to: path, options: options).finish(ArchiveMetadata(name: "new"))
    }

    @Test func `a link is written through, and stays a link`() throws {
        let (link, target) = (directory.file("link.mbtiles"), directory.file("sub/real.mbtiles"))
        try Directory.create(directory.file("sub"))
        try File.write([1].span, toNew: target)
        symlink("sub/real.mbtiles", link)
        try write(to: link)
        #expect(try FileStatus(of: link, followingLinks: false).kind == .symbolicLink)
        #expect(try Archive(path: target).metadata.name == "new")
        #expect(directory.names == ["link.mbtiles", "sub"])
        #expect(try Directory(directory.file("sub")).names() == ["real.mbtiles"])
    }

    @Test func `a link is an existing archive to who may not replace one`() throws {
        let (link, target) = (directory.file("link.mbtiles"), directory.file("real.mbtiles"))
        try File.write([1].span, toNew: target)
        symlink(target, link)
        #expect(throws: ArchiveError.exists(path: link)) { _ = try MBTilesWriter(to: link) }
        #expect(try File.contents(of: target, limit: 9) == [1])
    }

    @Test func `a link to nothing is refused by name`() throws {
        let link = directory.file("link.mbtiles")
        symlink("gone.mbtiles", link)
        let error = #expect(throws: ArchiveError.self) { try write(to: link) }
        #expect(
            error?.description.hasSuffix(
                "link.mbtiles: cannot be written: it is a link whose target cannot be used: "
                    + "No such file or directory") == true, "\(String(describing: error))")
        #expect(directory.names == ["link.mbtiles"])
    }

    @Test(arguments: ["a fifo", "a socket", "a device", "a directory"])
    func `what is no file is refused, though files may be replaced`(noun: String) throws {
        let path = directory.file("out.mbtiles")
        switch noun {
        case "a fifo": #expect(mkfifo(path, 0o600) == 0)
        case "a socket": #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
        // The numbers of a device that no machine has: opening it would fail. Who may not make one takes
        // one that is there.
        case "a device":
            if mknod(path, S_IFCHR | 0o600, 0xFEFE) != 0 { symlink("/dev/null", path) }
        default: try Directory.create(path)
        }
        #expect(throws: ArchiveError.cannotWrite(path: path, reason: "it is \(noun)")) {
            try write(to: path)
        }
        let link = directory.file("link.mbtiles")
        symlink(path, link)
        #expect(throws: ArchiveError.cannotWrite(path: link, reason: "it is \(noun)")) {
            try write(to: link)
        }
        #expect(directory.names == ["link.mbtiles", "out.mbtiles"])
    }

    @Test(arguments: [0o600, 0o664, 0o444] as [UInt32])
    func `what is replaced keeps its mode`(permissions: UInt32) throws {
        let path = directory.file("out.mbtiles")
        try File.write([1].span, toNew: path)
        try File.setPermissions(permissions, of: path)
        try write(to: path)
        #expect(try FileStatus(of: path).permissions == permissions)
        #expect(try Archive(path: path).metadata.name == "new")
    }
}
