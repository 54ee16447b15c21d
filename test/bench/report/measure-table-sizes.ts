import { Client } from 'pg';
import { Pool } from 'undici';
import type { Stack } from '../../../deploy/local/stack-file';
import { connectBus } from '../../../libs/bus/src';
import { billingAdminRpc } from '../../../libs/contracts/src/billing/billing-admin.rpc';
import { type LoadResult, runLoad } from '../load';
import { measureInRounds } from '../rounds';
import type { Line } from './line-chart';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
/** The first round warms up; the medians are those of the other rounds. */
const ROUNDS = 4;
const ROUND_MS = 600;
const DAYS = 30;

/** Ended jobs of an account, spread over the days before, with the rows that the service would have written. */
const FILL = `
  INSERT INTO job (id, account_id, kind, model, status, input, images, provider, plan, price_micros, gpu_ms,
                   moderation_status, input_decision_id, output_decision_id, output, error_code, retention_days, created_at,
                   completed_at, settled_at, claimable_at, outputs_deleted_at)
  SELECT gen_random_uuid(), $1, 'image.generation', CASE n % 2 WHEN 0 THEN 'general-image' ELSE 'other' END, status, '{}',
         '[]', 'sandbox', '{}', 20000, 1200, 'passed', $1, $1, CASE status WHEN 'succeeded' THEN '[]'::json END,
         CASE status WHEN 'failed' THEN 'provider_error' END, 7, at, at, at, NULL,
         CASE status WHEN 'succeeded' THEN at END
    FROM generate_series(1, $2::int) AS n,
         LATERAL (SELECT CASE n % 4 WHEN 0 THEN 'canceled' WHEN 1 THEN 'failed' ELSE 'succeeded' END AS status,
                         now() - n * interval '${DAYS} days' / $2::int AS at) AS job`;

const ROLL_UPS = [
  ['usage_minute', 'minute', `date_trunc('minute', created_at, 'UTC')`],
  ['usage_hour', 'hour', `date_trunc('hour', created_at, 'UTC')`],
  ['usage_day', 'day', `(created_at AT TIME ZONE 'UTC')::date`],
].map(
  ([table, unit, unitOf]) => `
  INSERT INTO ${table} (account_id, ${unit}, model, succeeded, failed, canceled, charged_micros, gpu_ms)
  SELECT account_id, ${unitOf}, model, count(*) FILTER (WHERE status = 'succeeded'),
         count(*) FILTER (WHERE status = 'failed'), count(*) FILTER (WHERE status = 'canceled'),
         coalesce(sum(price_micros) FILTER (WHERE status = 'succeeded'), 0), sum(gpu_ms)
    FROM job WHERE account_id = $1 GROUP BY 1, 2, 3`,
);

const READS = {
  'GET /jobs': '/v1/jobs?limit=20',
  'GET /jobs?status=failed&model=other': '/v1/jobs?limit=20&status=failed&model=other',
  'GET /usage': '/v1/usage',
  'GET /usage?group_by=model': '/v1/usage?group_by=model',
};

/**
 * Measures lists and sums for accounts with different numbers of jobs, one request at a time. All accounts exist from the
 * beginning.
 */
export async function measureTableSizes({ base_url, nats_url, database_url }: Stack): Promise<Line[]> {
  const apiKeys = await createAccounts(nats_url, database_url, SIZES);
  const pool = new Pool(new URL(base_url).origin, { connections: 1 });
  try {
    const loads = Object.entries(READS).flatMap(([name, path]) =>
      SIZES.map((size, place) => [`${name} ${size}`, () => measureReads(pool, path, apiKeys[place] ?? '')] as const),
    );
    await measureInRounds(1, Object.fromEntries(loads));
    const measured = await measureInRounds(ROUNDS - 1, Object.fromEntries(loads));
    return Object.keys(READS).map((name) => ({
      name,
      points: SIZES.map((size) => ({ x: size, y: measured[`${name} ${size}`]?.p50Ms ?? Number.NaN })),
    }));
  } finally {
    await pool.close();
  }
}

/** Creates accounts with as many ended jobs. @returns a key of each account, in the order of their sizes. */
export async function createAccounts(natsUrl: string, databaseUrl: string, sizes: number[]): Promise<string[]> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const { bus, close } = await connectBus(natsUrl, 'bench');
  const apiKeys: string[] = [];
  try {
    // Without triggers, which would update the counts once for each of the million jobs.
    await database.query(`SET search_path TO jobs; SET session_replication_role TO replica`);
    for (const size of sizes) {
      const limits = { rate_limit_rpm: 100_000_000, max_concurrent_jobs: 10 };
      const account = await bus.request(billingAdminRpc.createAccount, { name: 'bench', balance_micros: 0, ...limits });
      await database.query(FILL, [account.account_id, size]);
      for (const rollUp of ROLL_UPS) await database.query(rollUp, [account.account_id]);
      apiKeys.push(account.api_key);
    }
    await database.query('VACUUM ANALYZE job, usage_minute, usage_hour, usage_day');
  } finally {
    await Promise.all([database.end(), close()]);
  }
  return apiKeys;
}

function measureReads(pool: Pool, path: string, apiKey: string): Promise<LoadResult> {
  return runLoad({ clients: 1, durationMs: ROUND_MS, work: () => read(pool, path, apiKey) });
}

async function read(pool: Pool, path: string, apiKey: string): Promise<void> {
  const response = await pool.request({ method: 'GET', path, headers: { authorization: `Bearer ${apiKey}` } });
  const body = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`GET ${path} answered ${response.statusCode}: ${body}`);
}
