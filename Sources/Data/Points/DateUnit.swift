/// How finely moments are told apart.
public enum DateUnit: String, CaseIterable, Sendable {
    case year, quarter, month, week, day, hour
}
