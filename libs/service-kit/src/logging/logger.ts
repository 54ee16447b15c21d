import type { LoggerService } from '@nestjs/common';
import {
  destination as destinationOf,
  type DestinationStream,
  type Logger,
  type LoggerOptions,
  pino,
  stdSerializers,
} from 'pino';
import { currentCall } from '@kinora/bus/client';
import { currentTraceId } from '@kinora/tracing';

const SECRETS = new Set(['authorization', 'api_key', 'secret', 'webhook_secret', 'prompt', 'url']);
const HIDDEN = '[Redacted]';
/** Deeper than any real log line; it ends the recursion of circular values. */
const DEEPEST = 6;

type Fields = Record<string, unknown>;

/** Returns the line without values under the names of secrets, at any depth; the same object if it has none. */
export function hideSecrets(line: Fields, depth = 1): Fields {
  let shown = line;
  for (const name of Object.keys(line)) {
    const value = SECRETS.has(name) ? hide(line[name]) : hideWithin(line[name], depth);
    if (value === line[name]) continue;
    if (shown === line) shown = Object.assign(Array.isArray(line) ? [] : {}, line);
    shown[name] = value;
  }
  return shown;
}

/** Null and undefined may be shown: they only reveal that no value is set. */
function hide(value: unknown): unknown {
  return value === undefined || value === null ? value : HIDDEN;
}

function hideWithin(value: unknown, depth: number): unknown {
  const isOpaque = typeof value !== 'object' || value === null || value instanceof Error || 'toJSON' in value;
  return isOpaque || depth === DEEPEST ? value : hideSecrets(value as Fields, depth + 1);
}

export type { Logger } from 'pino';

/**
 * Buffers lines: one write per line would cost a request more than the line itself. A process that is killed loses at most the
 * last tenth of a second. A process that ends by itself writes all lines first.
 */
const TOGETHER = { minLength: 4_096, periodicFlush: 100, sync: false };

/**
 * JSON lines, on standard output by default. A line is an event name with ids and numbers: never a prompt, an image, a key, a
 * secret or a signed URL. The redaction below is a second safeguard, and no reason to log such values.
 */
export function createLogger(
  service: string,
  level: string,
  destination: DestinationStream = destinationOf(TOGETHER),
): Logger {
  const options: LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Not pino's own redaction: it resolves every path by itself, and takes longer than the rest of a line.
    formatters: { level: (label) => ({ level: label }), log: (line) => hideSecrets(line) },
    // Runs after pino has serialized an error, because errors may have any own fields.
    serializers: {
      err: (error: unknown) => (error instanceof Error ? hideSecrets({ ...stdSerializers.err(error) }) : error),
    },
    mixin: callOfLine,
  };
  return pino(options, destination);
}

/** Adds the ids of the current call to every line, so that one request can be followed through all services. */
function callOfLine(): object {
  const call = currentCall();
  return { request_id: call?.requestId, account_id: call?.accountId, trace_id: currentTraceId() };
}

/** Passes Nest's log messages to the same logger; its start-up messages are at debug level. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: unknown, context?: unknown): void {
    this.logger.error({ context, stack }, String(message));
  }

  fatal(message: unknown, context?: unknown): void {
    this.logger.fatal({ context }, String(message));
  }
}
