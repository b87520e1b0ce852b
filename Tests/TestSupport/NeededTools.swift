import Foundation

/// Tests that ask another program for its opinion are left out where it is not installed, but never
/// in silence: `scripts/test` sets `COVEY_TEST_STRICT`, and then they run, and fail.
public func runsTests(needing isInstalled: Bool) -> Bool {
    isInstalled || isStrict
}

/// Whether a test may end early for want of rights, which it then says; nothing may be left out where
/// `COVEY_TEST_STRICT` is set.
///
///     guard canMount else {
///         #expect(mayLeaveOut("mounting takes rights that this test has not"))
///         return
///     }
public func mayLeaveOut(_ reason: String) -> Bool {
    if !isStrict { print("skipped: \(reason)") }
    return !isStrict
}

private var isStrict: Bool { ProcessInfo.processInfo.environment["COVEY_TEST_STRICT"] != nil }
