import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { connectBus } from '@kinora/bus';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Model } from '@kinora/contracts/catalog/model';
import { HttpsReceiver, RECEIVER_AUTHORITY_FILE } from '@kinora/testing';
import type { ApiClient } from '../../support/api-client';
import { LocalStack } from '../../support/local-stack';
import { openAccount } from '../../support/operator';

/** A sandbox job with this in its prompt stays in flight for longer than any test, and draws nothing. */
export const DELAY = '[[delay:55s]]';

type Admin = Awaited<ReturnType<typeof connectBus>>;

/** The shared parts of the suite: one stack, a receiver that stands for the internet, an account with high limits. */
export class TestBed {
  stack!: LocalStack;
  receiver!: HttpsReceiver;
  /** The key of an account without effective limits. */
  client!: ApiClient;
  accountId!: string;
  /** A second key of the same account, for requests that the client cannot send. */
  apiKey!: string;
  /** The built-in catalog by id, as in the API. */
  models!: ReadonlyMap<string, Model>;
  private admin!: Admin;
  private startedAt!: string;

  async start(): Promise<void> {
    this.receiver = await HttpsReceiver.start();
    this.stack = await LocalStack.start({
      env: {
        KINORA_EGRESS_ALLOW: `127.0.0.1:${this.receiver.port}`,
        NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
        // The suite sends far more invalid keys and paths than a client may.
        KINORA_ADDRESS_RATE_LIMIT_RPM: '1000000',
        // A job of a valid body is not what the sections about invalid ones wait for.
        KINORA_OPENAI_WAIT_SECONDS: '1',
      },
    });
    const account = await openAccount(this.stack, { balance_micros: 1_000_000_000_000, rate_limit_rpm: 1_000_000 });
    this.client = account.client;
    this.accountId = account.accountId;
    this.admin = await connectBus((await this.stack.describe()).nats_url, 'e2e');
    this.apiKey = (await this.createKey()).api_key;
    const { body } = await this.client.get<{ data: Model[] }>('/models');
    this.models = new Map(body.data.map((model) => [model.id, model]));
    this.startedAt = new Date().toISOString();
  }

  async stop(): Promise<void> {
    await this.admin.close();
    await this.stack.stop();
    await this.receiver.close();
  }

  get port(): number {
    return Number(new URL(this.client.baseUrl).port);
  }

  /** The address of a third-party server, as a client would write it. */
  remote(pathname: string): string {
    return `https://127.0.0.1:${this.receiver.port}${pathname}`;
  }

  /** The internal errors that services logged since the start, during which a busy machine may miss the deadline of a connection. */
  async failuresInLogs(): Promise<string[]> {
    const folder = path.join(this.stack.dataDir, 'logs');
    const files = (await readdir(folder)).filter((file) => !/^(nats|postgres)/.test(file));
    const logs = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
    const errors = logs.flatMap((log) => log.split('\n')).filter((line) => /"level":"(error|fatal)"/.test(line));
    return errors.filter((line) => (JSON.parse(line) as { time: string }).time > this.startedAt);
  }

  /** The longest stall of the gateway's event loop in milliseconds since the last call. */
  async longestStandstillMs(): Promise<number> {
    return (await this.gatewayMetric('nodejs_eventloop_lag_max_seconds')) * 1_000;
  }

  /** The processor time that the gateway has used, which other load on the machine does not change. */
  gatewayCpuSeconds(): Promise<number> {
    return this.gatewayMetric('process_cpu_seconds_total');
  }

  private async gatewayMetric(name: string): Promise<number> {
    const { gateway } = (await this.stack.describe()).processes;
    const metrics = await (await fetch(new URL('/metrics', gateway?.health_url))).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
  }

  createKey(expiresAt?: string): Promise<{ api_key: string; api_key_id: string }> {
    const expiry = expiresAt === undefined ? {} : { expires_at: expiresAt };
    return this.admin.bus.request(billingAdminRpc.createKey, { account_id: this.accountId, name: 'e2e', ...expiry });
  }

  async revokeKey(apiKeyId: string): Promise<void> {
    await this.admin.bus.request(billingAdminRpc.revokeKey, { api_key_id: apiKeyId });
  }

  async setStatus(accountId: string, status: 'active' | 'paused' | 'suspended' | 'closed'): Promise<void> {
    await this.admin.bus.request(billingAdminRpc.setStatus, { account_id: accountId, status });
  }
}
