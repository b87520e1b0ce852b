import Arguments

/// `covey completions SHELL`.
enum CompletionsVerb: Verb {
    static let name = "completions"
    static let summary = "prints completions for a shell"
    static let usage = "completions bash|zsh|fish"
    static let examples = [
        "completions bash > ~/.local/share/bash-completion/completions/covey",
        "completions fish > ~/.config/fish/completions/covey.fish",
    ]
    static let syntax = VerbSyntax(
        operands: [.init(Shell.allCases.map(\.rawValue).joined(separator: "|"), "the shell")])

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let word = arguments.operands[0]
        do {
            console.print(Program.syntax.completions(for: try Shell(argument: word)))
        } catch {
            throw UsageError.contradiction(
                "\(word) is no shell that covey knows", remedy: "name \(error.expected)")
        }
    }
}
