import Points

// The parts of a record besides its position: attributes and ids.

extension PointBuilder {
    /// NaN and infinite numbers mean no value: tiles, statistics and aggregates could not tell them.
    public mutating func add(_ attribute: InputAttribute, number: Double) {
        guard number.isFinite else { return }
        guard isPlain(attribute) else { return addSpecial(attribute, .init(canonical: number)) }
        batch.records.append(plans[attribute.index].key, number: number)
    }

    public mutating func add(_ attribute: InputAttribute, integer: Int64) {
        guard isPlain(attribute) else { return addSpecial(attribute, .integer(integer)) }
        batch.records.append(plans[attribute.index].key, integer: integer)
    }

    public mutating func add(_ attribute: InputAttribute, unsigned: UInt64) {
        guard isPlain(attribute) else { return addSpecial(attribute, .init(unsigned: unsigned)) }
        batch.records.append(plans[attribute.index].key, unsigned: unsigned)
    }

    public mutating func add(_ attribute: InputAttribute, bool: Bool) {
        guard isPlain(attribute) else { return addSpecial(attribute, .bool(bool)) }
        batch.records.append(plans[attribute.index].key, bool: bool)
    }

    /// Adds a value of any kind.
    mutating func add(_ attribute: InputAttribute, _ value: AttributeValue) {
        guard isPlain(attribute) else { return addSpecial(attribute, value) }
        batch.records.append(plans[attribute.index].key, value)
    }

    /// Adds a text of valid UTF-8.
    public mutating func add(_ attribute: InputAttribute, utf8: Span<UInt8>) {
        guard isPlain(attribute) else { return addSpecial(attribute, .text(String(copying: utf8))) }
        batch.records.append(plans[attribute.index].key, utf8: utf8)
    }

    /// Adds a number in its spelling at the cursor.
    @inline(__always)
    mutating func add(_ attribute: InputAttribute, _ number: NumberText, from bytes: ByteCursor) {
        if isConverted(attribute) {
            add(attribute, utf8: bytes.span(number.range))
        } else if number.isWhole, number.isExact, !number.isNegative {
            add(attribute, unsigned: number.digits)
        } else if number.isWhole, case .integer(let integer)? = number.wholeValue {
            add(attribute, integer: integer)
        } else {
            let value = bytes.double(of: number)
            guard value.isFinite else {
                return refuse(
                    .wrongKind,
                    "has the value \(Snippet.of(bytes.span(number.range))), beyond any number")
            }
            add(attribute, number: value)
        }
    }

    /// Records that an attribute has no value, which replaces an earlier one.
    mutating func addNothing(_ attribute: InputAttribute) {
        if plans[attribute.index].lastRecord == stamp { takeBack(attribute) }
        plans[attribute.index].lastRecord = stamp
        guard filter != nil else { return }
        plans[attribute.index].lastNull = stamp
        nulls.append(attribute)
    }

    /// Marks an attribute's earlier values in the record as invalid. They are removed once, when
    /// the record is complete.
    private mutating func takeBack(_ attribute: InputAttribute) {
        plans[attribute.index].lastNull = -1
        switch plans[attribute.index].role {
        case .id: (id, oddID) = (PointTable.noID, nil)
        case .weight: (weight, badWeight) = (1, nil)
        case .removal: isRemoval = false
        case .plain: break
        }
        if plans[attribute.index].isJoinKey { joinCode = nil }
        guard plans[attribute.index].isPacked else { return }
        takesCare = true
        takenBack[plans[attribute.index].key] = batch.unfinishedByteCount
    }

    /// Removes an attribute that another value replaces; returns whether the record had it.
    mutating func removeOwn(_ key: AttributeKey) -> Bool {
        guard plans.contains(where: { $0.key == key }) else { return false }
        let count = batch.unfinishedByteCount
        batch.removeAttributes { other, _ in other == key }
        return batch.unfinishedByteCount < count
    }

    mutating func removeTakenBack() {
        let ends = takenBack
        batch.removeAttributes { key, offset in ends[key].map { offset < $0 } ?? false }
        takenBack.removeAll(keepingCapacity: true)
    }

    /// Discards all attributes of the record, and everything derived from them.
    mutating func forgetAttributes() {
        batch.discardUnfinished()
        takenBack.removeAll(keepingCapacity: true)
        // So that no attribute counts as repeated.
        stamp += 1
        nulls.removeAll()
        weight = 1
        badWeight = nil
        oddID = nil
        isRemoval = false
        if options.idAttribute != nil { id = PointTable.noID }
    }

    /// Whether the values of this attribute are converted to another kind; a reader should then
    /// pass numbers in their spelling.
    func isConverted(_ attribute: InputAttribute) -> Bool { plans[attribute.index].kind != nil }

    /// Whether the values of this attribute are not used.
    func isIgnored(_ attribute: InputAttribute) -> Bool {
        let plan = plans[attribute.index]
        return !plan.isPacked && plan.kind == nil && plan.role == .plain && !plan.isJoinKey
    }

    /// Records that the record has this attribute; false if its value needs more than packing.
    @inline(__always)
    private mutating func isPlain(_ attribute: InputAttribute) -> Bool {
        if plans[attribute.index].lastRecord == stamp { takeBack(attribute) }
        plans[attribute.index].lastRecord = stamp
        return plans[attribute.index].isPlain
    }

    mutating func addSpecial(_ attribute: InputAttribute, _ value: AttributeValue) {
        if !options.noData.isEmpty, options.noData.contains(value.spelling) {
            return addNothing(attribute)
        }
        let plan = plans[attribute.index]
        if plan.isJoinKey { joinCode = value.spelling }
        guard let value = converted(value, attribute) else { return }
        switch plan.role {
        case .id:
            if let whole = value.wholeNumber { return id = whole }
            (takesCare, oddID) = (true, .attribute)
        case .weight:
            if let number = value.asWeight, number >= Self.leastWeight, number < .infinity {
                weight = number
                badWeight = nil
            } else {
                takesCare = true
                badWeight = value.spelling
            }
        case .removal:
            guard let answer = value.converted(to: .bool) else {
                return refuse(
                    .wrongKind,
                    "has \(Snippet.of(value.spelling)) as \(names[attribute.index]), which is not true or false"
                )
            }
            isRemoval = answer == .bool(true)
            takesCare = takesCare || isRemoval
        case .plain: break
        }
        if plan.isPacked { batch.records.append(plan.key, value) }
    }

    /// A smaller weight times a coordinate is too small for a number, so that the mean of positions is lost.
    private static var leastWeight: Double { 1e-300 }

    private mutating func converted(_ value: AttributeValue, _ attribute: InputAttribute)
        -> AttributeValue?
    {
        guard let kind = plans[attribute.index].kind else { return value }
        if let converted = value.converted(to: kind) { return converted }
        refuse(
            .wrongKind,
            "has \(Snippet.of(value.spelling)) as \(names[attribute.index]), which is no \(kind.rawValue)"
        )
        return nil
    }

    /// Records a fault of the current record; the first fault is kept.
    public mutating func refuse(_ reason: RejectReason, _ problem: String) {
        takesCare = true
        if fault == nil { fault = (reason, problem) }
    }
}

// MARK: - Ids

extension PointBuilder {
    /// Sets the feature's id, unless the options take it from an attribute. An id that a tile can't
    /// hold becomes the attribute `id`, if the record has none with that name.
    public mutating func setID(_ value: AttributeValue) {
        if options.idAttribute == nil, let whole = value.wholeNumber {
            id = whole
            if takesCare { otherID = nil }
        } else {
            takesCare = true
            otherID = value
            if options.idAttribute == nil { id = PointTable.noID }
        }
    }

    mutating func addOtherID() {
        guard let value = otherID else { return }
        otherID = nil
        let attribute = attribute(named: "id")
        let isFree = plans[attribute.index].lastRecord != stamp
        if isFree { addSpecial(attribute, value) }
        guard options.idAttribute == nil else { return }
        if !isFree { return oddID = .lost }
        // A text becomes the attribute as documented.
        if case .text = value { return }
        oddID = .moved
    }
}
