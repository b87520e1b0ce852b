import Points
import Testing

@testable import Tileset

struct PeakMemoryTests {
    @Test func `a peak is read from what the system says of the process`() {
        let status = "Name:\tcovey\nVmPeak:\t  900 kB\nVmHWM:\t  271120 kB\nVmRSS:\t  1 kB\n"
        #expect(PeakMemory.bytes(inStatus: status) == 271_120 * 1_024)
        #expect(PeakMemory.bytes(inStatus: "Name:\tcovey\n") == nil)
    }

    @Test func `the peak holds all that was in use at once`() {
        let column = Column<UInt8>(repeating: 1, count: 48 << 20)
        #expect(PeakMemory.bytes > column.count)
    }
}
