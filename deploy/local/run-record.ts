import { errorCode } from './error-code';
import { LockedError, withExclusiveLock } from './exclusive-lock';
import { PrivateJsonFile } from './private-json-file';
import { identify, isAlive, type ProcessIdentity } from './processes/process-identity';
import { StartProblem } from './start-problem';
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
 * Which processes run on a data folder. It keeps two launchers off one folder, and lets the next one end what a launcher
 * left behind that was killed before it could stop anything.
 */
export class RunRecord {
  private readonly run: Run;

  private constructor(
    private readonly file: PrivateJsonFile<Run>,
    launcher: ProcessIdentity,
  ) {
    this.run = { launcher, processes: {} };
  }

  /** @throws StartProblem when another launcher uses the folder. */
  static async claim(path: string): Promise<RunRecord> {
    const launcher = identify(process.pid);
    if (launcher === null) throw new Error('This process cannot find itself among the running ones');
    try {
      // Two launchers that start together would both read that nobody is there.
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

  /** Notes a process that was started, in place of an earlier one of the same name. */
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

/** The process may end by itself in this very moment, and one of another user is told about by the caller. */
function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
  }
}
