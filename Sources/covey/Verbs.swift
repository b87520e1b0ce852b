/// All verbs, in the order in which help lists them.
let verbs: [any Verb.Type] = [
    HelpVerb.self,
    InspectVerb.self,
    VerifyVerb.self,
    ClustersVerb.self,
    DiffVerb.self,
]

func verb(named name: String) -> (any Verb.Type)? { verbs.first { $0.name == name } }
