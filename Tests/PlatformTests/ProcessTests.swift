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

    @Test("launches a program, and minds nothing of one that is not there")
    func launching() throws {
        let path = try TemporaryFile(in: "/tmp").path
        Process.launch("sh", ["-c", "printf '%s' \"$1\" > \"$0\"", path, "a b"])
        Process.launch("no-such-program", [])
        defer { try? File.remove(path) }
        for _ in 0..<200 {
            if let bytes = try? File.contents(of: path, limit: 9), bytes == Array("a b".utf8) {
                return
            }
            usleep(10_000)
        }
        Issue.record("the program did not run")
    }
}
