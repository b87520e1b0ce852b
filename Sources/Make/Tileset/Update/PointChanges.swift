import Expressions
import Points

/// The changes to the points of a layer: some are replaced, some removed, some added.
struct PointChanges {
    /// The number of points for each kind of change.
    struct Tally: Equatable, Sendable {
        var added = 0
        var replaced = 0
        var removed = 0
        /// Deletions of points that are not there.
        var unknown = 0
        /// Records with the mark of deletions.
        var marked = 0
        /// Records of points of which a later record says something else.
        var superseded = 0
        /// Records of points that an expression removes at once.
        var leaving = 0
    }

    /// A change of the point with a key. If there are several, the last counts.
    private struct Change {
        /// The row of its new form; nil if it is removed.
        var row: UInt32?
        /// Whether to count it as unknown if there is no such point.
        var isTold = true
        /// Whether `leaves` is true of its new form.
        var leaves = false
        var isDone = false
    }

    private let identity: PointIdentity
    private let layer: String
    private let changed: PointTable
    private let leaves: BoundExpression?
    private var changes: [PointKey: Change] = [:]
    /// Rows of points without keys.
    private var keyless: [UInt32] = []
    private var hasMetKeys = false
    private var hasMetPoints = false
    private(set) var tally = Tally()
    /// Whether `leaves` is true of any point that was there, and of how many changes without keys.
    private var hasMetLeaving = false
    private var keylessLeaving = 0

    /// - Parameters:
    ///   - changed: points that are added or replaced, and removals.
    ///   - deletions: the keys of points to remove.
    ///   - leaves: an expression that is true of points to remove.
    init(
        _ changed: PointTable, deletions: [PointKey], leaves: BoundExpression?,
        by identity: PointIdentity,
        layer: String
    ) {
        self.changed = changed
        self.identity = identity
        self.layer = layer
        self.leaves = leaves
        for key in deletions { changes[key] = Change() }
        for row in 0..<changed.count {
            let removal = changed.removal(at: row)
            let goes = removal == nil && changed.matches(leaves, at: row)
            let stays = removal == nil && !goes
            if removal == .asked { tally.marked += 1 }
            guard let key = changed.key(of: row, by: identity) else {
                if removal == .asked { tally.unknown += 1 }
                if stays { keyless.append(UInt32(row)) }
                if goes { keylessLeaving += 1 }
                continue
            }
            if let former = changes[key], former.row != nil || former.leaves {
                tally.superseded += 1
            }
            changes[key] = Change(
                row: stays ? UInt32(row) : nil, isTold: removal == .asked, leaves: goes)
        }
    }

    /// The numbers by which points of the changed keys are found in `PartKeys`.
    var marks: Set<UInt32> { Set(changes.keys.map(\.mark)) }

    /// Whether any point may be removed, whatever its key.
    var mayConcernAny: Bool { leaves != nil }

    /// Notes that there are points, and whether some have keys.
    mutating func meetPoints(withKeys: Bool) {
        hasMetPoints = true
        if withKeys { hasMetKeys = true }
    }

    /// The new points of a block; nil if they are unchanged.
    mutating func apply(to block: PointTable) throws(UpdateError) -> PointTable? {
        if block.count > 0 { hasMetPoints = true }
        var result = PointTable(keys: block.attributes.keys)
        var (kept, isChanged): ([UInt32], Bool) = ([], false)
        func take(_ rows: inout [UInt32], _ result: inout PointTable) {
            guard !rows.isEmpty else { return }
            result.append(rows.span, of: block)
            rows.removeAll(keepingCapacity: true)
        }
        for row in 0..<block.count {
            guard let change = try change(of: row, in: block) else {
                kept.append(UInt32(row))
                continue
            }
            isChanged = true
            guard let new = change.row else { continue }
            take(&kept, &result)
            result.append([new].span, of: changed)
        }
        guard isChanged else { return nil }
        take(&kept, &result)
        return result
    }

    /// What may be wrong with the changes.
    var warnings: [String] {
        let told = changes.values.filter { $0.row == nil && $0.isTold }
        let isVain = !told.isEmpty && !told.contains(where: \.isDone)
        return [warning, isVain ? "none of the points to remove is there" : nil]
            .compactMap(\.self)
    }

    /// What to say about changes that add points which may be there already.
    private var warning: String? {
        func without(_ name: String, _ which: String) -> String {
            let others = changed.attributes.keys.names.filter { $0 != name }
            return "--key \(name): \(which), so all of these are new points"
                + others.hint(for: name)
        }
        switch identity {
        case .attribute(let name) where hasMetPoints && !hasMetKeys && tally.added > keyless.count:
            return without(name, "no point had it before")
        case .attribute(let name) where !keyless.isEmpty && keyless.count == changed.count:
            return without(name, "no change has it")
        case .id, .ids:
            if keyless.isEmpty || keyless.count < changed.count { return nil }
            return "no change has an id, so all of these are new points; "
                + "--key names an attribute that tells points apart"
        default: return nil
        }
    }

    /// What to say about an expression that does nothing, or removes points that were just given.
    var notes: [String] {
        let count = tally.leaving
        if count > 0 {
            return [
                "--delete-where: it is true of \(count) of the changes, "
                    + "so \(count == 1 ? "this point is" : "these points are") not in the archive"
            ]
        }
        return leaves == nil || hasMetLeaving ? [] : ["--delete-where: no point matches it"]
    }

    /// The change of a point; nil if it is unchanged.
    private mutating func change(
        of row: Int, in block: PointTable
    ) throws(UpdateError) -> Change? {
        if !changes.isEmpty, let key = block.key(of: row, by: identity) {
            hasMetKeys = true
            if let change = changes[key] {
                guard !change.isDone else {
                    throw .twoPoints(key: "\(key)", identity: identity, layer: layer)
                }
                changes[key]?.isDone = true
                if change.row == nil { tally.removed += 1 } else { tally.replaced += 1 }
                return change
            }
        }
        guard block.matches(leaves, at: row) else { return nil }
        tally.removed += 1
        hasMetLeaving = true
        return Change()
    }

    /// The points to add, in the order in which they were given.
    mutating func finish() throws(UpdateError) -> PointTable {
        let isMeantForAny = changes.contains { $0.value.row == nil && $0.value.isTold }
        if isMeantForAny, hasMetPoints, !hasMetKeys {
            throw .noKeys(identity: identity, layer: layer)
        }
        if case .attribute(let name) = identity {
            // A key that no point had may come with the changes.
            if changed.count > 0, changed.attributes.keys.key(named: name) == nil {
                throw .noKeys(identity: identity, layer: layer)
            }
        } else if changes.isEmpty,
            keyless.contains(where: { changed.attributes.value(of: "id", row: Int($0)) != nil })
        {
            throw .idsAreAttributes(layer: layer)
        }
        var rows = keyless
        for change in changes.values where !change.isDone {
            if let row = change.row {
                rows.append(row)
            } else if change.isTold {
                tally.unknown += 1
            }
        }
        tally.added += rows.count
        tally.leaving = keylessLeaving + changes.values.count(where: \.leaves)
        rows.sort()
        var table = PointTable(keys: changed.attributes.keys)
        table.append(rows.span, of: changed)
        return table
    }
}

extension PointTable {
    /// Whether an expression is true of a point; false without one.
    fileprivate func matches(_ expression: BoundExpression?, at row: Int) -> Bool {
        expression?.matches(attributes[row], id: ids?[row] ?? Self.noID) ?? false
    }
}
