import { Client } from 'pg';
import { StartProblem } from '../start-problem';
import { waitUntil } from '../wait-until';

/**
 * The pause before an attempt is a minute or longer, and the lease of a running attempt is half a minute: an attempt that runs
 * stays untouched.
 */
const MAKE_DUE = `
  UPDATE webhook_dispatcher.delivery SET next_attempt_at = clock_timestamp()
  WHERE job_id = $1 AND status = 'pending' AND next_attempt_at > clock_timestamp() + interval '45 seconds'`;
const FIND_EXHAUSTED = `SELECT FROM webhook_dispatcher.delivery WHERE job_id = $1 AND status = 'exhausted'`;

/**
 * Makes each attempt of a job's delivery due at once, until the dispatcher has made all of them and given up. On its own
 * schedule this takes 8 h 36 min, and no setting shortens that schedule.
 * @throws StartProblem if the delivery is not exhausted in time, for example because its receiver answers.
 */
export async function exhaustDelivery(databaseUrl: string, jobId: string, timeoutMs: number): Promise<void> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const isExhausted = async (): Promise<boolean> => {
    await database.query(MAKE_DUE, [jobId]);
    return (await database.query(FIND_EXHAUSTED, [jobId])).rowCount === 1;
  };
  try {
    if (await waitUntil(isExhausted, { timeoutMs })) return;
  } finally {
    await database.end();
  }
  throw new StartProblem(`The delivery of job ${jobId} was not exhausted after ${timeoutMs / 1000} s.`);
}
