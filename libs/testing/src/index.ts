export { HttpsReceiver, RECEIVER_AUTHORITY_FILE, type ReceivedRequest, type ReceiverAnswer } from './https-receiver';
export { picturesOf, videoOf } from './job-outputs';
export { TestBroker } from './test-broker';
export { type TestBus, connectTestBus } from './test-bus';
export { type TestDatabase, createTestDatabase } from './test-database';
export { type LogLine, type TestLog, createTestLog } from './test-log';
export { TestNameServer } from './test-name-server';
export { type TestService, type TestServiceOptions, startTestService } from './test-service';
export { waitFor } from './wait-for';
