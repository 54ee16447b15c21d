// A program of `bench:images`: prints the peak of its resident memory, in bytes, while it handles one file.
import { readFileSync, writeFileSync } from 'node:fs';
import { decodeImage } from '../../../apps/moderation/src/image/decode-image';
import { prepareOutput, type ImageFormat } from '../../../libs/images/src';

/** Linux: the peak is set to what is resident now. */
const RESET_PEAK = '5';

type Handle = (file: Buffer, format: ImageFormat, side: number) => Promise<unknown>;

const PROCESSES: Record<string, Handle> = {
  jobs: (file, format, side) =>
    prepareOutput(file, { format, width: side, height: side, provenance: 'algorithmicMedia' }),
  moderation: (file) => decodeImage({ bytes: file }, { withJpeg: false }),
};

async function main([name = '', format = '', small = '', large = '', side = '']: string[]): Promise<void> {
  const handle = PROCESSES[name];
  if (!handle) throw new Error(`There is no process ${name}.`);
  const smallSide = Number(side) / 8;
  for (let warm = 0; warm < 20; warm++) await handle(readFileSync(small), format as ImageFormat, smallSide);
  writeFileSync('/proc/self/clear_refs', RESET_PEAK);
  const before = readStatus('VmRSS');
  await handle(readFileSync(large), format as ImageFormat, Number(side));
  process.send?.(readStatus('VmHWM') - before);
}

function readStatus(field: string): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kilobytes) * 1_024;
}

void main(process.argv.slice(2));
