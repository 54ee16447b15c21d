import type { Egress } from '@kinora/egress';
import { ProviderUnreachable, type SubmitOutcome } from '../compute-provider.port';
import type { HttpAnswer } from '../http/bounded-exchange';
import { InstanceConnection } from '../http/instance-connection';
import { isRecord, parseJson } from '../http/json-answer';
import { toFormBody } from '../http/multipart';
import { type PromptEnd, parseHistory, type ServerFile, toViewPath } from './history-entry';
import { type QueueListing, parseQueue } from './queue-listing';
import { toRejectedSubmit } from '../http/submit-answer';
import { TransportError } from '../http/failure-words';

/** For uploads and prompts: an aborted submission must be looked up, and its work may run without use. */
const SUBMIT_TIMEOUT_MS = 60_000;
const FILE_TIMEOUT_MS = 120_000;
/** The listing of the queue holds the graph of every waiting prompt. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_FILE_BYTES = 128 * 1024 * 1024;

export interface ComfyuiServerSettings {
  url: string;
  headers: Record<string, string>;
  concurrency: number;
  egress: Egress;
  /** Timeout of all requests except submissions and files. */
  answerTimeoutMs: number;
}

/** The HTTP API of one ComfyUI server, as recorded from 0.3.75 and 0.12.1, which answer alike. */
export class ComfyuiServer {
  private readonly connection: InstanceConnection;
  private readonly answerBounds: { timeoutMs: number; maxAnswerBytes: number };

  constructor({ answerTimeoutMs, ...settings }: ComfyuiServerSettings) {
    this.connection = new InstanceConnection(settings);
    this.answerBounds = { timeoutMs: answerTimeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES };
  }

  /** @throws TransportError */
  async upload(bytes: Buffer, name: string, folder: string, signal: AbortSignal): Promise<HttpAnswer> {
    const form = toFormBody([
      { name: 'image', value: bytes, filename: name, contentType: 'image/png' },
      { name: 'type', value: 'input' },
      { name: 'subfolder', value: folder },
      // Without `overwrite`, the server stores other bytes under an existing name with another name.
      { name: 'overwrite', value: 'true' },
    ]);
    const bounds = { timeoutMs: SUBMIT_TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES };
    return await this.connection.send({ method: 'POST', to: '/upload/image', form, ...bounds, signal });
  }

  /** @throws TransportError */
  async submit(body: object, signal: AbortSignal): Promise<HttpAnswer> {
    const bounds = { timeoutMs: SUBMIT_TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES };
    return await this.connection.send({ method: 'POST', to: '/prompt', json: body, ...bounds, signal });
  }

  /** @throws ProviderUnreachable */
  async readQueue(): Promise<QueueListing> {
    const queue = parseQueue(await this.read('/queue'));
    if (!queue) throw new ProviderUnreachable('The answer of GET /queue has an unknown format.');
    return queue;
  }

  /** @throws ProviderUnreachable */
  async readHistory(promptId: string): Promise<PromptEnd | 'absent'> {
    const end = parseHistory(await this.read(`/history/${promptId}`), promptId);
    if (!end) throw new ProviderUnreachable('The answer of GET /history has an unknown format.');
    return end;
  }

  /** Deletes a waiting prompt, and no other. @throws ProviderUnreachable */
  async deletePending(promptId: string): Promise<void> {
    await this.command('/queue', { delete: [promptId] });
  }

  /**
   * Servers before 0.3.57 ignore the id and stop whatever runs, so call it only for a prompt that is seen running.
   * @throws ProviderUnreachable
   */
  async interrupt(promptId: string): Promise<void> {
    await this.command('/interrupt', { prompt_id: promptId });
  }

  /** Otherwise the server keeps ten thousand entries with their graphs. Files stay. @throws ProviderUnreachable */
  async deleteHistory(promptId: string): Promise<void> {
    await this.command('/history', { delete: [promptId] });
  }

  /** Takes effect when the current prompt is over. @throws ProviderUnreachable */
  async freeMemory(): Promise<void> {
    await this.command('/free', { unload_models: true, free_memory: true });
  }

  /** @throws ProviderUnreachable, InvalidUpstreamOutput */
  async fetchFile(file: ServerFile): Promise<Buffer> {
    const bounds = { timeoutMs: FILE_TIMEOUT_MS, maxBytes: MAX_FILE_BYTES };
    return await this.connection.fetchFile(toViewPath(file), bounds);
  }

  /** @throws ProviderUnreachable */
  async readVersion(): Promise<string> {
    const stats = await this.read('/system_stats');
    const system = isRecord(stats) && isRecord(stats['system']) ? stats['system'] : {};
    const version = system['comfyui_version'];
    if (typeof version !== 'string') throw new ProviderUnreachable('It does not answer as a ComfyUI server.');
    return version;
  }

  /** The number of prompts that wait or run, of all clients. @throws ProviderUnreachable */
  async countQueued(): Promise<number> {
    const answer = await this.read('/prompt');
    const info = isRecord(answer) && isRecord(answer['exec_info']) ? answer['exec_info'] : {};
    return Number(info['queue_remaining']) || 0;
  }

  /** Null for a class that the server does not have. @throws ProviderUnreachable */
  async readNode(nodeClass: string): Promise<{ isOutput: boolean } | null> {
    const answer = await this.read(`/object_info/${encodeURIComponent(nodeClass)}`);
    const node = isRecord(answer) ? answer[nodeClass] : undefined;
    return isRecord(node) ? { isOutput: node['output_node'] === true } : null;
  }

  /** Empty for a folder that the server does not have. @throws ProviderUnreachable */
  async listModels(folder: string): Promise<Set<string>> {
    const answer = await this.read(`/models/${encodeURIComponent(folder)}`, [200, 404]);
    return new Set(Array.isArray(answer) ? answer.filter((name) => typeof name === 'string') : []);
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  /** @throws ProviderUnreachable for any other status or no answer; undefined for an answer that is not JSON. */
  private async read(to: string, statuses = [200]): Promise<unknown> {
    const answer = await this.connection.send({ method: 'GET', to, ...this.answerBounds }).catch(toUnreachable);
    return parseJson(assertStatus(answer, statuses).body);
  }

  /** Always sends a JSON body: an interrupt with an empty or broken body stops whatever runs, and other commands answer 500. */
  private async command(to: string, json: object): Promise<void> {
    const answer = await this.connection.send({ method: 'POST', to, json, ...this.answerBounds }).catch(toUnreachable);
    assertStatus(answer, [200]);
  }
}

function assertStatus(answer: HttpAnswer, statuses: number[]): HttpAnswer {
  if (!statuses.includes(answer.status)) throw new ProviderUnreachable(`It answered ${answer.status}.`);
  return answer;
}

function toUnreachable(cause: unknown): never {
  throw new ProviderUnreachable('It did not answer.', { cause });
}

/**
 * Uploads a task's images into its own folder, since overwriting a file changes every prompt that names it. Returns the names
 * for the graph, or the outcome of the submission: where an upload fails, nothing is submitted.
 */
export async function uploadImages(
  server: ComfyuiServer,
  images: Buffer[],
  folder: string,
  signal: AbortSignal,
): Promise<{ names: string[] } | { outcome: SubmitOutcome }> {
  const names: string[] = [];
  for (const [index, bytes] of images.entries()) {
    const uploaded = await uploadImage(server, bytes, { name: `image-${index + 1}.png`, folder }, signal);
    if (typeof uploaded !== 'string') return { outcome: uploaded };
    names.push(uploaded);
  }
  return { names };
}

async function uploadImage(
  server: ComfyuiServer,
  bytes: Buffer,
  { name, folder }: { name: string; folder: string },
  signal: AbortSignal,
): Promise<string | SubmitOutcome> {
  try {
    const answer = await server.upload(bytes, name, folder, signal);
    const body = parseJson(answer.body);
    if (answer.status === 200 && isRecord(body) && typeof body['name'] === 'string')
      return typeof body['subfolder'] === 'string' && body['subfolder'] !== ''
        ? `${body['subfolder']}/${body['name']}`
        : body['name'];
    const outcome = toRejectedSubmit(answer);
    return outcome.kind === 'unknown' ? { kind: 'refused', retryAfterMs: null } : outcome;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { kind: 'refused', retryAfterMs: null };
  }
}
