import Foundation

/// What the program runs on.
enum Machine {
    static var processorCount: Int { ProcessInfo.processInfo.activeProcessorCount }
}
