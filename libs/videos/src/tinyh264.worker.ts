import { parentPort, workerData } from 'node:worker_threads';
import type { TinyH264 } from 'tinyh264/lib/TinyH264.js';
import type { Picture } from './picture';

/** NAL units after their start codes: those that tell the decoder what comes, then those of each picture. */
export interface DecoderThreadData {
  parameters: Uint8Array[];
  pictures: Uint8Array[][];
}

/** Every other answer may be an error or a NAL unit that completes no picture; which of them shows on the packet. */
const PICTURE_READY = 1;
/** The caller knows a picture for each packet, and in the order of decoding that is the next one. */
const NO_REORDERING = 1;

const decoding = startDecoding(workerData as DecoderThreadData);

parentPort?.on('message', () => {
  void decoding.then((pictures) => {
    const { value } = pictures.next();
    if (!value) throw new Error('There are no more pictures.');
    parentPort?.postMessage(value satisfies Picture, [value.planes.buffer as ArrayBuffer]);
  });
});

async function startDecoding(data: DecoderThreadData): Promise<Generator<Picture, undefined>> {
  // The decoder was made for browsers and asks this for its own address.
  Object.assign(globalThis, { self: { location: { href: '' } } });
  const { default: load } = await import('tinyh264/lib/TinyH264.js');
  return decode(await load(), data);
}

function* decode(decoder: TinyH264, { parameters, pictures }: DecoderThreadData): Generator<Picture, undefined> {
  const storage = decoder._h264bsdAlloc();
  decoder._h264bsdInit(storage, NO_REORDERING);
  for (const unit of parameters) decodeUnit(decoder, storage, unit);
  for (const units of pictures) {
    const [picture, ...more] = units.flatMap((unit) => decodeUnit(decoder, storage, unit) ?? []);
    // A slice that nobody sees, or two pictures where one is shown, would be judged as something else than what plays.
    if (!picture || more.length > 0) throw new Error('A packet does not hold one whole picture.');
    yield picture;
  }
}

function decodeUnit(decoder: TinyH264, storage: number, unit: Uint8Array): Picture | null {
  const input = decoder._malloc(unit.length);
  const output = decoder._malloc(12);
  try {
    decoder.HEAPU8.set(unit, input);
    const result = decoder._h264bsdDecode(storage, input, unit.length, output, output + 4, output + 8);
    return result === PICTURE_READY ? readPicture(decoder, output) : null;
  } finally {
    decoder._free(input);
    decoder._free(output);
  }
}

function readPicture(decoder: TinyH264, output: number): Picture {
  const start = decoder.getValue(output, 'i32');
  const width = decoder.getValue(output + 4, 'i32');
  const height = decoder.getValue(output + 8, 'i32');
  return { width, height, planes: decoder.HEAPU8.slice(start, start + (width * height * 3) / 2) };
}
