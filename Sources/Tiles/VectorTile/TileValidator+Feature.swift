extension TileValidator {
    /// Checks the content of a feature (MVT 4.2 to 4.4).
    mutating func check(_ feature: borrowing FeatureView, version: UInt32) throws(TileError) {
        try checkTags(of: feature)
        if !feature.statesType { add(.missingType, feature) }
        if feature.hasRepeatedField { add(.repeatedField, feature) }
        // Nearly all features here are single points; the rules of other geometries take longer.
        guard feature.point == nil else { return }
        switch try feature.geometry() {
        case .points, .unknown: break
        case .lines(let lines): checkSteps(of: lines, feature)
        case .rings(let rings):
            checkSteps(of: rings, feature)
            for rule in RingCheck.brokenRules(of: rings, version: version) { add(rule, feature) }
        }
    }

    /// Checks that a feature has each key once (MVT 4.4).
    private mutating func checkTags(of feature: borrowing FeatureView) throws(TileError) {
        var cursor = feature.tags()
        // Few features have more than 64 keys, or a key past the 64th: those take the slow path.
        var met: UInt64 = 0
        var more: Set<Int> = []
        while let tag = try cursor.next() {
            let isNew: Bool
            if tag.key < 64 {
                isNew = met & (1 << UInt64(tag.key)) == 0
                met |= 1 << UInt64(tag.key)
            } else {
                isNew = more.insert(tag.key).inserted
            }
            if !isNew { add(.duplicateTagKey, feature) }
        }
    }

    /// Checks that every LineTo moves the cursor (MVT 4.3.3.2).
    private mutating func checkSteps(of paths: [[TilePoint]], _ feature: borrowing FeatureView) {
        let standsStill = paths.contains { path in
            zip(path, path.dropFirst()).contains { $0 == $1 }
        }
        if standsStill { add(.zeroLengthLine, feature) }
    }
}
