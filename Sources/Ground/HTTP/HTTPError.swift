import CLibrary
import Platform

/// Why a server cannot be started.
public enum HTTPError: Error, Equatable, Sendable {
    case unknownHost(String)
    case cannotListen(host: String, port: Int, code: Int32)
    case cannotStart(code: Int32)
}

extension HTTPError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownHost(let host):
            "\(host): no such host on this machine\nuse --host 127.0.0.1, or --host 0.0.0.0 for all"
        case .cannotListen(let host, let port, let code):
            "cannot listen on \(host), port \(port): \(FileError.words(for: code))"
                + (code == EADDRINUSE ? "\nanother program has it; use --port to take another" : "")
        case .cannotStart(let code):
            "the HTTP server does not start: \(FileError.words(for: code))"
        }
    }
}
