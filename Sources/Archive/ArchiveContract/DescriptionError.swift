import JSON

/// Why an archive's account of its clusters cannot be followed.
public enum DescriptionError: Error, Equatable, Sendable {
    /// Made by a later version of Covey, whose tables this one may misread.
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
