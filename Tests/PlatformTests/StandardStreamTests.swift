import Foundation
import Platform
import Testing

/// The streams that a program is started with, where they were closed.
struct StandardStreamTests {
    @Test func `closed streams are opened so that nothing takes their numbers, and fail`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            for number: Int32 in 0...2 { close(number) }
            StandardStream.openClosed()
            let next = open("/dev/null", O_RDONLY)
            let failures = [StandardStream.output, .errors].map { stream in
                do throws(FileError) {
                    try stream.write([1].span)
                    return false
                } catch {
                    return error == .system(code: EBADF)
                }
            }
            var byte: UInt8 = 0
            exit(next > 2 && failures == [true, true] && read(0, &byte, 1) < 0 ? 7 : 1)
        }
    }

    @Test func `streams that are open stay what they are`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var pipe: [Int32] = [0, 0]
            guard Glibc.pipe(&pipe) == 0, dup2(pipe[1], 1) == 1 else { exit(1) }
            StandardStream.openClosed()
            try StandardStream.output.write([65, 66].span)
            var bytes: [UInt8] = [0, 0]
            exit(read(pipe[0], &bytes, 2) == 2 && bytes == [65, 66] ? 7 : 1)
        }
    }

    @Test func `a pipe that does not wait is waited for`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var pipe: [Int32] = [0, 0]
            guard Glibc.pipe(&pipe) == 0, dup2(pipe[1], 1) == 1 else { exit(1) }
            _ = fcntl(1, F_SETFL, O_NONBLOCK)
            let end = pipe[0]
            let reader = Thread {
                usleep(20_000)
                var bytes = [UInt8](repeating: 0, count: 1 << 16)
                var count = 0
                while count < 300_000 { count += read(end, &bytes, bytes.count) }
                exit(7)
            }
            reader.start()
            try StandardStream.output.write([UInt8](repeating: 1, count: 300_000).span)
            sleep(5)
            exit(1)
        }
    }
}
