import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { KinoraClient } from './kinora-client';
import { percentile } from './load';

const SAMPLES = 200;
const WAITING = 10_000;

export interface DispatchLatency {
  p50Ms: number;
  p99Ms: number;
}

/** What holds up nobody else: a line in front of a model whose instance is gone, and one of jobs that were refused just now. */
const FILL = `
  INSERT INTO jobs.job (id, account_id, model, claimable_at, turn, price_micros, kind, input, images, provider, plan,
                        input_decision_id, retention_days, deadline_at)
  SELECT gen_random_uuid(), $1, $2, clock_timestamp() + $3::interval, n * 1000, 1000, 'image.generation', '{}', '[]', 'gone', '{}',
         $1, 7, clock_timestamp() + interval '1 hour' FROM generate_series(1, ${WAITING}) AS n`;

/** How long it is from accept to submit where a slot is free: with nothing in line, and with long lines of others. */
export async function measureDispatchLatency(
  client: KinoraClient,
  databaseUrl: string,
): Promise<Record<string, DispatchLatency>> {
  const alone = await measure(client);
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const other = randomUUID();
  try {
    await database.query('SET search_path TO jobs');
    await database.query(FILL, [other, 'a-model-of-others', '0 s']);
    await database.query(FILL, [other, 'general-image', '1 hour']);
    return { alone, [`${2 * WAITING} jobs of others in line`]: await measure(client) };
  } finally {
    // Nobody has paid for them.
    await database.query('DELETE FROM jobs.job WHERE account_id = $1', [other]);
    await database.end();
  }
}

/** By the service's own stamps: a job is processing once the sandbox has answered its submission. */
async function measure(client: KinoraClient): Promise<DispatchLatency> {
  const waitsMs: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    await client.create();
    let job = await client.getLast();
    for (let looks = 0; job.started_at === null && looks < 2_000; looks++) job = await client.getLast();
    if (job.started_at === null) throw new Error('A job did not begin.');
    waitsMs.push(Date.parse(job.started_at) - Date.parse(job.created_at));
  }
  waitsMs.sort((one, other) => one - other);
  return { p50Ms: percentile(waitsMs, 0.5), p99Ms: percentile(waitsMs, 0.99) };
}
