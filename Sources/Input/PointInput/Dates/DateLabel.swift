import Points

/// An attribute derived from another: its year, month, …, as a text that sorts by time.
public struct DateLabel: Equatable, Sendable {
    public var name: String
    /// The attribute with the moment: ISO 8601, or a number of seconds or milliseconds since 1970.
    public var attribute: String
    public var unit: DateUnit
    /// The zone of the days; nil is UTC. A moment without a zone is used as it is.
    public var zone: String?

    public init(name: String, attribute: String, unit: DateUnit, zone: String? = nil) {
        self.name = name
        self.attribute = attribute
        self.unit = unit
        self.zone = zone
    }
}

/// Makes the labels of one `DateLabel`.
public struct DateLabeller: Sendable {
    private let unit: DateUnit
    private var zone: ZoneClock?
    /// The labels of recent days or hours; it is cleared when it is full.
    private var known: [Int: String] = [:]
    private static let mostKnown = 1 << 14

    public init(_ label: DateLabel) {
        unit = label.unit
        zone = label.zone.flatMap { try? ZoneTable.named($0) }.map(ZoneClock.init)
    }

    /// The label of a value; nil if it is not a moment, or not precise enough.
    public mutating func label(of value: borrowing PackedValue) -> String? {
        if let utf8 = value.utf8 {
            guard let moment = MomentText(utf8), moment.isFine(enough: unit) else { return nil }
            guard let offset = moment.offset else { return label(local: moment.seconds) }
            return label(utc: moment.seconds - offset)
        }
        guard let number = value.number, number.magnitude < 1e15 else { return nil }
        // As seconds, the number would be past the year 5138.
        return label(utc: Int((number.magnitude < 1e11 ? number : number / 1_000).rounded(.down)))
    }

    private mutating func label(utc seconds: Int) -> String? {
        label(local: seconds + (zone?.offset(at: seconds) ?? 0))
    }

    private mutating func label(local seconds: Int) -> String? {
        let count = seconds.floored(by: unit == .hour ? 3_600 : 86_400)
        if let text = known[count] { return text }
        guard let text = text(count) else { return nil }
        if known.count == Self.mostKnown { known.removeAll() }
        known[count] = text
        return text
    }

    /// - Parameter count: the number of days since 1970, or of hours.
    private func text(_ count: Int) -> String? {
        let days = unit == .hour ? count.floored(by: 24) : count
        let day = CalendarDay(days: days)
        guard (0...9_999).contains(day.year) else { return nil }
        let year = day.year.padded(to: 4)
        switch unit {
        case .year: return year
        case .quarter: return "\(year)-Q\((day.month + 2) / 3)"
        case .month: return "\(year)-\(day.month.padded(to: 2))"
        case .week:
            let week = CalendarDay.week(days: days)
            guard (0...9_999).contains(week.year) else { return nil }
            return "\(week.year.padded(to: 4))-W\(week.week.padded(to: 2))"
        case .day, .hour:
            return unit == .day ? day.text : "\(day.text)T\((count - 24 * days).padded(to: 2))"
        }
    }
}

/// The numbers that were taken for moments.
struct NumbersSeen: Equatable, Sendable {
    var count = 0
    /// Those within the year 1970, in which years and days written as numbers are.
    var early = 0

    mutating func take(_ number: Double) {
        count += 1
        if number >= 0, number < 31_536_000 { early += 1 }
    }

    mutating func add(_ other: Self) {
        count += other.count
        early += other.early
    }

    /// - Parameter name: the attribute with these values.
    func note(on name: String) -> String? {
        guard early > 0, early == count else { return nil }
        return
            "the numbers of \(name) are seconds since 1970, and all within that year; years are read from texts "
            + "(--type \(name):text), and days as 2024-02-29"
    }
}

/// A label that a builder adds to its records.
struct LabelledAttribute {
    let name: String
    let key: AttributeKey
    let source: AttributeKey
    var labeller: DateLabeller
    /// The attribute that it is made of.
    let attribute: String
    /// The numbers among its values.
    var numbers = NumbersSeen()

    init(_ label: DateLabel, _ keys: AttributeKeys) {
        name = label.name
        attribute = label.attribute
        key = keys.intern(label.name)
        source = keys.intern(label.attribute)
        labeller = DateLabeller(label)
    }
}

extension PointBuilder {
    /// Adds the requested labels to the record; each replaces an attribute of the same name.
    mutating func addLabels() {
        for index in labels.indices {
            let (key, source) = (labels[index].key, labels[index].source)
            if removeOwn(key) { report.givenWay[labels[index].name, default: 0] += 1 }
            let text = batch.withUnfinishedRecord { record -> String? in
                guard let value = record.value(of: source) else { return nil }
                if let number = value.number { labels[index].numbers.take(number) }
                return labels[index].labeller.label(of: value)
            }
            if let text { batch.records.append(key, text: text) }
        }
    }
}
