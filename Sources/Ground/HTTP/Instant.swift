import CLibrary

/// A moment of the monotonic clock, small enough for an atomic.
public struct Instant: Comparable, Sendable {
    let nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    public static var now: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(
            nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

    public func advanced(bySeconds seconds: Int) -> Instant {
        Instant(nanoseconds: nanoseconds + UInt64(seconds) * 1_000_000_000)
    }

    /// How long ago `earlier` was, in seconds.
    public func seconds(since earlier: Instant) -> Double {
        Double(nanoseconds - min(earlier.nanoseconds, nanoseconds)) / 1e9
    }
}
