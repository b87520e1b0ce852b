import HTTP
import Testing

@testable import covey

/// What a server says of itself.
struct ServeWordsTests {
    @Test(arguments: [
        ("127.0.0.1", "serving 1 archive at http://127.0.0.1:80/"),
        ("::1", "serving 1 archive at http://[::1]:80/"),
        ("tiles.example.org", "serving 1 archive at http://tiles.example.org:80/"),
        (
            "0.0.0.0",
            "serving 1 archive at http://localhost:80/; from other machines http://10.0.0.7:80/"
        ),
        (
            "::",
            "serving 1 archive at http://localhost:80/; from other machines http://10.0.0.7:80/"
        ),
    ])
    func `the address that is shown works`(host: String, line: String) {
        let addresses = ServedAddresses(host: host, port: 80) { [IPAddress("10.0.0.7")!] }
        #expect(addresses.line(archives: 1) == line)
    }

    @Test func `a machine without a network is found on itself`() {
        let addresses = ServedAddresses(host: "0.0.0.0", port: 8080) { [] }
        #expect(addresses.line(archives: 2) == "serving 2 archives at http://localhost:8080/")
        #expect(addresses.here == "http://localhost:8080/")
    }
}
