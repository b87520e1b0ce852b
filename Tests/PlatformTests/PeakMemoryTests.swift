import Platform
import Testing

struct PeakMemoryTests {
    @Test func `a peak is read from what the system says of the process`() {
        let status = "Name:\tcovey\nVmPeak:\t  900 kB\nVmHWM:\t  271120 kB\nVmRSS:\t  1 kB\n"
        #expect(PeakMemory.bytes(inStatus: status) == 271_120 * 1_024)
        #expect(PeakMemory.bytes(inStatus: "Name:\tcovey\n") == nil)
    }

    /// In a process of its own: the memory of other tests would hide what this one adds.
    @Test func `the peak holds what was in use at once, also when it is given back`() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            let before = PeakMemory.bytes
            var column = [UInt8](repeating: 1, count: 64 << 20)
            let during = PeakMemory.bytes
            column = []
            let after = PeakMemory.bytes
            print((during - before) >> 20, (after - during) >> 20, column.count)
        }
        let said = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let numbers = said.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        // Mebibytes; the kernel counts pages in batches.
        #expect(numbers.count == 3 && (62...100).contains(numbers[0]), "\(said)")
        #expect(numbers.count == 3 && (-1...8).contains(numbers[1]), "\(said)")
    }
}
