import HTTP
import Testing

struct ConnectionPeakTests {
    @Test func `a peak has passed when fewer than a quarter are left, which is said once`() {
        var peak = ConnectionPeak()
        for count in [99, 0, 99, 100, 25] {
            let hasPassed = peak.hasPassed(at: count)
            #expect(!hasPassed)
        }
        let hasPassed = peak.hasPassed(at: 24)
        #expect(hasPassed)
        for count in [24, 5, 0, 99, 0, 200, 50] {
            let hasPassed = peak.hasPassed(at: count)
            #expect(!hasPassed)
        }
        let hasPassedAgain = peak.hasPassed(at: 49)
        #expect(hasPassedAgain)
    }
}

struct InstantTests {
    @Test func `moments are ordered and told apart in seconds`() {
        let early = Instant(nanoseconds: 1_500_000_000)
        let late = early.advanced(bySeconds: 2)
        #expect(early < late && !(late < early) && !(early < early))
        #expect(late.seconds(since: early) == 2 && early.seconds(since: late) == 0)
        #expect(Instant.now <= Instant.now)
    }
}

struct AnswersUnderWayTests {
    @Test func `who stops lets nothing begin, and is told of what has not ended`() {
        let answers = AnswersUnderWay()
        #expect(answers.begin())
        answers.end()
        #expect(answers.stop() && !answers.areAbandoned && !answers.begin())
        let stuck = AnswersUnderWay()
        #expect(stuck.begin() && stuck.begin())
        stuck.end()
        #expect(!stuck.stop() && stuck.areAbandoned && !stuck.begin())
        // A second look does not count who was turned away.
        #expect(!stuck.stop())
    }
}
