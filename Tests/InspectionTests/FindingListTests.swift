import JSON
import Testing

@testable import Inspection

/// How findings are gathered: each once, with how often and where first.
struct FindingListTests {
    @Test func `of one code and sentence the count is of all, and the first five places stay`() {
        var list = FindingList()
        #expect(list.isEmpty && !list.hasErrors && list.all.isEmpty)
        for number in 0..<7 { list.add(.warning, "a", "one", at: "\(number)", count: 2) }
        list.add(.warning, "a", "one")
        #expect(!list.isEmpty && !list.hasErrors)
        let finding = Finding(
            severity: .warning, code: "a", message: "one", count: 15,
            locations: ["0", "1", "2", "3", "4"])
        #expect(list.all == [finding])
        // Another sentence, or another code, is another finding.
        list.add(.warning, "a", "two")
        list.add(.error, "b", "one", at: "x")
        #expect(
            list.all.map { "\($0.code) \($0.message) \($0.count)" } == [
                "b one 1", "a one 15", "a two 1",
            ])
        #expect(list.hasErrors)
        let json =
            #"{"severity":"warning","code":"a","message":"one","count":15,"locations":["0","1","2","3","4"]}"#
        #expect(finding.json.text() == json)
    }

    @Test func `lists that are merged come in their order, and may count several times`() {
        var (first, second) = (FindingList(), FindingList())
        for place in ["p", "q", "r"] { first.add(.error, "a", "x", at: place) }
        for place in ["s", "t", "u"] { second.add(.error, "a", "x", at: place, count: 2) }
        second.add(.warning, "c", "y")
        first.merge(second, times: 3)
        #expect(first.all.map(\.count) == [3 + 18, 3])
        #expect(first.all[0].locations == ["p", "q", "r", "s", "t"])
        first.merge(second)
        #expect(first.all.map(\.count) == [27, 4] && first.all[0].locations.count == 5)
    }

    @Test func `a thousand findings are kept, and those that are known go on counting`() {
        var list = FindingList()
        for number in 0..<1_010 { list.add(.error, "\(number)", "x") }
        list.add(.error, "999", "x")
        list.add(.error, "1000", "x")
        #expect(
            list.all.count == 1_000 && list.all.last?.code == "999" && list.all.last?.count == 2)
    }

    @Test func `an error is worse than a warning`() {
        #expect(Finding.Severity.error < .warning && !(Finding.Severity.warning < .error))
        #expect(!(Finding.Severity.error < .error) && !(Finding.Severity.warning < .warning))
    }
}
