import Expressions
import PointInput
import Points
import Recipes
import Spelling

extension InputReport {
    /// Tells which attributes no record has, of those to exclude or to convert and those of the filter: misspelt, these
    /// options would do nothing and say nothing. They are no errors, as one recipe may serve many inputs.
    mutating func tellUnmet(by input: InputRecipe, _ keys: AttributeKeys) {
        guard records > 0 else { return }
        let filter = try? input.filter.map { try Expression(parsing: $0, as: .filter) }
        let filtered = filter?.attributeNames ?? []
        // Some come from elsewhere, such as the names of regions. The filter's names have keys in any case.
        let known = met.union(keys.names).subtracting(Set(filtered).subtracting(met))
        for (option, names) in [
            ("exclude", input.exclude), ("filter", filtered), ("type", Array(input.types.keys)),
        ] {
            for name in names.sorted() where !known.contains(name) {
                note("--\(option): no record has an attribute \(name)" + known.hint(for: name))
            }
        }
    }
}

extension Sequence<String> {
    /// The end of a note about an unknown name, which asks for the nearest of these names; empty if none is near.
    func hint(for name: String) -> String {
        sorted().nearest(to: name).map { "; did you mean \($0)?" } ?? ""
    }
}
