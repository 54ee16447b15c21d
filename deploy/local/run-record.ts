import { LockedError, withExclusiveLock } from './exclusive-lock';
import { PrivateJsonFile } from './private-json-file';
import { identify, isAlive, type ProcessIdentity } from './processes/process-identity';
import type { Supervisor } from './processes/supervisor';
import { errorCode, StartProblem } from './start-problem';
import { waitUntil } from './wait-until';

const LEAVE_WITHIN_MS = 6_000;
const VANISH_WITHIN_MS = 2_000;

interface RecordedProcess extends ProcessIdentity {
  stop_signal: NodeJS.Signals;
}

interface Run {
  launcher: ProcessIdentity;
  processes: Record<string, RecordedProcess>;
}

/**
 * Records the processes that run on a data folder. The record keeps two launchers from using one folder. It also lets a
 * launcher end the processes of an earlier one that was killed.
 */
export class RunRecord {
  private readonly run: Run;

  private constructor(
    private readonly file: PrivateJsonFile<Run>,
    launcher: ProcessIdentity,
  ) {
    this.run = { launcher, processes: {} };
  }

  /** @throws StartProblem if another launcher uses the folder. */
  static async claim(path: string): Promise<RunRecord> {
    const launcher = identify(process.pid);
    if (launcher === null) throw new Error('This process is missing in the list of running processes');
    try {
      // Without the lock, two launchers that start together would both find the folder unused.
      return await withExclusiveLock(`${path}.lock`, launcher, () => RunRecord.replace(path, launcher));
    } catch (error) {
      throw error instanceof LockedError ? alreadyRuns(error.holder) : error;
    }
  }

  private static async replace(path: string, launcher: ProcessIdentity): Promise<RunRecord> {
    const file = new PrivateJsonFile<Run>(path);
    const earlier = await file.read();
    if (earlier && isAlive(earlier.launcher)) throw alreadyRuns(earlier.launcher);
    if (earlier) await endLeftovers(Object.values(earlier.processes));
    const record = new RunRecord(file, launcher);
    await file.write(record.run);
    return record;
  }

  /** Records a started process, in place of an earlier one of the same name. */
  async note(name: string, pid: number, stopSignal: NodeJS.Signals): Promise<void> {
    const identity = identify(pid);
    if (identity === null) return;
    this.run.processes[name] = { ...identity, stop_signal: stopSignal };
    await this.file.write(this.run);
  }

  async release(): Promise<void> {
    await this.file.remove();
  }
}

function alreadyRuns({ pid }: ProcessIdentity): StartProblem {
  return new StartProblem(
    `Kinora already runs with this data folder (process ${pid}): stop that one first, or set KINORA_DATA_DIR to another folder.`,
  );
}

async function endLeftovers(recorded: RecordedProcess[]): Promise<void> {
  const living = (): RecordedProcess[] => recorded.filter(isAlive);
  const noneLives = async (): Promise<boolean> => living().length === 0;
  for (const { pid, stop_signal } of living()) send(stop_signal, pid);
  if (await waitUntil(noneLives, { timeoutMs: LEAVE_WITHIN_MS })) return;
  for (const { pid } of living()) send('SIGKILL', pid);
  if (await waitUntil(noneLives, { timeoutMs: VANISH_WITHIN_MS })) return;
  const pids = living().map(({ pid }) => pid);
  throw new StartProblem(
    `Processes of an earlier run cannot be ended: stop them by hand ("kill -9 ${pids.join(' ')}").`,
  );
}

/** The process may end by itself at this moment. The caller reports a process of another user. */
function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
  }
}

/** The caller allows ten seconds for the stop. */
const STOP_WITHIN_MS = 9_000;

/**
 * Stops in waves: the gateways first, so that work under way can finish, and the stores last, when no service needs them. Each
 * wave has a share of the time, and unused time goes to the next ones. PostgreSQL takes longest, because it writes all changed
 * pages to disk (shutdown checkpoint).
 */
const WAVES = [
  { until: 0.25, takes: (name: string) => name.startsWith('gateway') },
  { until: 0.65, takes: (name: string) => !['postgres', 'nats'].includes(name) },
  { until: 1, takes: () => true },
];

/** Stops every process, with an orderly stop if the time suffices. */
export async function stopStack(
  supervisor: Pick<Supervisor, 'names' | 'stop'>,
  withinMs = STOP_WITHIN_MS,
): Promise<void> {
  const startedAt = performance.now();
  for (const { until, takes } of WAVES) {
    const leftMs = withinMs * until - (performance.now() - startedAt);
    await supervisor.stop(supervisor.names.filter(takes), Math.max(leftMs, 0));
  }
}
