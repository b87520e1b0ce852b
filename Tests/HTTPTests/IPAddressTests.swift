import HTTP
import Testing

struct IPAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("255.255.255.255", "255.255.255.255"),
        ("::ffff:10.0.0.7", "10.0.0.7"), ("2001:db8::7", "2001:db8:0:0:0:0:0:7"),
    ])
    func `an address is read and written`(text: String, written: String) throws {
        #expect(try #require(IPAddress(text)).description == written)
    }

    @Test(arguments: ["", "10.0.0", "10.0.0.256", "::1::", "localhost", "10.0.0.1 "])
    func `what is no address is refused`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false),
        ("10.0.0.7", "10.0.0.7", true), ("10.0.0.7", "10.0.0.6", false),
        ("0.0.0.0/0", "200.1.2.3", true), ("0.0.0.0/0", "2001:db8::1", false),
        ("2001:db8::/32", "2001:db8:1::", true), ("2001:db8::/32", "2001:db9::", false),
        ("::/0", "1.2.3.4", true), ("2001:db8::7/128", "2001:db8::6", false),
    ])
    func `a block holds the addresses that begin like it`(
        block: String, address: String, holds: Bool
    ) throws {
        let block = try #require(AddressBlock(block))
        #expect(block.contains(try #require(IPAddress(address))) == holds)
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "::/129", "10.0.0.0/8/8", "/8"])
    func `what is no block is refused`(text: String) {
        #expect(AddressBlock(text) == nil)
    }
}
