import type { IncomingHttpHeaders } from 'node:http';
import OpenAI from 'openai';
import type { Client } from 'pg';
import sharp from 'sharp';
import type { ApiClient } from './api-client';
import { CuttingProxy } from './cutting-proxy';
import { LocalStack } from './local-stack';
import { openAccount } from './operator';

/** An account with clients of OpenAI that reach the stack through a proxy. */
export interface OpenAiAccount {
  accountId: string;
  apiKey: string;
  /** The client of /v1, which does not go through the proxy. */
  client: ApiClient;
  baseURL: string;
  openai: OpenAI;
}

/** A whole stack behind a proxy that can cut connections. */
export class OpenAiStack {
  private constructor(
    readonly stack: LocalStack,
    readonly proxy: CuttingProxy,
    readonly database: Client,
  ) {}

  static async start(): Promise<OpenAiStack> {
    const stack = await LocalStack.shared();
    const { base_url } = await stack.describe();
    return new OpenAiStack(stack, await CuttingProxy.start(base_url), await stack.connect());
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    await this.stack.stop();
  }

  async open(): Promise<OpenAiAccount> {
    const { accountId, apiKey, client } = await openAccount(this.stack);
    const baseURL = `${this.proxy.origin}/openai/v1`;
    return { accountId, apiKey, client, baseURL, openai: new OpenAI({ apiKey, baseURL }) };
  }

  /** Drops the connections of the requests that are chosen, after the request was passed on. */
  cutIf(isCut: (headers: IncomingHttpHeaders) => boolean): void {
    this.proxy.cuts = isCut;
  }

  async jobsOf(accountId: string, status = 'succeeded'): Promise<number> {
    const count = 'SELECT count(*)::integer AS jobs FROM jobs.job WHERE account_id = $1 AND status = $2';
    const { rows } = await this.database.query<{ jobs: number }>(count, [accountId, status]);
    return rows[0]?.jobs ?? 0;
  }

  async jobsInFlight(accountId: string): Promise<number> {
    return (await this.jobsOf(accountId, 'queued')) + (await this.jobsOf(accountId, 'processing'));
  }
}

/** The format and the size of an image in base64. */
export async function sizeOf(b64_json = ''): Promise<string> {
  const { width, height, format } = await sharp(Buffer.from(b64_json, 'base64')).metadata();
  return `${format} ${width}x${height}`;
}

export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}
