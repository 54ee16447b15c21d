import { type IncomingMessage, get } from 'node:http';
import { API_KEY } from './contexts.fixtures';

interface ReceivedEvent {
  id: string;
  type: string;
  data: unknown;
}

/** A client of a stream of events, with what it has received so far. */
export class StreamClient {
  text = '';
  isClosed = false;

  private constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
    response.on('error', () => undefined).once('close', () => (this.isClosed = true));
  }

  static open(port: number, path: string, headers = {}): Promise<StreamClient> {
    return new Promise((resolve, reject) => {
      const target = { host: '127.0.0.1', port, path, agent: false };
      const request = get({ ...target, headers: { Authorization: `Bearer ${API_KEY}`, ...headers } }, (response) =>
        resolve(new StreamClient(response)),
      );
      request.once('error', reject);
    });
  }

  get events(): ReceivedEvent[] {
    return [...this.text.matchAll(/^id: (.+)\nevent: (.+)\ndata: (.+)\n\n/gm)].map(
      ([, id = '', type = '', data = '']) => ({
        id,
        type,
        data: JSON.parse(data) as unknown,
      }),
    );
  }

  get ids(): string[] {
    return this.events.map(({ id }) => id);
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  close(): void {
    this.response.destroy();
  }
}
