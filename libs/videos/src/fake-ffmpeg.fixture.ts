import { writeFile } from 'node:fs/promises';
import path from 'node:path';

export type FakeBehaviour = 'decode' | 'know no H.264' | 'lose a picture' | 'fail' | 'hang';

/**
 * A program with the command line of ffmpeg, which outputs the n-th picture as a plane of luma n. @returns its path.
 */
export async function writeFakeFfmpeg(
  folder: string,
  size: { width: number; height: number },
  behaviour: FakeBehaviour,
): Promise<string> {
  const file = path.join(folder, `ffmpeg-${behaviour.replaceAll(' ', '-')}`);
  const program = `#!${process.execPath}
    const { readFileSync, writeSync } = require('node:fs');
    const given = process.argv.slice(2);
    const wanted = ['-protocol_whitelist pipe', '-f h264', '-i pipe:0', '-f rawvideo -pix_fmt yuv420p pipe:1'];
    if (!wanted.every((option) => given.join(' ').includes(option)) || Object.keys(process.env).some((name) => name !== 'PATH')) process.exit(2);
    if ('${behaviour}' === 'know no H.264') process.exit(8);
    if ('${behaviour}' === 'hang') setInterval(() => undefined, 1_000);
    else decode(readFileSync(0));
    function decode(stream) {
      let pictures = 0;
      for (let at = stream.indexOf('00000001', 0, 'hex'); at !== -1; at = stream.indexOf('00000001', at + 4, 'hex')) {
        if (![1, 5].includes(stream[at + 4] & 31)) continue;
        const last = stream.indexOf('00000001', at + 4, 'hex') === -1;
        if (last && '${behaviour}' === 'lose a picture') break;
        writeAll(Buffer.alloc(${size.width * size.height * 1.5}, pictures++));
      }
      process.exit('${behaviour}' === 'fail' ? 1 : 0);
    }
    function writeAll(bytes) {
      for (let written = 0; written < bytes.length; ) {
        try { written += writeSync(1, bytes, written); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
      }
    }
  `;
  await writeFile(file, program, { mode: 0o755 });
  return file;
}
