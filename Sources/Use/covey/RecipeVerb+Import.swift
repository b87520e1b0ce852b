import Arguments
import JSON
import Platform
import PointInput
import Recipes
import Tileset

extension RecipeVerb {
    /// Makes a recipe from a style's clustered sources, and a style that shows its tiles.
    static func importStyle(
        _ path: String, _ arguments: ParsedArguments, console: Console
    ) throws {
        let text = try TextFile.read(path, upTo: 1 << 30)
        let recipePath = arguments[output]
        let url = arguments[url] ?? "/" + LayerName.stem(of: recipePath ?? path)
        let imported = try StyleImport(reading: JSONNode(try JSONValue(parsing: text)), tiles: url)
        let styleFolder = RecipeFile.directory(of: path) ?? "."
        let folder = recipePath.map { RecipeFile.directory(of: $0) ?? "." } ?? styleFolder
        let recipe = imported.recipe.moved(
            from: styleFolder, to: folder, besides: imported.files.map(\.name))
        let recipeText = recipe.json.text(.pretty)

        var files = imported.files.map { (path: folder + "/" + $0.name, text: $0.data.text()) }
        if let recipePath { files.append((recipePath, recipeText)) }
        if let stylePath = arguments[style] {
            files.append((stylePath, imported.style.text(.pretty)))
        }
        try checkApart(files.map(\.path), from: path)
        try write(files, replacing: arguments[force])
        if recipePath == nil { console.print(recipeText) }
        for remark in imported.remarks { console.say(remark) }
    }

    /// Refuses to replace the style that is read, and to write two documents to one name.
    private static func checkApart(_ files: [String], from style: String) throws(UsageError) {
        for (index, file) in files.enumerated() {
            if let taken = KeptFiles([style] + files[..<index]).file(at: file) {
                throw .contradiction(
                    taken == style
                        ? "\(file) is the style that is read"
                        : "\(file) and \(taken) are one file",
                    remedy: "name another file")
            }
        }
    }

    /// Writes all the files, or none if one of them exists.
    private static func write(
        _ files: [(path: String, text: String)], replacing: Bool
    ) throws {
        for file in files where !replacing && (try? FileStatus(of: file.path)) != nil {
            throw UsageError.contradiction(
                "\(file.path) exists already", remedy: "use --force to replace it")
        }
        for file in files { try TextFile.write(file.text + "\n", to: file.path) }
    }
}

extension Recipe {
    /// The recipe for another folder: files relative to the first get full paths.
    func moved(from first: String, to second: String, besides written: [String] = []) -> Recipe {
        let folders = [first, second].map { (try? File.resolved($0)) ?? $0 }
        guard folders[0] != folders[1] else { return self }
        func moved(_ file: String) -> String {
            let stays = file.hasPrefix("/") || !PointSource.isFile(file) || written.contains(file)
            return stays ? file : folders[0] + "/" + file
        }
        var recipe = self
        for index in recipe.layers.indices {
            recipe.layers[index].sources = layers[index].sources.map(moved)
            let input = layers[index].input
            if let join = input.join { recipe.layers[index].input.join?.file = moved(join.file) }
            recipe.layers[index].input.regions = input.regions.map(moved)
        }
        return recipe
    }
}
