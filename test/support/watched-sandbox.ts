import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { LocalStack } from './local-stack';

const TASK = /^\/v1\/tasks\/([\w-]+)$/;
const ENDED = new Set(['succeeded', 'failed', 'canceled']);

export interface Submission {
  id: string;
  prompt: string;
  receivedAtMs: number;
}

/** A stack's sandbox behind a proxy that records the submitted tasks, their order, and how many run concurrently. */
export class WatchedSandbox {
  /** Each task as often as it was submitted. */
  readonly submissions: Submission[] = [];
  mostAtOnce = 0;
  private readonly underWay = new Set<string>();
  private target: string | null = null;
  private answering: Promise<void> = Promise.resolve();

  private constructor(
    private readonly server: Server,
    /** For `KINORA_CONFIG_DIR` of the stack. */
    readonly configDir: string,
    private readonly instances: ({ id: string } & Record<string, unknown>)[],
  ) {
    server.on('request', (request, response) => {
      this.pass(request, response).catch(() => response.destroy());
    });
  }

  /** @param concurrency the concurrent tasks of all processes there. */
  static async start(concurrency: number): Promise<WatchedSandbox> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-config-'));
    const instance = { id: 'sandbox', type: 'sandbox', url: `http://127.0.0.1:${port}`, concurrency } as const;
    const sandbox = new WatchedSandbox(server, folder, [instance]);
    await sandbox.writeInstances();
    return sandbox;
  }

  /** Adds another backend, an entry of providers.yaml; call it before the stack starts. */
  async addInstance(instance: { id: string } & Record<string, unknown>): Promise<void> {
    this.instances.push(instance);
    await this.writeInstances();
  }

  async watch(stack: LocalStack): Promise<void> {
    const { sandbox } = (await stack.describe()).processes;
    this.target = new URL(sandbox?.health_url ?? '').origin;
  }

  /** Accepts tasks without a response, until it is released. */
  holdAnswers(): () => void {
    let release = (): void => undefined;
    this.answering = new Promise((resolve) => (release = resolve));
    return release;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.configDir, { recursive: true });
  }

  private async writeInstances(): Promise<void> {
    await writeFile(path.join(this.configDir, 'providers.yaml'), JSON.stringify({ providers: this.instances }));
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const receivedAtMs = Date.now();
    const body = await buffer(request);
    const submitted = method === 'PUT' ? TASK.exec(url)?.[1] : undefined;
    if (submitted !== undefined) this.noteSubmission(submitted, body, receivedAtMs);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.target}${url}`, { method, ...(body.length > 0 && { body, headers }) });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (method === 'GET' && url.startsWith('/v1/tasks?')) this.noteEnds(bytes);
    if (submitted !== undefined) await this.answering;
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(bytes);
  }

  private noteSubmission(id: string, body: Buffer, receivedAtMs: number): void {
    const { prompt } = JSON.parse(body.toString()) as { prompt: string };
    this.submissions.push({ id, prompt, receivedAtMs });
    this.underWay.add(id);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.underWay.size);
  }

  /** Recorded before the response, so that a later submission of the same task is always recorded later. */
  private noteEnds(bytes: Buffer): void {
    const { tasks } = JSON.parse(bytes.toString()) as { tasks: { id: string; state: string }[] };
    for (const { id, state } of tasks) if (ENDED.has(state)) this.underWay.delete(id);
  }
}
