import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Account } from '@kinora/contracts/billing/account';
import { HttpsReceiver, RECEIVER_AUTHORITY_FILE } from '@kinora/testing';
import { Client } from 'pg';
import { FaultyProxy } from '../../support/faulty-proxy';
import { LocalStack } from '../../support/local-stack';
import { openAccount } from '../../support/operator';
import { ClientProject } from '../../support/packed-client';

/** Drawing a default image of this model takes little of the tests' time; its price is that of the built-in model. */
const CATALOG = {
  models: [
    {
      ...{ id: 'fast-image', type: 'image', label: 'Small image', price: { micros: 5_000, per: 'image' } },
      capabilities: {
        t2i: true,
        sizes: ['128x128', '512x512'],
        max_n: 4,
        max_refs: 0,
        loras: 'catalog',
        sandbox: true,
      },
      ...{ sync_wait_ms: 10_000, queue_timeout_ms: 60_000, run_timeout_ms: 60_000, max_backlog: 50_000 },
      routes: [{ provider: 'sandbox' }],
    },
  ],
};

/** A stack, a proxy before it, and a project that has installed the client, for all sections of the suite. */
export class ClientTestBed {
  stack!: LocalStack;
  proxy!: FaultyProxy;
  project!: ClientProject;
  /** Where webhooks may go. */
  receiver!: HttpsReceiver;
  private database!: Client;
  private configDir!: string;

  async start(): Promise<void> {
    this.receiver = await HttpsReceiver.start();
    this.configDir = await mkdtemp(path.join(os.tmpdir(), 'kinora-client-'));
    await writeFile(path.join(this.configDir, 'catalog.yaml'), JSON.stringify(CATALOG));
    const env = {
      KINORA_CONFIG_DIR: this.configDir,
      KINORA_EGRESS_ALLOW: `127.0.0.1:${this.receiver.port}`,
      NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
    };
    [this.stack, this.project] = await Promise.all([LocalStack.start({ env }), ClientProject.create()]);
    const { base_url, database_url } = await this.stack.describe();
    this.proxy = await FaultyProxy.start(base_url);
    this.database = new Client({ connectionString: database_url });
    await this.database.connect();
  }

  async stop(): Promise<void> {
    await this.database.end();
    await this.proxy.close();
    await this.project.remove();
    await this.stack.stop();
    await this.receiver.close();
    await rm(this.configDir, { recursive: true });
  }

  /** A fresh account, and the environment of a program that uses it. */
  async openAccount() {
    const opened = await openAccount(this.stack);
    const { base_url } = await this.stack.describe();
    return {
      ...opened,
      direct: { KINORA_API_KEY: opened.apiKey, KINORA_BASE_URL: base_url },
      throughProxy: { KINORA_API_KEY: opened.apiKey, KINORA_BASE_URL: `${this.proxy.origin}/v1` },
      spentMicros: async () => 10_000_000 - (await opened.client.read<Account>('/account')).balance_micros,
    };
  }

  async jobsOf(accountId: string): Promise<{ id: string; status: string; price_micros: number }[]> {
    const select = 'SELECT id, status, price_micros::float8 AS price_micros FROM jobs.job WHERE account_id = $1';
    return (await this.database.query<{ id: string; status: string; price_micros: number }>(select, [accountId])).rows;
  }
}
