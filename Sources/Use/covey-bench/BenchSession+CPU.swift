import CLibrary

extension BenchSession {
    /// The median time in seconds that this thread spends computing in `runs` calls, after one that
    /// is not counted. Unlike the time that passes, it does not depend on who else is at work.
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
