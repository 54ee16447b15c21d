export { findFreePorts } from '../../../deploy/local/free-ports';
export { answering, on } from './answering';
export {
  assertResolvable,
  CLIENT_CERTIFICATE,
  HttpsReceiver,
  RECEIVER_AUTHORITY_FILE,
  RECEIVER_CERTIFICATE_FILE,
  RECEIVER_KEY_FILE,
  type ReceivedRequest,
  type ReceiverAnswer,
  loopbackAddresses,
} from './https-receiver';
export { ManualClock } from './manual-clock';
export { waitFor } from './wait-for';
export { closeAll, type TestService, type TestServiceOptions, startTestService } from './test-service';
export { damageStreams } from './damage-streams';
export { ConnectionWatch, TestBroker } from './test-broker';
export { HARMLESS_URLS, HOSTILE_ADDRESSES, HOSTILE_URLS } from './hostile-urls';
export { endFirstMonth, fillTable } from './fill-table';
export { type CostLimits, MeasuredDatabase, type StatementCost, pagesOf, statementNames } from './measured-database';
export { imagesOf, videoOf, encodeTestVideo, type TestVideo } from './test-video';
export {
  RANDOM_ID_SQL,
  numberedId,
  numberedIdSql,
  type TestDatabase,
  createTestDatabase,
  undoMigrations,
} from './test-database';
export { type TestBus, connectTestBus, type LogLine, type TestLog, createTestLog } from './test-bus';
export { type CollectedSpan, TestCollector } from './test-collector';
export { TestS3 } from './test-s3';
export { TestNameServer } from './test-name-server';
export { TYPESCRIPT_ARGUMENTS } from './test-servers.config';
