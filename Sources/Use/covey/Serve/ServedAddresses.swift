import HTTP

/// Where a server that listens on a host is found.
struct ServedAddresses {
    /// An address that works on this machine.
    let here: String
    /// Those that work from others, where the server listens to all.
    let elsewhere: [String]

    /// - Parameter machine: the addresses of this machine, looked up where it listens to all.
    init(host: String, port: Int, machine: () -> [IPAddress] = { IPAddress.ofThisMachine }) {
        // To listen on these means on all addresses; no client can be sent there.
        let isEverywhere = ["0.0.0.0", "::", "0:0:0:0:0:0:0:0"].contains(host)
        let shown = host.contains(":") ? "[\(host)]" : host
        here = "http://\(isEverywhere ? "localhost" : shown):\(port)/"
        elsewhere = isEverywhere ? machine().map { "http://\($0):\(port)/" } : []
    }

    func line(archives count: Int) -> String {
        let archives = count == 1 ? "1 archive" : "\(count) archives"
        let others =
            elsewhere.isEmpty ? "" : "; from other machines " + elsewhere.joined(separator: " or ")
        return "serving \(archives) at \(here)\(others)"
    }
}
