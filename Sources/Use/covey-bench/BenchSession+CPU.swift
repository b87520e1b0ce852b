import CLibrary

extension BenchSession {
    /// The median processor time in seconds of this thread for `runs` calls, after one that is not
    /// counted. Unlike the elapsed time, it does not depend on other work on the machine.
    func cpuSeconds(runs: Int = 5, _ body: () throws -> Void) rethrows -> Double {
        try body()
        var times: [Double] = []
        for _ in 0..<runs {
            let start = Self.time(of: CLOCK_THREAD_CPUTIME_ID)
            try body()
            times.append(Self.time(of: CLOCK_THREAD_CPUTIME_ID) - start)
        }
        return times.sorted()[runs / 2]
    }

    /// The processor time in seconds that all threads of this process have used: a busy machine affects it less
    /// than the clock.
    static var processTime: Double { time(of: CLOCK_PROCESS_CPUTIME_ID) }

    private static func time(of clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
