import JSON

/// Why an archive's description of its clusters cannot be used.
public enum DescriptionError: Error, Equatable, Sendable {
    /// Written by a later version of Covey; this one may misread its tables.
    case newerFormat(Int64)
    case garbled(JSONError)
}

extension DescriptionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .newerFormat(let format):
            "its clusters have format \(format), and this version of covey reads formats up to "
                + "\(ClusterDescription.format); use a newer covey for them"
        case .garbled(let error):
            "the metadata row '\(ClusterDescription.rowName)' makes no sense: \(error)"
        }
    }
}
