/// All verbs, in the order in which help lists them.
let verbs: [any Verb.Type] = [
    DemoVerb.self,
    BuildVerb.self,
    UpdateVerb.self,
    CellsVerb.self,
    ServeVerb.self,
    InspectVerb.self,
    VerifyVerb.self,
    ClustersVerb.self,
    ConvertVerb.self,
    JoinVerb.self,
    DiffVerb.self,
    StyleVerb.self,
    RecipeVerb.self,
    CompletionsVerb.self,
    HelpVerb.self,
]

func verb(named name: String) -> (any Verb.Type)? { verbs.first { $0.name == name } }
