import { AttemptSignal } from './attempt-signal';
import { ConnectionError } from './errors';
import type { CallOptions, Operation, Transport } from './transport';

export interface StreamEvent {
  id: string | null;
  type: string;
  data: unknown;
}

export interface FollowOptions extends CallOptions {
  /** Continues after this event. */
  lastEventId?: string | null | undefined;
  /** Whether a stream that ends without an event counts as a failure, because the last event is still to come. */
  hasEnd?: boolean;
}

/** What a later connection continues with. */
interface Position {
  lastEventId: string | null;
  reconnectMs: number;
}

/** The service sends a comment every 15 s. */
const SILENCE_MS = 45_000;
const RECONNECT_MS = 2_000;
const FRUITLESS_STREAMS = 3;
/** Bounds what an answer without a line end can take of the memory. */
const LONGEST_EVENT = 16 * 1024 * 1024;

/**
 * The events of a stream, which is opened again after its last event until the caller stops. Ends where the server has no more.
 * @throws KinoraError for an answer that is no stream, and after three streams in a row without an event
 */
export async function* followEvents(
  transport: Transport,
  operation: Operation,
  { lastEventId, hasEnd = false, ...options }: FollowOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const position: Position = { lastEventId: lastEventId ?? null, reconnectMs: RECONNECT_MS };
  for (let fruitless = 0; ;) {
    try {
      const body = await openStream(transport, operation, options, position);
      if (body === null) return;
      for await (const event of readEvents(body, position)) {
        fruitless = 0;
        yield event;
      }
      fruitless += hasEnd ? 1 : 0;
    } catch (error) {
      const isBroken = error instanceof ConnectionError && error.code !== 'no_stream' && !options.signal?.aborted;
      if (!isBroken || ++fruitless >= FRUITLESS_STREAMS) throw error;
    }
    if (fruitless >= FRUITLESS_STREAMS) throw noStream(operation, 'streams without an event');
    await transport.pause(position.reconnectMs, operation, options.signal);
  }
}

/** The texts of one connection; null if the server has nothing after the last event. */
async function openStream(
  transport: Transport,
  operation: Operation,
  options: CallOptions,
  { lastEventId }: Position,
): Promise<AsyncIterable<string> | null> {
  const headers = {
    accept: 'text/event-stream',
    'cache-control': 'no-store',
    ...(lastEventId !== null && { 'last-event-id': lastEventId }),
  };
  // Outlives the attempt, which is over with the head of the response.
  let attempt = new AttemptSignal(SILENCE_MS, options.signal);
  const response = await transport
    .repeat(operation, { ...options, timeout: Infinity }, async () => {
      attempt.release();
      attempt = new AttemptSignal(SILENCE_MS, options.signal);
      return await transport.fetch({ ...operation, headers }, options, attempt);
    })
    .catch((error: unknown) => {
      attempt.release();
      throw error;
    });
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  if (response.body && isStream) return readTexts(response.body, attempt, operation);
  attempt.release();
  await response.body?.cancel();
  if (response.status === 204) return null;
  throw noStream(operation, 'an answer that is no stream');
}

async function* readTexts(
  body: ReadableStream<Uint8Array>,
  attempt: AttemptSignal,
  { method, path }: Operation,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      attempt.restart();
      yield decoder.decode(value, { stream: true });
    }
  } catch (cause) {
    const code = attempt.isAborted ? 'aborted' : attempt.isTimedOut ? 'timeout' : 'connection';
    throw new ConnectionError(`${method} ${path}: the stream broke.`, { code, cause });
  } finally {
    attempt.release();
    // A caller that has all it needs must not leave the connection open.
    await reader.cancel().catch(() => undefined);
  }
}

/** The complete events of a text/event-stream. */
export async function* readEvents(
  texts: AsyncIterable<string>,
  position: Position,
): AsyncGenerator<StreamEvent, void, undefined> {
  let rest = '';
  let fields = new Map<string, string>();
  for await (const text of texts) {
    rest += text;
    if (rest.length > LONGEST_EVENT) throw new ConnectionError('An event is too long.', { code: 'no_stream' });
    // A CR at the end may be the first half of a line end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') {
        readField(line, fields, position);
        continue;
      }
      const data = fields.get('data');
      if (data !== undefined) {
        position.lastEventId = fields.get('id') ?? position.lastEventId;
        yield { id: position.lastEventId, type: fields.get('event') ?? 'message', data: JSON.parse(data) as unknown };
      }
      fields = new Map();
    }
  }
}

function readField(line: string, fields: Map<string, string>, position: Position): void {
  const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  const data = fields.get('data');
  if (name === 'retry' && /^\d+$/.test(value)) position.reconnectMs = Number(value);
  else fields.set(name, name === 'data' && data !== undefined ? `${data}\n${value}` : value);
}

function noStream({ method, path }: Operation, what: string): ConnectionError {
  return new ConnectionError(`${method} ${path} gave ${what}.`, { code: 'no_stream' });
}
