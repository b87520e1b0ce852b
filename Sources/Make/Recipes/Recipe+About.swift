extension Recipe.About: RecipeSection {
    static let keys: [RecipeKey<Recipe.About>] = [
        .text("name", option: .init("name", "TEXT"), "what the archive is called", \.name),
        .text(
            "description", option: .init("description", "TEXT"), "what it shows", \.description),
        .text(
            "attribution", option: .init("attribution", "TEXT"),
            "whom maps must name (may be HTML)", \.attribution),
    ]
}
