import Recipes

extension RecipeError {
    /// The same problems with options in place of keys, for a recipe that was made from a command line.
    var withOptions: RecipeError {
        var told: Set<String> = []
        // Each layer has the option's value.
        return RecipeError(problems: problems.map(Self.spelled).filter { told.insert($0).inserted })
    }

    private static func spelled(_ problem: String) -> String {
        let path = /(?:layers\[\d+\](\.clusters)?|tiles)\.(\w+)(?:\.([^\s:,]+)|\[\d+\])*/
        let said = problem.replacing("\"clusters\": false", with: "--no-clusters")
        return said.replacing(path) { found in
            let section: RecipeFlag.Section =
                found.output.0.hasPrefix("tiles")
                ? .tiles : found.output.1 == nil ? .input : .clusters
            let flag = RecipeFlag.all.first { $0.section == section && $0.key == found.output.2 }
            guard let flag else { return String(found.output.0) }
            return "--\(flag.option.name)" + (found.output.3.map { " \($0)" } ?? "")
        }
    }
}
