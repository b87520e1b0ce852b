import Platform

/// The user's browser.
enum Browser {
    /// Opens a page, if there is a screen; does not wait for the browser.
    static func open(_ address: String) {
        #if os(macOS)
            Process.launch("open", [address])
        #else
            let screens = ["DISPLAY", "WAYLAND_DISPLAY"]
            guard screens.contains(where: { Process.variable($0) != nil }) else { return }
            Process.launch("xdg-open", [address])
        #endif
    }
}
