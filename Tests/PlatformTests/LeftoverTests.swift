import Foundation
import Platform
import Testing

/// What killed programs leave in a directory for temporary files, and what clears it away.
struct LeftoverTests {
    /// A directory of the test's own.
    final class Place: Sendable {
        let path = "/tmp/covey-tests-\(Platform.Process.uniqueName)"
        init() throws { try Directory.create(path) }
        deinit { try? Directory.removeTree(path) }
        var names: [String] { (try? Directory(path).names().sorted()) ?? [] }
    }

    /// Makes a temporary file and a folder with something in it, and is killed.
    private func leave(in place: Place) async {
        let path = place.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let file = try TemporaryFile(in: path)
            let folder = try TemporaryFolder(in: path)
            try Directory.create("\(folder.path)/inner")
            try File.write([1].span, toNew: "\(folder.path)/inner/a")
            kill(getpid(), SIGKILL)
            _ = file.count
        }
    }

    @Test func `what a killed program left goes, and what is in use stays`() async throws {
        let place = try Place()
        let file = try TemporaryFile(in: place.path)
        let folder = try TemporaryFolder(in: place.path)
        await leave(in: place)
        #expect(place.names.count == 4)
        TemporaryFile.removeLeftovers(in: place.path)
        let kept = [file.path, folder.path].map { Directory.split($0).name }
        #expect(place.names == kept.sorted())
    }

    @Test func `only this user may read a temporary folder`() throws {
        let place = try Place()
        let folder = try TemporaryFolder(in: place.path)
        #expect(try FileStatus(of: folder.path).permissions == 0o700)
    }

    @Test func `the number of a process that runs again protects nothing`() throws {
        let place = try Place()
        try Directory.create("\(place.path)/covey-temporary-\(getpid())-0123456789abc")
        TemporaryFile.removeLeftovers(in: place.path)
        #expect(place.names.isEmpty)
    }

    @Test func `no link is followed, and nothing goes that is called otherwise`() throws {
        let (place, other) = (try Place(), try Place())
        try File.write([1].span, toNew: "\(other.path)/precious")
        let x = "covey-temporary-1073741824-0123456789abc"
        try FileManager.default.createSymbolicLink(
            atPath: "\(place.path)/\(x)", withDestinationPath: other.path)
        let names = [
            "covey-temporary-2024-backup", "covey-temporary-x-0123456789abc",
            "covey-1-0123456789abc",
            "covey-temporary-1-0123456789ab%", ".\(x)", "\(x).csv",
        ]
        for name in names { try Directory.create("\(place.path)/\(name)") }
        try Directory.create("\(place.path)/covey-temporary-9-0123456789abc")
        try FileManager.default.createSymbolicLink(
            atPath: "\(place.path)/covey-temporary-9-0123456789abc/in",
            withDestinationPath: other.path)
        TemporaryFile.removeLeftovers(in: place.path)
        #expect(place.names == (names + [x]).sorted())
        #expect(other.names == ["precious"])
    }

    @Test func `a lock that is shared stands against those alone that want all for themselves`()
        throws
    {
        let path = NSTemporaryDirectory() + "covey-lock-\(UUID().uuidString)"
        try File.write([1].span, toNew: path)
        defer { unlink(path) }
        for (first, second, isHad) in [
            (false, false, true), (false, true, false), (true, false, false), (true, true, false),
        ] {
            let one = try File(readingRegular: path)
            let other = try File(readingRegular: path)
            let isFirst = one.lock(exclusively: first)
            let isSecond = other.lock(exclusively: second)
            #expect(isFirst && isSecond == isHad)
            // The first is held until here.
            _ = try one.status()
        }
    }

    @Test func `a folder goes with its owner`() throws {
        let place = try Place()
        do {
            let folder = try TemporaryFolder(in: place.path)
            #expect(place.names == [Directory.split(folder.path).name])
        }
        #expect(place.names.isEmpty)
        #expect(throws: FileError.system(code: ENOENT)) {
            _ = try TemporaryFolder(in: "/nowhere").path
        }
    }
}
