import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { writeBenchCatalog } from '../bench-catalog';

interface Task {
  prompt: string;
  width: number;
}

const CAPACITY = { concurrency: 1_000, interleaves: true };

/** A worker that speaks the sandbox's protocol and draws nothing: each task has ended when it is submitted. */
export class ReadyBackend {
  private readonly tasks = new Map<string, Task>();

  private constructor(
    private readonly server: Server,
    readonly configDir: string,
    private readonly fileOf: (task: Task) => Buffer,
  ) {}

  /** Also writes a catalog and a `providers.yaml` that name this backend. */
  static async start(fileOf: (task: Task) => Buffer): Promise<ReadyBackend> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const configDir = await mkdtemp(path.join(os.tmpdir(), 'kinora-bench-config-'));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const providers = [{ id: 'sandbox', type: 'sandbox', url, concurrency: CAPACITY.concurrency }];
    await writeFile(path.join(configDir, 'providers.yaml'), JSON.stringify({ providers }));
    await writeBenchCatalog(configDir);
    const backend = new ReadyBackend(server, configDir, fileOf);
    server.on('request', (request, response) => void backend.serve(request, response));
    return backend;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.configDir, { recursive: true });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://backend');
    const [, , , id = '', outputs] = pathname.split('/');
    const task = this.tasks.get(id);
    if (request.method === 'PUT') {
      this.tasks.set(id, (await json(request)) as Task);
      return answer(response, this.toTask(id));
    }
    if (outputs !== undefined && task) return void response.end(this.fileOf(task));
    if (pathname === '/v1/capabilities') return answer(response, CAPACITY);
    const ids = (searchParams.get('ids') ?? '').split(',').filter((one) => this.tasks.has(one));
    answer(response, { tasks: ids.map((one) => this.toTask(one)), not_found: [] });
  }

  private toTask(id: string): object {
    return { id, state: 'succeeded', outputs: [{ mime: 'image/png' }], gpu_ms: null };
  }
}

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
