import { readFileSync, writeSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { FfmpegCore } from '@ffmpeg/core';
import { boundWasmMemory } from './bound-wasm-memory';
import { EXIT_NOT_LOADED } from './take-video';
import { decodingArguments } from './ffmpeg-decoder';

/**
 * ffmpeg as WebAssembly, in a separate process. It reads an elementary stream from standard input and writes raw
 * pictures to standard output, like the native program. Its only files are in its own memory, and it has no access to
 * anything else.
 */
const INPUT = 'input.h264';
const OUTPUT = '/dev/pictures';
const DEVICE = { major: 64, minor: 0 };

/** A stream can declare more than a video needs: twenty pictures of 4096 by 4096 pixels take half of it. */
const MAX_MEMORY_BYTES = 1024 * 1024 * 1024;

/** For a pipe that is full and does not block. */
const RETRY_MS = 1;

void run();

async function run(): Promise<void> {
  const stream = readFileSync(0);
  boundWasmMemory(MAX_MEMORY_BYTES);
  const core = await load();
  const { FS } = core;
  FS.writeFile(INPUT, stream);
  const device = FS.makedev(DEVICE.major, DEVICE.minor);
  FS.registerDevice(device, { write: (_, memory, offset, length) => writePictures(memory, offset, length) });
  FS.mkdev(OUTPUT, device);
  process.exitCode = core.exec(...decodingArguments({ protocol: 'file', input: INPUT, output: OUTPUT }));
}

async function load(): Promise<FfmpegCore> {
  try {
    // The package is made for browsers and reads its own address from this object.
    Object.assign(globalThis, { self: { location: { href: '' } } });
    // Functions are validated when they are first called, which most never are: a third of the processor time of a start.
    setFlagsFromString('--wasm-lazy-validation');
    // The package itself would copy the 32 MB first.
    const program = new WebAssembly.Module(readFileSync(require.resolve('@ffmpeg/core/wasm')));
    const { default: createCore } = await import('@ffmpeg/core');
    return await createCore({
      instantiateWasm: (imports, receive) => receive(new WebAssembly.Instance(program, imports)),
      locateFile: (file) => file,
    });
  } catch {
    process.exit(EXIT_NOT_LOADED);
  }
}

function writePictures(memory: Int8Array, offset: number, length: number): number {
  const end = offset + length;
  for (let at = offset; at < end;) at += writeSome(memory.subarray(at, end));
  return length;
}

function writeSome(bytes: Int8Array): number {
  try {
    return writeSync(1, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    return 0;
  }
}
