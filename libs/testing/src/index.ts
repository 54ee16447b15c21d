export { findFreePorts } from '../../../deploy/local/free-ports';
export { answering, on } from './answering';
export { assertResolvable } from './https-receiver';
export { avoidMidnight } from './wait-for';
export { closeAll } from './test-service';
export { ConnectionWatch } from './test-broker';
export { HARMLESS_URLS, HOSTILE_ADDRESSES, HOSTILE_URLS } from './hostile-urls';
export { fillTable } from './fill-table';
export { type CostLimits, MeasuredDatabase, type StatementCost } from './measured-database';
export { CLIENT_CERTIFICATE } from './https-receiver';
export {
  HttpsReceiver,
  RECEIVER_AUTHORITY_FILE,
  RECEIVER_CERTIFICATE_FILE,
  RECEIVER_KEY_FILE,
  type ReceivedRequest,
  type ReceiverAnswer,
} from './https-receiver';
export { imagesOf, videoOf } from './test-video';
export { ManualClock } from './manual-clock';
export { loopbackAddresses } from './https-receiver';
export { numberedId, numberedIdSql } from './test-database';
export { TestBroker } from './test-broker';
export { type TestBus, connectTestBus } from './test-bus';
export { type TestDatabase, createTestDatabase } from './test-database';
export { type CollectedSpan, TestCollector } from './test-collector';
export { type LogLine, type TestLog, createTestLog } from './test-bus';
export { TestS3 } from './test-s3';
export { statementNames } from './measured-database';
export { TestNameServer } from './test-name-server';
export { type TestService, type TestServiceOptions, startTestService } from './test-service';
export { waitFor } from './wait-for';
export { encodeTestVideo, type TestVideo } from './test-video';
export { TYPESCRIPT_ARGUMENTS } from './typescript-arguments';
