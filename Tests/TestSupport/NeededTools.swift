import Foundation

/// Tests that ask another program for its opinion are left out where it is not installed, but never
/// in silence: `scripts/test` sets `COVEY_TEST_STRICT`, and then they run, and fail.
public func runsTests(needing isInstalled: Bool) -> Bool {
    isInstalled || ProcessInfo.processInfo.environment["COVEY_TEST_STRICT"] != nil
}
