extension Recipe.About: RecipeSection {
    static let keys: [RecipeKey<Recipe.About>] = [
        .text("name", option: .init("name", "TEXT"), "the name of the archive", \.name),
        .text(
            "description", option: .init("description", "TEXT"), "a description of the archive",
            \.description),
        .text(
            "attribution", option: .init("attribution", "TEXT"),
            "the attribution that maps show (may be HTML)", \.attribution),
    ]
}
