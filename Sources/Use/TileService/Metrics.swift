import HTTP
import Synchronization

/// Counts of requests, for Prometheus.
package final class Metrics: Sendable {
    package enum Kind: String, CaseIterable {
        case asset, catalog, clusters, events, health, metrics, page, style, tile, tilejson, unknown
    }

    /// Upper bounds of the latency buckets, in seconds.
    private static let bounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1,
    ]

    private struct Series {
        var countByStatus: [Int: Int] = [:]
        var buckets = [Int](repeating: 0, count: bounds.count + 1)
        var seconds = 0.0
        var bytes = 0
    }

    private let series = Mutex([Series](repeating: Series(), count: Kind.allCases.count))
    private let start = Instant.now

    package init() {}

    package func record(_ kind: Kind, status: Status, seconds: Double, bytes: Int) {
        let index = kind.index
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        series.withLock { series in
            series[index].countByStatus[status.rawValue, default: 0] += 1
            series[index].buckets[bucket] += 1
            series[index].seconds += seconds
            series[index].bytes += bytes
        }
    }

    /// The text for Prometheus (its exposition format 0.0.4).
    /// - Parameter refusals: how many requests were refused before they came here, by status.
    package func text(
        gauges: [(name: String, help: String, value: Int)], refusals: [Int: Int] = [:]
    ) -> String {
        let series = series.withLock { $0 }
        var lines = Self.head("requests_total", "Requests by kind and status.", "counter")
        for kind in Kind.allCases {
            for (status, count) in series[kind.index].countByStatus.sorted(by: { $0.key < $1.key })
            {
                lines.append(
                    "covey_requests_total{kind=\"\(kind)\",status=\"\(status)\"} \(count)")
            }
        }
        for (status, count) in refusals.sorted(by: { $0.key < $1.key }) {
            lines.append("covey_requests_total{kind=\"refused\",status=\"\(status)\"} \(count)")
        }
        lines += Self.head("response_bytes_total", "Bytes of bodies by kind.", "counter")
        for kind in Kind.allCases {
            lines.append("covey_response_bytes_total{kind=\"\(kind)\"} \(series[kind.index].bytes)")
        }
        lines += histogram(series)
        for gauge in gauges + [
            ("uptime_seconds", "Since start.", Int(Instant.now.seconds(since: start)))
        ] {
            lines += Self.head(gauge.name, gauge.help, "gauge")
            lines.append("covey_\(gauge.name) \(gauge.value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func head(_ name: String, _ help: String, _ type: String) -> [String] {
        ["# HELP covey_\(name) \(help)", "# TYPE covey_\(name) \(type)"]
    }

    private func histogram(_ series: [Series]) -> [String] {
        var lines = Self.head(
            "request_seconds", "Time to make an answer, by kind.", "histogram")
        for kind in Kind.allCases {
            let one = series[kind.index]
            var total = 0
            for (count, bound) in zip(one.buckets, Self.bounds.map { "\($0)" } + ["+Inf"]) {
                total += count
                lines.append(
                    "covey_request_seconds_bucket{kind=\"\(kind)\",le=\"\(bound)\"} \(total)")
            }
            lines.append("covey_request_seconds_sum{kind=\"\(kind)\"} \(one.seconds)")
            lines.append("covey_request_seconds_count{kind=\"\(kind)\"} \(total)")
        }
        return lines
    }
}

extension Metrics.Kind {
    fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    init(_ route: Route?) {
        self =
            switch route {
            case .page: .page
            case .catalog: .catalog
            case .health: .health
            case .metrics: .metrics
            case .asset, .glyphs: .asset
            case .tileJSON: .tilejson
            case .style: .style
            case .tile: .tile
            case .cluster, .containing, .leaves: .clusters
            case .events: .events
            case nil: .unknown
            }
    }
}
