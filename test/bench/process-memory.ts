import { readFile } from 'node:fs/promises';

/** Resident memory of a process in MB, from Linux's `/proc`; null on other systems. */
export async function residentMemoryMb(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
}
