import type { LoggerService } from '@nestjs/common';
import { currentCall } from '@kinora/bus/client';
import { currentTraceId } from '@kinora/tracing';
import {
  type DestinationStream,
  type Logger,
  type LoggerOptions,
  destination as destinationOf,
  pino,
  stdSerializers,
} from 'pino';
import { hideSecrets } from './hide-secrets';

export type { Logger } from 'pino';

/**
 * Lines leave together: a write for each would cost a request more than the line itself. What a process that is killed has not
 * written yet is lost, a tenth of a second of it; whatever ends by itself writes all of it first.
 */
const TOGETHER = { minLength: 4_096, periodicFlush: 100, sync: false };

/**
 * JSON lines, on standard output unless told otherwise. A line is an event name with ids and numbers: never a prompt, an image,
 * a key, a secret or a signed URL. What is hidden below is a second net, not a licence.
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
    // Not by pino's own redaction, which looks every path up by itself and takes longer than the rest of a line.
    formatters: { level: (label) => ({ level: label }), log: (line) => hideSecrets(line) },
    // After pino has written an error down: its own fields are those of whoever has thrown it.
    serializers: {
      err: (error: unknown) => (error instanceof Error ? hideSecrets({ ...stdSerializers.err(error) }) : error),
    },
    mixin: callOfLine,
  };
  return pino(options, destination);
}

/** Every line of a call tells whose it is, so that one request can be followed through all services. */
function callOfLine(): object {
  const call = currentCall();
  return { request_id: call?.requestId, account_id: call?.accountId, trace_id: currentTraceId() };
}

/** Lets Nest speak through the same logger; its start-up chatter is for debugging only. */
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
