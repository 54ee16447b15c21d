import type { Stack } from '../../../deploy/local/stack-file';
import { createBusyAccounts } from '../busy-accounts';
import { StatementFloor } from '../floors/statement-floor';
import { KinoraClient } from '../kinora-client';

const ACCOUNTS = 64;

/** The compared requests: creates and reads of one stack, and the same create as one statement. */
export class ComparedRequests {
  private constructor(
    private readonly client: KinoraClient,
    private readonly statement: StatementFloor,
  ) {}

  static async open({ base_url, nats_url, database_url }: Stack, connections: number): Promise<ComparedRequests> {
    const apiKeys = await createBusyAccounts(nats_url, ACCOUNTS);
    const statement = new StatementFloor(database_url);
    await statement.prepare();
    return new ComparedRequests(new KinoraClient(base_url, apiKeys, connections), statement);
  }

  create(): Promise<unknown> {
    return this.client.create();
  }

  /** By their names in a legend. */
  get byName(): Record<string, () => Promise<unknown>> {
    return {
      'floor: one SQL statement': () => this.statement.create(),
      'POST /images/generations': () => this.create(),
      'GET /jobs/{id}': () => this.client.getAny(),
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.client.close(), this.statement.close()]);
  }
}
