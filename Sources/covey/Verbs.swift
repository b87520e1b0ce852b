/// All verbs, in the order in which help lists them.
let verbs: [any Verb.Type] = [
    BuildVerb.self,
    RecipeVerb.self,
    HelpVerb.self,
]

func verb(named name: String) -> (any Verb.Type)? { verbs.first { $0.name == name } }
