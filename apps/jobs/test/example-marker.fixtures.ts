import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';

/** The mark lies in a grid of cells over the whole image, so that it survives a change of its size; not a crop. */
const GRID = 64;
const BITS = 32;
const PAYLOAD = 0x5eed_c2a1;
/** Levels of 255 by which a cell becomes lighter or darker. */
const STRENGTH = 6;
/** Bits that agree with the payload by chance in one of 100,000 images. */
const DETECTED_BITS = 28;

/** By the number of a cell: the bit that it carries, and whether it carries it inverted. */
const CELLS = Array.from({ length: GRID * GRID }, (_, cell) => {
  const mixed = Math.imul(cell + 1, 0x9e37_79b1) ^ Math.imul(cell + 7, 0x85eb_ca6b);
  return { bit: (mixed >>> 8) % BITS, sign: mixed & 0x1000000 ? 1 : -1 };
});

function payloadBit(bit: number): number {
  return (PAYLOAD >>> bit) & 1;
}

/** A watermark by spread spectrum: simple, and neither safe nor robust enough for more than tests. */
export async function markImage(png: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const offsets = Buffer.from(
    CELLS.map(({ bit, sign }) => 128 + sign * (payloadBit(bit) === 1 ? STRENGTH : -STRENGTH)),
  );
  const overlay = await sharp(offsets, { raw: { width: GRID, height: GRID, channels: 1 } })
    .resize(info.width, info.height, { fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer();
  const marked = data.map((value, at) => {
    const offset = (overlay[Math.floor(at / info.channels)] ?? 128) - 128;
    return Math.min(255, Math.max(0, value + offset));
  });
  return sharp(marked, { raw: { width: info.width, height: info.height, channels: info.channels } })
    .png()
    .toBuffer();
}

export async function readMark(image: Buffer): Promise<{ detected: boolean; bits: string }> {
  const grey = await sharp(image).greyscale().resize(GRID, GRID, { fit: 'fill' }).raw().toBuffer();
  const sums = new Float64Array(BITS);
  for (const [cell, { bit, sign }] of CELLS.entries()) sums[bit] = (sums[bit] ?? 0) + sign * detailAt(grey, cell);
  const bits = [...sums].map((sum) => (sum > 0 ? 1 : 0));
  const agreeing = bits.filter((value, bit) => value === payloadBit(bit)).length;
  return { detected: agreeing >= DETECTED_BITS, bits: bits.join('') };
}

/** The cell less the mean of its neighbours, bounded so that edges of the image do not outweigh the mark. */
function detailAt(grey: Buffer, cell: number): number {
  const [x, y] = [cell % GRID, Math.floor(cell / GRID)];
  const neighbours = [
    [x - 1, y],
    [x + 1, y],
    [x, y - 1],
    [x, y + 1],
  ].flatMap(([column = 0, row = 0]) =>
    column >= 0 && row >= 0 && column < GRID && row < GRID ? [grey[row * GRID + column] ?? 0] : [],
  );
  const mean = neighbours.reduce((sum, value) => sum + value, 0) / neighbours.length;
  return Math.max(-2 * STRENGTH, Math.min(2 * STRENGTH, (grey[cell] ?? 0) - mean));
}

/** An image without a mark. */
export function drawNoise(side: number): Sharp {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  return sharp({ create: { width: side, height: side, channels: 3, background: 'red', noise } });
}

type Answer = (image: Buffer, response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

/** A program that marks images behind HTTP: `POST /mark` and, for benchmarks, `POST /read`. */
export class ExampleMarker {
  readonly requests: { type: string; authorization: string }[] = [];

  private constructor(private readonly server: Server) {}

  static async start(answer: Answer = answerRightly): Promise<ExampleMarker> {
    const server = createServer();
    const marker = new ExampleMarker(server.listen(0, '127.0.0.1'));
    server.on('request', (request, response) => {
      const { 'content-type': type = '', authorization = '' } = request.headers;
      marker.requests.push({ type, authorization });
      void buffer(request).then((image) => answer(image, response, request));
    });
    await once(server, 'listening');
    return marker;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

async function answerRightly(image: Buffer, response: ServerResponse, { url }: IncomingMessage): Promise<void> {
  if (url === '/mark') return void response.writeHead(200, { 'content-type': 'image/png' }).end(await markImage(image));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await readMark(image)));
}
