import CLibrary

extension BenchSession {
    /// The median processor time in seconds of this thread for `runs` calls, after one that is not
    /// counted. Unlike the elapsed time, it does not depend on other work on the machine.
    func cpuSeconds(runs: Int = 5, _ body: () throws -> Void) rethrows -> Double {
        try body()
        var times: [Double] = []
        for _ in 0..<runs {
            let start = Self.cpuTime
            try body()
            times.append(Self.cpuTime - start)
        }
        return times.sorted()[runs / 2]
    }

    private static var cpuTime: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
