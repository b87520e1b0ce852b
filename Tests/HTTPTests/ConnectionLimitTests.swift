import Synchronization
import Testing

@testable import HTTP
