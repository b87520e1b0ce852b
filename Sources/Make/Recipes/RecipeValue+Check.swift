import JSON

extension RecipeValue {
    /// Throws the problem of a value of a recipe, with the exact path.
    func check(_ node: JSONNode) throws(JSONError) {
        switch (self, node.value) {
        case (.text, .string), (.flag, .bool), (.expression, .array), (.expressions, .object):
            break
        case (.integer(let range), .integer(let number))
        where Int(exactly: number).map(range.contains) ?? false: break
        case (.number(let range), _) where node.value.asNumber.map(range.contains) ?? false: break
        case (.aggregate, .string), (.aggregate, .array): break
        case (.choice(let words), .string(let word)):
            if !words.contains(word) { throw node.wrong(inWords, nearestOf: words) }
        // A choice that looks like a number may be written as a number.
        case (.choice(let words), .integer(let number)) where words.contains("\(number)"): break
        case (.texts, .array), (.wholeTexts, .array):
            for element in try node.elements { _ = try element.string }
        case (.map(let kind), .object):
            for (_, member) in try node.members { try kind.check(member) }
        case (.numberByZoom, .object(let object)) where object.count > 0:
            try Self.checkZooms(node)
        case (.numberByZoom, _) where node.value.asNumber.map { $0 >= 0 } ?? false: break
        case (.either(let a, let b), _):
            guard let meant = [a, b].first(where: { $0.isMeant(by: node.value) }) else {
                fallthrough
            }
            if case .choice(let words) = meant, !meant.accepts(node.value) {
                throw node.wrong(inWords, nearestOf: words)
            }
            try meant.check(node)
        default: throw node.wrong(inWords)
        }
    }

    /// Whether the value is allowed.
    func accepts(_ value: JSONValue) -> Bool { (try? check(JSONNode(value))) != nil }

    private static func checkZooms(_ node: JSONNode) throws(JSONError) {
        for (zoom, member) in try node.members {
            guard let number = UInt8(zoom), number < 32, zoom == "\(number)" else {
                throw JSONNode(.string(zoom), at: node.path).wrong("zooms from 0 to 31 as keys")
            }
            if try member.number < 0 { throw member.wrong("a number, 0 or more") }
        }
    }

    /// Whether a value has the type of JSON in which this is written.
    private func isMeant(by value: JSONValue) -> Bool {
        switch (self, value) {
        case (.text, .string), (.choice, .string), (.flag, .bool): true
        case (.integer, _), (.number, _): value.asNumber != nil
        case (.texts, .array), (.wholeTexts, .array): true
        case (.map, .object), (.aggregate, .string), (.aggregate, .array): true
        case (.expression, .array), (.expressions, .object), (.numberByZoom, .object): true
        case (.numberByZoom, _): value.asNumber != nil
        case (.either(let a, let b), _): a.isMeant(by: value) || b.isMeant(by: value)
        default: false
        }
    }
}
