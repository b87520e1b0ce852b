/// A shell that completes words as they are typed.
public enum Shell: String, ArgumentChoice {
    case bash, zsh, fish
}

extension ProgramSyntax {
    /// A script that teaches a shell the program's words.
    public func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: bashCompletions
        case .zsh: zshCompletions
        case .fish: fishCompletions
        }
    }
}

extension ProgramSyntax {
    fileprivate var bashCompletions: String {
        """
        # Completions of \(name) for bash, made by: \(name) completions bash
        _\(name)() {
            local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}
            COMPREPLY=()
            if [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY=($(compgen -W "\(verbs.map(\.name).joined(separator: " ")) --help --version" -- "$word"))
                return
            fi
            case "$verb $before" in
        \(verbs.flatMap(bashValues).joined(separator: "\n"))
            esac
            case "$verb" in
        \(verbs.map(bashWords).joined(separator: "\n"))
            esac
        }
        complete -o filenames -F _\(name) \(name)
        """
    }

    /// The completions for the values of options.
    private func bashValues(_ verb: Verb) -> [String] {
        verb.syntax.options.filter { $0.takes == .value }.map { option in
            let names = [
                option.short.map { "\"\(verb.name) -\($0)\"" }, "\"\(verb.name) --\(option.name)\"",
            ]
            let answer =
                option.choices.isEmpty
                ? option.takesFile ? "COMPREPLY=($(compgen -f -- \"$word\")); " : ""
                : "COMPREPLY=($(compgen -W \"\(option.choices.joined(separator: " "))\" -- \"$word\")); "
            return "        \(names.compactMap(\.self).joined(separator: "|"))) \(answer)return ;;"
        }
    }

    /// The options after a dash, and otherwise the words or files that the verb takes.
    private func bashWords(_ verb: Verb) -> String {
        let options = verb.syntax.options.map { "--\($0.name)" } + ["--help"]
        let first = verb.syntax.operands.first?.choices ?? []
        let words =
            first.isEmpty
            ? ""
            : """
            elif [ "$COMP_CWORD" -eq 2 ]; then
                        COMPREPLY=($(compgen -W "\(first.joined(separator: " "))" -- "$word"))

            """ + "        "
        return """
                    \(verb.name))
                        if [[ $word == -* ]]; then
                            COMPREPLY=($(compgen -W "\(options.joined(separator: " "))" -- "$word"))
                        \(words)else
                            COMPREPLY=($(compgen -f -- "$word"))
                        fi ;;
            """
    }
}

extension ProgramSyntax {
    fileprivate var zshCompletions: String {
        let list = verbs.map { "        '\($0.name):\(Self.zsh($0.summary))'" }
        return """
            #compdef \(name)
            # Completions of \(name) for zsh, made by: \(name) completions zsh
            _\(name)() {
                local -a verbs=(
            \(list.joined(separator: "\n"))
                )
                if (( CURRENT == 2 )); then
                    _describe 'verb' verbs
                    return
                fi
                local verb=$words[2]
                shift words
                (( CURRENT-- ))
                case $verb in
            \(verbs.map(zshCase).joined(separator: "\n"))
                esac
            }
            compdef _\(name) \(name)
            """
    }

    private func zshCase(_ verb: Verb) -> String {
        let options = verb.syntax.options.flatMap(zshOption)
        let operands = verb.syntax.operands.map { operand in
            let many = operand.count.upperBound > 1 ? "*" : ""
            let answer =
                operand.choices.isEmpty
                ? operand.isFile ? "_files" : ""
                : "(\(operand.choices.joined(separator: " ")))"
            return "'\(many):\(Self.zsh(operand.name)):\(answer)'"
        }
        let lines = (options + operands).map { "                \($0)" }
        return """
                \(verb.name))
                    _arguments -s \\
            \(lines.joined(separator: " \\\n"))\(lines.isEmpty ? "                '*:word:'" : "") ;;
            """
    }

    private func zshOption(_ option: OptionDeclaration) -> [String] {
        let many = option.repeats ? "*" : ""
        let value =
            option.choices.isEmpty
            ? option.takesFile ? "_files" : "" : "(\(option.choices.joined(separator: " ")))"
        let about = "[\(Self.zsh(option.help))]"
        let names = [option.short.map { "-\($0)" }, "--\(option.name)"].compactMap(\.self)
        return names.map { name in
            switch option.takes {
            case .nothing: "'\(many)\(name)\(about)'"
            case .value:
                "'\(many)\(name)\(name.hasPrefix("--") ? "=" : "+")\(about):\(Self.zsh(option.placeholder)):\(value)'"
            case .valueOrNothing:
                "'\(many)\(name)=-\(about)::\(Self.zsh(option.placeholder)):'"
            }
        }
    }

    /// Text inside single quotes, where zsh gives brackets and colons a meaning of their own.
    private static func zsh(_ text: String) -> String {
        text.replacing("'", with: "’").replacing("\\", with: "\\\\").replacing("[", with: "\\[")
            .replacing("]", with: "\\]").replacing(":", with: "\\:")
    }
}

extension ProgramSyntax {
    fileprivate var fishCompletions: String {
        var lines = [
            "# Completions of \(name) for fish, made by: \(name) completions fish",
            "complete -c \(name) -n __fish_use_subcommand -f -l version -d 'the version'",
        ]
        for verb in verbs {
            lines.append(
                "complete -c \(name) -n __fish_use_subcommand -f -a \(verb.name) "
                    + "-d '\(Self.fish(verb.summary))'")
            let here = "complete -c \(name) -n '__fish_seen_subcommand_from \(verb.name)'"
            for word in verb.syntax.operands.first?.choices ?? [] {
                lines.append("\(here) -a \(word)")
            }
            lines += verb.syntax.options.map { "\(here) \(fishOption($0))" }
        }
        return lines.joined(separator: "\n")
    }

    private func fishOption(_ option: OptionDeclaration) -> String {
        let short = option.short.map { " -s \($0)" } ?? ""
        let value =
            option.takes != .value
            ? ""
            : option.choices.isEmpty
                ? option.takesFile ? " -r -F" : " -x"
                : " -x -a '\(option.choices.joined(separator: " "))'"
        return "-l \(option.name)\(short)\(value) -d '\(Self.fish(option.help))'"
    }

    private static func fish(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }
}
