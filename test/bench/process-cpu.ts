import { readFile, readdir } from 'node:fs/promises';

/** The unit of processor time in `/proc`, whatever the kernel's configuration. */
const MS_PER_TICK = 10;
/** Indexes of the fields in `/proc/<pid>/stat`, counted from after the name in brackets. */
const PARENT = 1;
const TICKS = [11, 12, 13, 14];

interface ProcessUse {
  pid: number;
  parent: number;
  command: string;
  /** Processor time of the process and of its ended children, in user mode and in the kernel. */
  cpuMs: number;
}

/** Processor time of a program and all its child processes, by the name given here, or else by command. Empty without `/proc`. */
export async function cpuMsByName(rootPid: number, names: Map<number, string>): Promise<Map<string, number>> {
  const processes = await listProcesses();
  const result = new Map<string, number>();
  const add = (parent: number): void => {
    for (const one of processes.filter((candidate) => candidate.parent === parent)) {
      const name = names.get(one.pid) ?? one.command;
      result.set(name, (result.get(name) ?? 0) + one.cpuMs);
      add(one.pid);
    }
  };
  add(rootPid);
  return result;
}

async function listProcesses(): Promise<ProcessUse[]> {
  const entries = await readdir('/proc').catch(() => []);
  const read = await Promise.all(entries.filter((entry) => /^\d+$/.test(entry)).map(readProcess));
  return read.filter((one) => one !== null);
}

async function readProcess(entry: string): Promise<ProcessUse | null> {
  const line = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
  const match = /^(\d+) \((.*)\) (.*)$/s.exec(line);
  if (!match) return null;
  const [, pid, command = '', rest = ''] = match;
  const fields = rest.split(' ').map(Number);
  const ticks = TICKS.reduce((sum, place) => sum + (fields[place] ?? 0), 0);
  return { pid: Number(pid), parent: fields[PARENT] ?? 0, command, cpuMs: ticks * MS_PER_TICK };
}
