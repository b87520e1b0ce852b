import JSON

extension ClusterDescription {
    /// A breakdown of each cluster's points by value: which count is where in the text that clusters carry
    /// (docs/facets.md).
    public struct Facet: Equatable, Sendable {
        public var name: String
        /// The attribute of clusters that has the text.
        public var attribute: String
        /// Whether counts along the last axis are running totals.
        public var isRunning = false
        /// The attribute that is summed up; nil if points are counted.
        public var sum: String?
        public var axes: [Axis]

        public struct Axis: Equatable, Sendable {
            /// The attribute of points that has the value.
            public var attribute: String
            /// If the attribute is a label of moments: the attribute that it was made of, the unit, and the zone
            /// if it is not UTC.
            public var source: String?
            public var unit: String?
            public var zone: String?
            /// The breaks, if the values are ranges of numbers between them.
            public var breaks: [Double]?
            public var values: [String]
            /// Whether points have them as numbers.
            public var areNumbers = false
            /// How many other values share the count after those.
            public var otherValues = 0
            /// Whether the last count is for points without a value.
            public var hasNone = false

            public init(attribute: String, values: [String]) {
                self.attribute = attribute
                self.values = values
            }

            public var count: Int { values.count + (otherValues > 0 ? 1 : 0) + (hasNone ? 1 : 0) }
        }

        public init(name: String, attribute: String, axes: [Axis]) {
            self.name = name
            self.attribute = attribute
            self.axes = axes
        }

        public var count: Int { axes.reduce(1) { $0 * $1.count } }

        /// The most counts that an archive has.
        static let mostCounts = 1_024
    }
}

extension ClusterDescription.Facet {
    public var json: JSONValue {
        var object: JSONObject = ["name": .string(name), "attribute": .string(attribute)]
        if isRunning { object["running"] = true }
        object["sum"] = sum.map(JSONValue.string)
        object["axes"] = .array(axes.map(\.json))
        return .object(object)
    }

    public init(_ node: JSONNode) throws(JSONError) {
        let axes = try node.required("axes").elements.map { axis throws(JSONError) in try Axis(axis)
        }
        self.init(
            name: try node.required("name").string,
            attribute: try node.required("attribute").string, axes: axes)
        isRunning = try node.member("running")?.bool ?? false
        sum = try node.member("sum")?.string
        guard (1...2).contains(axes.count), axes.allSatisfy({ $0.count <= Self.mostCounts }),
            count <= Self.mostCounts
        else { throw node.wrong("a facet of at most \(Self.mostCounts) counts") }
    }
}

extension ClusterDescription.Facet.Axis {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["attribute": .string(attribute)]
        object["of"] = source.map(JSONValue.string)
        object["unit"] = unit.map(JSONValue.string)
        object["zone"] = zone.map(JSONValue.string)
        object["breaks"] = breaks.map { .array($0.map(JSONValue.init(canonical:))) }
        object["values"] = .array(values.map(JSONValue.string))
        if areNumbers { object["numbers"] = true }
        if otherValues > 0 { object["other"] = .integer(Int64(otherValues)) }
        if hasNone { object["none"] = true }
        return .object(object)
    }

    fileprivate init(_ node: JSONNode) throws(JSONError) {
        values = try node.required("values").elements.map { value throws(JSONError) in
            try value.string
        }
        areNumbers = try node.member("numbers")?.bool ?? false
        attribute = try node.required("attribute").string
        source = try node.member("of")?.string
        unit = try node.member("unit")?.string
        zone = try node.member("zone")?.string
        breaks = try node.member("breaks")?.elements.map { number throws(JSONError) in
            try number.number
        }
        otherValues = Int(clamping: try node.member(.otherValues) ?? 0)
        hasNone = try node.member("none")?.bool ?? false
    }
}
