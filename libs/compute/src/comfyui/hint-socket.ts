import type { Clock } from '@kinora/service-kit';
import { WebSocket } from 'undici';
import { isRecord, parseJson } from '../http/json-answer';

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

export interface HintSocketSettings {
  url: string;
  headers: Record<string, string>;
  clock: Clock;
  /**
   * Events of a prompt are sent to the socket with the id of its submission; the newest socket with an id replaces older ones.
   */
  clientId: string;
  /** Called with the id of a prompt that has begun or ended. */
  onEvent: (promptId: string) => void;
  /** Called with every event of the server. */
  onMessage: (type: unknown, data: Record<string, unknown>) => void;
}

/**
 * Receives the events of a server about the prompts of this process. Events may be lost: a dropped socket misses events, and
 * an end is sent before the history has it. Therefore an event only triggers a poll, and nothing depends on events.
 */
export class HintSocket {
  private socket: WebSocket | null = null;
  private isWaiting = false;
  private retryMs = FIRST_RETRY_MS;
  private isClosed = false;

  constructor(private readonly settings: HintSocketSettings) {}

  /** Does nothing where the socket is open or connecting. */
  open(): void {
    if (this.isClosed || this.socket || this.isWaiting) return;
    const { url, headers } = this.settings;
    const socket = new WebSocket(toSocketUrl(url, this.settings.clientId), { headers });
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => (this.retryMs = FIRST_RETRY_MS));
    socket.addEventListener('message', ({ data }) => this.onMessage(data));
    // An `error` event without a listener would end the process; a `close` event always follows.
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', () => this.openLater());
    this.socket = socket;
  }

  close(): void {
    this.isClosed = true;
    this.socket?.close();
  }

  private openLater(): void {
    this.socket = null;
    if (this.isClosed) return;
    this.isWaiting = true;
    this.settings.clock.after(this.retryMs, () => {
      this.isWaiting = false;
      this.open();
    });
    this.retryMs = Math.min(this.retryMs * 2, MAX_RETRY_MS);
  }

  /** Ignores binary messages, which are previews. */
  private onMessage(data: unknown): void {
    const message = typeof data === 'string' ? parseJson(Buffer.from(data)) : null;
    if (!isRecord(message) || !isRecord(message['data'])) return;
    this.settings.onMessage(message['type'], message['data']);
    const { prompt_id: promptId, node } = message['data'];
    // `executing` without a node marks the end: unlike `execution_success`, it is sent after the history has the entry.
    const isNews = message['type'] === 'execution_start' || (message['type'] === 'executing' && node === null);
    if (isNews && typeof promptId === 'string') this.settings.onEvent(promptId);
  }
}

function toSocketUrl(url: string, clientId: string): URL {
  const socketUrl = new URL(url);
  socketUrl.protocol = socketUrl.protocol === 'https:' ? 'wss:' : 'ws:';
  socketUrl.pathname = `${socketUrl.pathname.replace(/\/$/, '')}/ws`;
  socketUrl.search = new URLSearchParams({ clientId }).toString();
  return socketUrl;
}
