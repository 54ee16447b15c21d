import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import { type CreateJobRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { JOB, type TestContexts } from './contexts.fixtures';
import { GatewayTestBed } from './gateway.fixtures';
import type { TestResponse } from './http-client.fixtures';
import { greyPng } from './image.fixtures';

/** A multipart body with its content type. */
export interface SentForm {
  headers: { 'Content-Type': string };
  body: Buffer;
}

/** The values of each field, or the only one. A Buffer is a file. */
export type Fields = Record<string, string | Buffer | (string | Buffer)[]>;

/** The form as fetch sends it, with another boundary each time. */
export async function toForm(fields: Fields, type = 'image/png'): Promise<SentForm> {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat())
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, new Blob([new Uint8Array(value)], { type }), 'image.png');
  const sent = new Response(form);
  const headers = { 'Content-Type': sent.headers.get('content-type') ?? '' };
  return { headers, body: Buffer.from(await sent.arrayBuffer()) };
}

/** An edit of one image, with more or other fields. */
export function editForm(more: Fields = {}, type?: string): Promise<SentForm> {
  return toForm({ prompt: 'warmer', image: greyPng(80, 64), ...more }, type);
}

export const EDITS = '/openai/v1/images/edits';
export const ENDED_EDIT: Job = {
  ...JOB,
  kind: 'image.edit',
  status: 'succeeded',
  completed_at: '2026-11-20T09:00:03.000Z',
  output: { images: [{ url: 'http://gateway.test/files/edited', mime: 'image/png' }] },
} as Job;
export const EDITED_BYTES = randomBytes(50_000);
const FILE = { object_key: 'outputs/spec/edited.png', mime: 'image/png', bytes: EDITED_BYTES.length };

/** A gateway whose contexts answer edits. */
export class EditsTestBed extends GatewayTestBed {
  override async start(settings: NodeJS.ProcessEnv = {}): Promise<void> {
    await super.start(settings);
    await this.gateway.objects.put(FILE.object_key, EDITED_BYTES, { mime: FILE.mime });
  }

  /** Forgets what was sent and stored before. */
  override async reset(): Promise<void> {
    for (const name of await this.storedInputs()) await rm(join(this.inputsDir, name));
    this.contexts.reset();
    answerEdits(this.contexts);
  }

  post({ headers, body }: SentForm, more = {}): Promise<TestResponse> {
    return this.client.send('POST', EDITS, { headers: { ...headers, ...more }, body });
  }

  storedInputs(): Promise<string[]> {
    return readdir(this.inputsDir).catch(() => []);
  }

  created(): Extract<CreateJobRequest, { kind: 'image.edit' }> {
    const request = this.contexts.of(jobsRpc.create).at(-1);
    if (request?.kind !== 'image.edit') throw new Error('jobs received no image.edit request');
    return request;
  }

  private get inputsDir(): string {
    return join(this.objectStoreDir, 'inputs');
  }
}

function answerEdits(contexts: TestContexts): void {
  contexts.on(catalogRpc.listAliases, () => ({
    data: [
      { alias: 'gpt-image-1', operation: 'image.generation', model: 'general-image' },
      { alias: 'gpt-image-1', operation: 'image.edit', model: 'image-edit' },
    ],
  }));
  contexts.on(jobsRpc.quote, () => ({ price_micros: 1000 }));
  contexts.on(jobsRpc.create, () => ({ job: ENDED_EDIT, replayed: false }));
  contexts.on(jobsRpc.listOutputFiles, () => ({ files: [FILE] }));
}
