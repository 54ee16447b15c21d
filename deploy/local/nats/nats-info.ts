import { connect } from 'node:net';

const ANSWER_WITHIN_MS = 2_000;

/** The INFO message that a server sends before login. */
export interface NatsInfo {
  /** Absent if JetStream is off. */
  jetstream?: boolean;
  /** In bytes. */
  max_payload: number;
}

/**
 * The INFO message of the server at `host:port`, or null if none answers. The embedded server sends it once JetStream has read
 * its store.
 */
export function readNatsInfo(server: string): Promise<NatsInfo | null> {
  const { hostname, port } = new URL(`nats://${server}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host, timeout: ANSWER_WITHIN_MS });
    const settle = (info: NatsInfo | null): void => {
      socket.destroy();
      resolve(info);
    };
    let greeting = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      greeting += text;
      if (greeting.includes('\n')) settle(parseInfo(greeting));
    });
    for (const end of ['error', 'timeout', 'close']) socket.once(end, () => settle(null));
  });
}

/** Null for another kind of server. */
function parseInfo(greeting: string): NatsInfo | null {
  try {
    return JSON.parse(/^INFO (.*)/.exec(greeting)?.[1] ?? 'null') as NatsInfo | null;
  } catch {
    return null;
  }
}
