import type { Account } from '@kinora/contracts/billing/account';
import { HttpsReceiver, RECEIVER_AUTHORITY_FILE } from '@kinora/testing';
import type { Client } from 'pg';
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

  async start(): Promise<void> {
    this.receiver = await HttpsReceiver.start();
    const env = {
      KINORA_EGRESS_ALLOW: `127.0.0.1:${this.receiver.port}`,
      NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE,
    };
    [this.stack, this.project] = await Promise.all([
      LocalStack.start({ env, config: { 'catalog.yaml': CATALOG } }),
      ClientProject.create(),
    ]);
    this.proxy = await FaultyProxy.start((await this.stack.describe()).base_url);
    this.database = await this.stack.connect();
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    await this.project.remove();
    await this.stack.stop();
    await this.receiver.close();
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
