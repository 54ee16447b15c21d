import { Bus, connectNats, type NatsConnection } from '@kinora/bus';
import { createLogger, type Logger } from '@kinora/service-kit';
import { testNatsUrl } from './test-servers.config';

export interface LogLine {
  level: string;
  /** The event's name. */
  msg: string;
  [field: string]: unknown;
}

/** A real logger whose lines a test can read. */
export interface TestLog {
  logger: Logger;
  lines: LogLine[];
  of: (event: string) => LogLine[];
}

export function createTestLog(): TestLog {
  const lines: LogLine[] = [];
  const logger = createLogger('test', 'trace', { write: (line) => void lines.push(JSON.parse(line) as LogLine) });
  return { logger, lines, of: (event) => lines.filter(({ msg }) => msg === event) };
}

export interface TestBus {
  bus: Bus;
  /** For messages that the bus itself does not send. */
  connection: NatsConnection;
  log: TestLog;
  close: () => Promise<void>;
}

/** Sends requests as another service would. */
export async function connectTestBus(natsUrl = testNatsUrl()): Promise<TestBus> {
  const log = createTestLog();
  const connection = await connectNats({ url: natsUrl, name: 'test', logger: log.logger });
  return { bus: new Bus(connection, log.logger), connection, log, close: () => connection.close() };
}
