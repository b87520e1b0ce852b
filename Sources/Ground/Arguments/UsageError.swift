/// A command line that cannot be carried out.
public enum UsageError: Error, Equatable {
    case unknownVerb(String, nearest: String?)
    case unknownOption(String, nearest: String?)
    /// An option of another program, with its answer.
    case foreignOption(String, of: String, Phrase.Answer)
    /// The switch asks for the default, which only its opposite changes.
    case alreadySo(String, opposite: String)
    case missingValue(option: String, placeholder: String)
    case unexpectedValue(option: String, value: String)
    case unreadableValue(option: String, value: String, expected: String)
    case repeatedOption(String)
    case missingArgument(String)
    case extraArgument(String)
    /// A value that cannot be used, in a sentence that names its option.
    case unusable(String)
    /// Words that are valid each, but not together.
    case contradiction(String, remedy: String)
    /// All errors of one command line.
    indirect case several([UsageError])

    /// Each error by itself.
    public var problems: [UsageError] {
        if case .several(let problems) = self { problems } else { [self] }
    }
}

extension UsageError: CustomStringConvertible {
    /// What is wrong and, indented below it, what to do.
    public var description: String {
        switch self {
        case .unknownVerb(let word, let nearest):
            "there is no verb \(word)\n"
                + Self.hint(nearest, otherwise: "covey help lists the verbs")
        case .unknownOption(let word, let nearest):
            "there is no option \(word)\n"
                + Self.hint(nearest, otherwise: "--help lists the options")
        case .foreignOption(let word, let program, let answer):
            "\(word) is an option of \(program)\n\(answer.advice)"
        case .alreadySo(let word, let opposite):
            "\(word) is so unless \(opposite) says otherwise\nleave it out"
        case .missingValue(let option, let placeholder):
            "\(option) needs a value\nwrite \(option) \(placeholder)"
        case .unexpectedValue(let option, let value):
            "\(option) is a switch and takes no value\nleave out =\(value)"
        case .unreadableValue(let option, let value, let expected):
            "\(option) \(value): this should be \(expected)"
        case .repeatedOption(let option):
            "\(option) is given twice\nleave one out"
        case .missingArgument(let name):
            "\(name) is missing\n--help shows what goes where"
        case .extraArgument(let word):
            "\(word) is one argument too many\n--help shows what goes where"
        case .unusable(let problem): problem
        case .contradiction(let problem, let remedy):
            "\(problem)\n\(remedy)"
        case .several(let problems):
            problems.map(\.description).joined(separator: "\n")
        }
    }

    private static func hint(_ nearest: String?, otherwise: String) -> String {
        nearest.map { "did you mean \($0)?" } ?? otherwise
    }
}
