import ArchiveContract
import ClusterQueries
import JSON

/// Answers in the form of the server: one JSON document for each question.
extension ClusterAnswer {
    mutating func json(
        _ question: ClustersVerb.Question, of id: Int64
    ) throws -> JSONValue {
        let spelling = question == .cluster ? "" : question.rawValue
        guard let asked = ClusterQuestion(rawValue: spelling) else {
            return try tree(query.cluster(id), depth: 0)
        }
        return try answers.answer(asked, about: id, ClusterAnswers.Page(), &query)
    }

    /// A cluster with its children, down to the requested depth.
    private mutating func tree(_ cluster: ClusterRecord, depth: Int) throws -> JSONValue {
        let shown = try answers.feature(of: cluster, &query)
        guard depth < arguments[ClustersVerb.depth], var object = shown.asObject else {
            return shown
        }
        let children = try query.children(of: query.description.id(of: cluster)).nodes
        let leaves = try leaves(among: children)
        object["children"] = .array(
            try children.compactMap { child in
                switch child {
                case .leaf(let number): leaves[number].map(GeoJSON.feature)
                case .cluster(let record): try tree(record, depth: depth + 1)
                }
            })
        return .object(object)
    }
}
