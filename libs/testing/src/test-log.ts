import { type Logger, createLogger } from '@kinora/service-kit';

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
  /** The lines of one event. */
  of: (event: string) => LogLine[];
}

export function createTestLog(): TestLog {
  const lines: LogLine[] = [];
  const logger = createLogger('test', 'trace', { write: (line) => void lines.push(JSON.parse(line) as LogLine) });
  return { logger, lines, of: (event) => lines.filter(({ msg }) => msg === event) };
}
