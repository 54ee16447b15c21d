/** One server-sent event. */
export interface StreamEvent {
  /** The client sends it as Last-Event-ID when it reconnects. */
  id: string;
  /** `job.progress`, `job.succeeded`. */
  type: string;
  /** Any value that JSON carries. */
  data: unknown;
}

/** The opening of a stream: how long an EventSource waits before it reconnects. */
export const RETRY_TEXT = 'retry: 2000\n\n';

/** Clients ignore it, and proxies see that the connection is in use. */
export const HEARTBEAT_TEXT = ': \n\n';

/**
 * One line of data, because JSON has no line breaks outside its escapes. The reader may not be a parser of JSON: a line
 * break in the id or the type would start another field.
 */
export function toEventText({ id, type, data }: StreamEvent): string {
  if (/[\r\n\0]/.test(id + type))
    throw new Error('The id or the type of a server-sent event has a line break or a NUL.');
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
