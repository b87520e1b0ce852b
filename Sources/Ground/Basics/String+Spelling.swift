extension String {
    /// The text with some scalars spelled otherwise, as in markup. A `Character` may be more than one of them: a
    /// quote with an accent, or both ends of a line.
    public func spelling(_ others: [Unicode.Scalar: String]) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if let other = others[scalar] {
                text += other
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
