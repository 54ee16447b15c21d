import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { BackendRun } from './history';
import type { BACKEND_FAULTS } from './fault-plan';

export type Misbehaviour = (typeof BACKEND_FAULTS)[number];

const LATE_MS = 3_000;
const TAG = / a lake ([\w-]+)/;
/** A process that is stopped now is stopped while it collects the output. */
const HELD_MS = 500;
const OUTPUT = /\/outputs\/\d+$/;

interface Tasks {
  tasks?: { id: string; state: string; outputs: unknown[] }[];
  not_found?: string[];
}

/** The sandbox behind a server that records which tasks it accepts, and misbehaves on demand. */
export class WitnessedBackend {
  runs: BackendRun[] = [];
  target = '';
  /** How many answers the misbehaviour has changed. */
  changed = 0;
  private misbehaviour: Misbehaviour | null = null;
  private readonly outputs = new EventEmitter();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.pass(request, response).catch(() => response.destroy()));
  }

  static async start(): Promise<WitnessedBackend> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WitnessedBackend(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  begin(misbehaviour: Misbehaviour): void {
    this.misbehaviour = misbehaviour;
    this.changed = 0;
  }

  end(): void {
    this.misbehaviour = null;
  }

  /** Resolves when a process of jobs begins to fetch an output, whose answer is then held for a moment; or after the time. */
  async untilFetched(withinMs: number): Promise<void> {
    await once(this.outputs, 'fetched', { signal: AbortSignal.timeout(withinMs) }).catch(() => undefined);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const body = await buffer(request);
    if (OUTPUT.test(url) && this.outputs.emit('fetched')) await delay(HELD_MS);
    const send = () =>
      fetch(`${this.target}${url}`, {
        method,
        ...(body.length > 0 && { body, headers: { 'content-type': 'application/json' } }),
      });
    if (method === 'PUT' && this.strikes('duplicate')) await send();
    let answer = await send();
    let bytes = Buffer.from(await answer.arrayBuffer());
    if (method === 'PUT' && answer.status === 202) this.note(url, body);
    if (method === 'PUT' && this.strikes('late')) await delay(LATE_MS);
    if (method === 'GET' && answer.status === 200 && url.startsWith('/v1/tasks?')) bytes = this.rewrite(bytes);
    if (OUTPUT.test(url) && this.strikes('garble')) bytes = bytes.subarray(0, bytes.length / 2);
    if (OUTPUT.test(url) && this.strikes('forget')) answer = new Response(null, { status: 404 });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(bytes);
  }

  private strikes(misbehaviour: Misbehaviour): boolean {
    if (this.misbehaviour !== misbehaviour) return false;
    this.changed += 1;
    return true;
  }

  private note(url: string, body: Buffer): void {
    const { prompt } = JSON.parse(body.toString()) as { prompt: string };
    this.runs.push({ task: url.split('/').at(-1) ?? '', tag: TAG.exec(prompt)?.[1] ?? '', atMs: performance.now() });
  }

  /** `forget`: no task is known. `lie`: each has succeeded, without an output. */
  private rewrite(bytes: Buffer): Buffer<ArrayBuffer> {
    const { tasks = [], not_found = [] } = JSON.parse(bytes.toString()) as Tasks;
    if (tasks.length > 0 && this.strikes('forget'))
      return Buffer.from(JSON.stringify({ tasks: [], not_found: [...not_found, ...tasks.map(({ id }) => id)] }));
    if (tasks.length > 0 && this.strikes('lie'))
      return Buffer.from(
        JSON.stringify({ tasks: tasks.map((task) => ({ ...task, state: 'succeeded', outputs: [] })), not_found }),
      );
    return Buffer.from(bytes);
  }
}
