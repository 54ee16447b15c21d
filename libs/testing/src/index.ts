export { TestBroker } from './test-broker';
export { type TestBus, connectTestBus } from './test-bus';
export { type TestDatabase, createTestDatabase } from './test-database';
export { type LogLine, type TestLog, createTestLog } from './test-log';
export { type TestService, type TestServiceOptions, startTestService } from './test-service';
export { waitFor } from './wait-for';
