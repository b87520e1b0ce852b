import CLibrary
import Platform
import Testing

@Suite("The process")
struct ProcessTests {
    @Test("has at least one processor, and no more than there are")
    func processors() {
        let count = Process.processorCount
        #expect(count >= 1 && count <= sysconf(Int32(_SC_NPROCESSORS_CONF)))
    }

    /// An unexpected one would be taken for the child that another test waits for.
    @Test("launches a program, minds nothing of one that is not there, and keeps neither")
    func launching() throws {
        let path = "/tmp/covey-tests-\(Process.uniqueName)"
        Process.launch("sh", ["-c", "printf '%s:%s:' \"$1\" $$ > \"$0\"", path, "a b"])
        Process.launch("no-such-program", [])
        defer { try? File.remove(path) }
        var words: [Substring] = []
        for _ in 0..<500 {
            let bytes = try? File.contents(of: path, limit: 30)
            words = bytes.map { String(decoding: $0, as: UTF8.self) }?.split(separator: ":") ?? []
            if words.count == 2, let id = Int32(words[1]), !Process.isRunning(id) { break }
            usleep(10_000)
        }
        #expect(words.first == "a b")
        let id = try #require(words.last.flatMap { Int32($0) })
        #expect(!Process.isRunning(id))
    }
}
