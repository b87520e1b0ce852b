import HTTP

/// The addresses of a server that listens on a host.
struct ServedAddresses {
    /// An address that works on this machine.
    let here: String
    /// Addresses that work from other machines, if the server listens on all.
    let elsewhere: [String]

    /// - Parameter machine: the addresses of this machine, looked up if the server listens on all.
    init(host: String, port: Int, machine: () -> [IPAddress] = { IPAddress.ofThisMachine }) {
        // These hosts mean all addresses; clients cannot connect to them.
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
