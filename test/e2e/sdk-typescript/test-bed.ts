import type { Account } from '@kinora/contracts/billing/account';
import { Client } from 'pg';
import { FaultyProxy } from '../../support/faulty-proxy';
import { LocalStack } from '../../support/local-stack';
import { openAccount } from '../../support/operator';
import { ClientProject } from '../../support/packed-client';

/** A stack, a proxy before it, and a project that has installed the client, for all sections of the suite. */
export class ClientTestBed {
  stack!: LocalStack;
  proxy!: FaultyProxy;
  project!: ClientProject;
  private database!: Client;

  async start(): Promise<void> {
    [this.stack, this.project] = await Promise.all([LocalStack.start(), ClientProject.create()]);
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

  /** The jobs of an account, with what each was charged. */
  async jobsOf(accountId: string): Promise<{ id: string; status: string; price_micros: number }[]> {
    const select = 'SELECT id, status, price_micros::float8 AS price_micros FROM jobs.job WHERE account_id = $1';
    return (await this.database.query<{ id: string; status: string; price_micros: number }>(select, [accountId])).rows;
  }
}
