import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { waitUntil } from '../../../deploy/local/wait-until';
import type { LocalStack } from '../../support/local-stack';
import { openAccount } from '../../support/operator';
import type { Receivers } from './receivers';

const ACCOUNTS = 32;
const ARRIVED_WITHIN_MS = 120_000;
const INSERT = `
  INSERT INTO webhook_dispatcher.delivery (id, event_id, event_type, account_id, job_id, host, url, body, next_attempt_at)
  SELECT id, 'evt_' || replace(id::text, '-', ''), 'job.succeeded', account_id::uuid, id, host, url, body, $6
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) AS row (id, account_id, host, url, body)`;
const LEFT = `
  SELECT count(*)::integer AS left FROM webhook_dispatcher.delivery WHERE status = 'pending' AND url = ANY ($1)`;
const GIVE_UP = `
  UPDATE webhook_dispatcher.delivery
  SET status = 'exhausted', next_attempt_at = NULL, completed_at = clock_timestamp(), fence = fence + 1
  WHERE status = 'pending'`;

/** Deliveries that fall due all at once, and the rate at which they are sent. */
export class DeliveryBacklog {
  private constructor(
    private readonly database: Client,
    private readonly accounts: string[],
  ) {}

  static async open(stack: LocalStack): Promise<DeliveryBacklog> {
    const database = new Client({ connectionString: (await stack.describe()).database_url });
    await database.connect();
    const accounts: string[] = [];
    for (let index = 0; index < ACCOUNTS; index++) accounts.push((await openAccount(stack)).accountId);
    return new DeliveryBacklog(database, accounts);
  }

  /** Deliveries a second, until all for responding receivers have arrived. */
  async perSecond(
    count: number,
    { receivers, hangingUrls }: { receivers: Receivers; hangingUrls: string[] },
  ): Promise<number> {
    const urls = [...receivers.urls, ...hangingUrls];
    const dueAt = new Date(Date.now() + 2_000);
    const rows = Array.from({ length: count }, (_, index) => {
      const [id, url] = [uuidv7(), urls[index % urls.length] ?? ''];
      const accountId = this.accounts[index % this.accounts.length] ?? '';
      return [id, accountId, new URL(url).host, url, sampleBody(`evt_${id.replaceAll('-', '')}`)];
    });
    await this.database.query(INSERT, [...[0, 1, 2, 3, 4].map((column) => rows.map((row) => row[column])), dueAt]);
    const begin = performance.now() + Math.max(0, dueAt.getTime() - Date.now());
    const expected = rows.filter(([, , , url = '']) => receivers.urls.includes(url)).length;
    const arrived = await receivers.takeUntil(expected, { timeoutMs: ARRIVED_WITHIN_MS });
    if (arrived.length < expected) throw new Error(`Only ${arrived.length} arrived.`);
    const perSecond = (expected * 1_000) / (performance.now() - begin);
    await waitUntil(async () => (await this.left(receivers.urls)) === 0, { timeoutMs: ARRIVED_WITHIN_MS });
    // Deletes the deliveries to hanging hosts, which would disturb the next round.
    await this.database.query(GIVE_UP);
    return perSecond;
  }

  close(): Promise<void> {
    return this.database.end();
  }

  private async left(urls: string[]): Promise<number> {
    return (await this.database.query<{ left: number }>(LEFT, [urls])).rows[0]?.left ?? 0;
  }
}

/** The usual length of a job's event. */
export function sampleBody(eventId: string): string {
  const object = {
    id: eventId,
    object: 'job',
    completed_at: new Date().toISOString(),
    input: { prompt: 'x'.repeat(900) },
  };
  return JSON.stringify({ id: eventId, type: 'job.succeeded', created: 1_760_000_000, data: { object } });
}
