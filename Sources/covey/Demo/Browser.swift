import Foundation

/// The browser of whoever sits before the machine.
enum Browser {
    /// Shows a page, if there is a screen to show it on; whether that comes about is not waited for.
    static func open(_ address: String) {
        #if os(macOS)
            let opener = "open"
        #else
            let opener = "xdg-open"
            let screens = ["DISPLAY", "WAYLAND_DISPLAY"]
            let environment = ProcessInfo.processInfo.environment
            guard screens.contains(where: { environment[$0] != nil }) else { return }
        #endif
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [opener, address]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
    }
}
