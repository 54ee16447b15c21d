import type { ServerResponse } from 'node:http';
import { sendWithoutEnd, truncate } from '../../conformance/files.fixtures';
import {
  answerJson as sendJson,
  type FaultyServer,
  type ReceivedHttpRequest,
} from '../../http/fake-http-server.fixtures';
import { isRecord, parseJson } from '../../http/json-answer';
import type { Graph } from '../graph';
import type { FakeFiles } from './fake-files.fixtures';
import type { FakePrompts, PromptEntry } from './fake-prompts.fixtures';
import { NODE_CLASSES } from './node-classes.fixtures';
import { validatePrompt } from './validate-prompt.fixtures';

const FOLDERS = ['checkpoints', 'loras', 'vae', 'text_encoders', 'diffusion_models'];

/** The first release of 0.3 that supports an interrupt by id. */
const INTERRUPTS_BY_ID = 57;

/** The state that the routes read and change. */
export interface FakeServer extends Pick<FaultyServer, 'fault'> {
  readonly version: string;
  readonly missingModels: ReadonlySet<string>;
  readonly prompts: FakePrompts;
  readonly files: FakeFiles;
  globalInterrupts: number;
  take(promptId: string, graph: Graph, extraData: Record<string, unknown>, outputs: string[]): number;
  entryOf(promptId: string): PromptEntry | null;
  installed(folder: string): string[];
  interruptRunning(): void;
}

/** The answer of each route; faults come first. */
export class ComfyuiRoutes {
  constructor(private readonly fake: FakeServer) {}

  answer(request: ReceivedHttpRequest, response: ServerResponse): void {
    const { method, path, headers } = request;
    const { pathname, searchParams } = new URL(path, 'http://comfyui');
    if (this.fake.fault('lock_out')) return sendText(response, 401, 'Unauthorized');
    if (headers['origin'] !== undefined) return void response.writeHead(403).end();
    if (method === 'POST') return this.post(pathname, request, response);
    const isQuestion = /^\/(queue|history|view)/.test(pathname);
    const redirect = this.fake.fault('redirect');
    if (redirect && isQuestion) return void response.writeHead(302, { location: redirect.to + path }).end();
    if (pathname === '/view') return this.view(searchParams, response);
    if (this.fake.fault('fall_silent') && isQuestion) return;
    if (this.fake.fault('answer_in_html') && isQuestion) return void response.end('<html>Welcome</html>');
    this.get(pathname, response);
  }

  private get(pathname: string, response: ServerResponse): void {
    const { prompts, version } = this.fake;
    const [, route, id = ''] = pathname.split('/');
    if (route === 'queue') return sendJson(response, 200, this.queue());
    if (route === 'prompt') return sendJson(response, 200, { exec_info: { queue_remaining: prompts.queueRemaining } });
    if (route === 'history') {
      const entry = this.fake.entryOf(id);
      return sendJson(response, 200, entry ? { [id]: entry } : {});
    }
    if (route === 'system_stats') return sendJson(response, 200, systemStats(version));
    if (route === 'object_info') return sendJson(response, 200, NODE_CLASSES[id] ? { [id]: objectInfo(id) } : {});
    if (route === 'models' && FOLDERS.includes(id)) return sendJson(response, 200, this.fake.installed(id));
    if (route === 'models') return void response.writeHead(404).end();
    response.writeHead(404, { 'content-type': 'application/octet-stream' }).end();
  }

  private post(pathname: string, request: ReceivedHttpRequest, response: ServerResponse): void {
    if (pathname === '/upload/image') return this.upload(request, response);
    const json = parseJson(request.body);
    if (pathname === '/interrupt') return this.interrupt(json, response);
    // The server answers a body that is not a JSON object with 500, not 400.
    if (!isRecord(json)) return breakDown(response);
    if (pathname === '/prompt') return this.submit(json, response);
    const ids = Array.isArray(json['delete']) ? (json['delete'] as string[]) : [];
    for (const id of ids)
      if (pathname === '/history') this.fake.prompts.history.delete(id);
      else if (pathname === '/queue' && !this.fake.fault('ignore_cancels')) this.fake.prompts.pending.delete(id);
    response.writeHead(200).end();
  }

  private submit(body: Record<string, unknown>, response: ServerResponse): void {
    const refusal = this.fake.fault('refuse');
    if (refusal) return refuse(response, refusal.status, refusal.retryAfterSeconds);
    const rejection = this.fake.fault('reject');
    if (rejection && rejection.status !== 400) return sendText(response, rejection.status, 'Unprocessable');
    const graph = body['prompt'] as Graph;
    // Simulates a node of another version with one more input.
    if (rejection) return sendJson(response, 400, missingInput(graph));
    const disk = {
      hasModel: (_folder: string, file: string) => !this.fake.missingModels.has(file),
      hasUpload: (name: string) => this.fake.files.findUpload(name) !== null,
    };
    const { error, nodeErrors, outputs } = validatePrompt(graph, this.fake.version, disk);
    if (error) return sendJson(response, 400, { error, node_errors: nodeErrors });
    const promptId = String(body['prompt_id']);
    const extraData = { ...(body['extra_data'] as object), client_id: body['client_id'] };
    const number = this.fake.take(promptId, graph, extraData, outputs);
    if (this.fake.fault('lose_answers')) return void response.destroy();
    if (this.fake.fault('break_down')) return breakDown(response);
    const errors = this.fake.fault('accept_with_errors') ? missingInput(graph).node_errors : nodeErrors;
    sendJson(response, 200, { prompt_id: promptId, number, node_errors: errors });
  }

  private interrupt(body: unknown, response: ServerResponse): void {
    const { prompts, version } = this.fake;
    const promptId = isRecord(body) ? body['prompt_id'] : undefined;
    const isGlobal = typeof promptId !== 'string' || isBefore(version, INTERRUPTS_BY_ID);
    if (isGlobal) this.fake.globalInterrupts += 1;
    if ((isGlobal || prompts.running?.item[1] === promptId) && !this.fake.fault('ignore_cancels'))
      this.fake.interruptRunning();
    response.writeHead(200).end();
  }

  private upload({ body, headers }: ReceivedHttpRequest, response: ServerResponse): void {
    const refusal = this.fake.fault('refuse');
    if (refusal) return refuse(response, refusal.status, refusal.retryAfterSeconds);
    const upload = readUpload(body, headers['content-type'] ?? '');
    if (!upload || upload.subfolder.includes('..')) return void response.writeHead(400).end();
    const file = this.fake.files.upload(upload.filename, upload.bytes, upload.subfolder, upload.isOverwriting);
    sendJson(response, 200, { name: file.filename, subfolder: file.subfolder, type: file.type });
  }

  private view(query: URLSearchParams, response: ServerResponse): void {
    const [filename, subfolder, type] = ['filename', 'subfolder', 'type'].map((name) => query.get(name) ?? '');
    const file = this.fake.files.find({ filename: filename ?? '', subfolder: subfolder ?? '', type: type || 'output' });
    if (!file || this.fake.fault('expire_outputs')) return void response.writeHead(404).end();
    response.setHeader('content-type', file.mime);
    response.setHeader('content-disposition', `filename="${filename}"`);
    if (this.fake.fault('truncate_outputs')) return truncate(response, file.bytes);
    if (this.fake.fault('oversize_outputs')) return sendWithoutEnd(response);
    response.end(file.bytes);
  }

  private queue(): object {
    const { pending, running } = this.fake.prompts;
    // A prompt with a status in the history has left the queue.
    if (this.fake.fault('say_status')) return { queue_running: [], queue_pending: [] };
    return { queue_running: running ? [running.item] : [], queue_pending: pending.items };
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

function breakDown(response: ServerResponse): void {
  sendText(response, 500, '500 Internal Server Error\n\nServer got itself in trouble');
}

/** The answer of a reverse proxy; the server itself is never full. */
function refuse(response: ServerResponse, status: number, retryAfterSeconds?: number): void {
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
  sendText(response, status, 'Busy');
}

function missingInput(graph: Graph): { error: object; node_errors: Record<string, object> } {
  const [id = '1', node] = Object.entries(graph)[0] ?? [];
  const error = {
    type: 'required_input_missing',
    message: 'Required input is missing',
    details: 'novelty',
    extra_info: { input_name: 'novelty' },
  };
  return {
    error: {
      type: 'prompt_outputs_failed_validation',
      message: 'Prompt outputs failed validation',
      details: '',
      extra_info: {},
    },
    node_errors: { [id]: { errors: [error], dependent_outputs: [], class_type: node?.class_type } },
  };
}

function isBefore(version: string, patch: number): boolean {
  const [, minor, third] = version.split('.').map(Number);
  return minor === 3 && (third ?? 0) < patch;
}

function systemStats(version: string): object {
  return {
    system: {
      os: version.startsWith('0.3.') ? 'posix' : 'linux',
      ram_total: 1,
      ram_free: 1,
      comfyui_version: version,
      python_version: '3.11',
      argv: ['main.py'],
    },
    devices: [
      { name: 'cpu', type: 'cpu', index: null, vram_total: 1, vram_free: 1, torch_vram_total: 1, torch_vram_free: 1 },
    ],
  };
}

function objectInfo(name: string): object {
  const { inputs = {}, isOutput = false } = NODE_CLASSES[name] ?? {};
  const required = Object.keys(inputs);
  return {
    input: { required: Object.fromEntries(required.map((input) => [input, [[]]])) },
    input_order: { required },
    name,
    display_name: name,
    description: '',
    python_module: 'nodes',
    category: '',
    output: [],
    output_is_list: [],
    output_name: [],
    output_node: isOutput,
  };
}

export interface Upload {
  filename: string;
  bytes: Buffer;
  subfolder: string;
  isOverwriting: boolean;
}

/** Parses a multipart form like the server; null without a part named `image`. */
export function readUpload(body: Buffer, contentType: string): Upload | null {
  const [, boundary] = /boundary=(.+)$/.exec(contentType) ?? [];
  if (boundary === undefined) return null;
  // Latin-1 has one character for each byte, so positions in the text are positions in the bytes.
  const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1).map(readPart);
  const valueOf = (wanted: string): string => parts.find(({ name }) => name === wanted)?.value.toString('utf8') ?? '';
  const image = parts.find(({ name }) => name === 'image');
  if (!image?.filename) return null;
  const isOverwriting = ['true', '1'].includes(valueOf('overwrite'));
  return { filename: image.filename, bytes: image.value, subfolder: valueOf('subfolder'), isOverwriting };
}

function readPart(part: string): { name: string | undefined; filename: string | undefined; value: Buffer } {
  const end = part.indexOf('\r\n\r\n');
  const head = part.slice(0, end);
  return {
    name: /[; ]name="([^"]*)"/.exec(head)?.[1],
    filename: /filename="([^"]*)"/.exec(head)?.[1],
    value: Buffer.from(part.slice(end + 4, -2), 'latin1'),
  };
}
