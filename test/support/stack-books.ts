import { execFile } from 'node:child_process';
import path from 'node:path';
import { Client } from 'pg';

export const CLI = path.resolve('dist/apps/cli/src/main.js');

/**
 * Holds, jobs and ledger belong to different contexts, so no service can compare them at one moment; a test may. Each hold
 * belongs to a job in flight, or to one that is being created, which takes less than two minutes. Each account has paid for its
 * succeeded jobs, and for nothing else.
 */
const FIND_DISAGREEMENTS = `
  SELECT 'a hold without a job in flight' AS problem, job_id::text AS about
    FROM billing.hold LEFT JOIN jobs.job ON id = job_id
   WHERE hold.state = 'held'
     AND (completed_at IS NOT NULL OR (id IS NULL AND hold.created_at < now() - interval '2 minutes'))
  UNION ALL
  SELECT 'a job in flight without a hold', id::text FROM jobs.job
   WHERE completed_at IS NULL AND NOT EXISTS (SELECT FROM billing.hold WHERE job_id = id AND state = 'held')
  UNION ALL
  SELECT 'an ended job whose hold differs in state or amount', id::text FROM jobs.job LEFT JOIN billing.hold ON job_id = id
   WHERE completed_at IS NOT NULL
     AND (hold.state, hold.amount_micros) IS DISTINCT FROM
         (CASE status WHEN 'succeeded' THEN 'captured' ELSE 'refunded' END, price_micros)
  UNION ALL
  SELECT 'an account whose charges differ from its succeeded jobs', account_id::text
    FROM (SELECT account_id, sum(amount_micros) AS paid FROM billing.ledger_entry WHERE kind = 'capture' GROUP BY 1) AS books
    FULL JOIN (SELECT account_id, sum(price_micros) AS got FROM jobs.job WHERE status = 'succeeded' GROUP BY 1) AS jobs
         USING (account_id)
   WHERE paid IS DISTINCT FROM got
  UNION ALL
  SELECT 'a delivery with content that is deleted', delivery.id::text
    FROM webhook_dispatcher.delivery JOIN jobs.job ON job.id = delivery.job_id AND job.content_deleted_at IS NOT NULL
   WHERE body::jsonb #>> '{data,object,input,prompt}' <> ''
  UNION ALL
  SELECT 'an unpublished event', id::text FROM jobs.outbox`;

/**
 * The problems of a stack's books, a line each: those that `kinora ledger verify` reports, and those that only a
 * comparison of all contexts shows.
 */
export async function auditStack({
  dataDir,
  databaseUrl,
}: {
  dataDir: string;
  databaseUrl: string;
}): Promise<string[]> {
  // The command loads a whole program, which a stack that still settles jobs needs no answer of.
  const disagreements = await connected(databaseUrl, findDisagreements);
  return disagreements.length > 0 ? disagreements : await verifyLedgerByCli(dataDir);
}

/** As an operator runs it: empty where the command succeeds, its output where it fails. */
export async function verifyLedgerByCli(dataDir: string): Promise<string[]> {
  const env = { ...process.env, KINORA_DATA_DIR: dataDir };
  return await new Promise((resolve) => {
    execFile(process.execPath, [CLI, 'ledger', 'verify', '--all'], { env }, (error, output, problem) =>
      resolve(error ? [`kinora ledger verify: ${output}${problem}`] : []),
    );
  });
}

async function connected<Result>(connectionString: string, read: (database: Client) => Promise<Result>) {
  const database = new Client({ connectionString });
  await database.connect();
  try {
    return await read(database);
  } finally {
    await database.end();
  }
}

/** @param database a connection that may read every schema. */
export async function findDisagreements(database: Client): Promise<string[]> {
  const { rows } = await database.query<{ problem: string; about: string }>(FIND_DISAGREEMENTS);
  return rows.map(({ problem, about }) => `${problem}: ${about}`);
}
