import { Bus, connectNats } from '@kinora/bus';
import { type TestLog, createTestLog } from './test-log';
import { testNatsUrl } from './test-servers.config';

export interface TestBus {
  bus: Bus;
  log: TestLog;
  close: () => Promise<void>;
}

/** Sends requests as another service would. */
export async function connectTestBus(natsUrl = testNatsUrl()): Promise<TestBus> {
  const log = createTestLog();
  const connection = await connectNats({ url: natsUrl, name: 'test', logger: log.logger });
  return { bus: new Bus(connection, log.logger), log, close: () => connection.close() };
}
