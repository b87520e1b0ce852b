// Reads bytes as a recipe and as a MapLibre style to import: both are read or refused, and a recipe
// that is read says the same when it is written and read again.

import JSON
import Recipes

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecipes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: start, count: count)
    guard let value = try? JSONValue(parsing: Span(_unsafeElements: input)) else { return 0 }
    if let recipe = try? Recipe(reading: JSONNode(value)) { check(recipe) }
    if let style = try? StyleImport(reading: JSONNode(value), tiles: "https://a.example/{z}") {
        check(style.recipe)
        precondition(style.remarks.allSatisfy { !$0.isEmpty })
    }
    return 0
}

private func check(_ recipe: Recipe) {
    let said = recipe.json
    guard let again = try? Recipe(reading: JSONNode(said)) else {
        fatalError("a recipe that was written is refused: \(said.text())")
    }
    precondition(again.json == said, "a recipe that was written is another")
}
