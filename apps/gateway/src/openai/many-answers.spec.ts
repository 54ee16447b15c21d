import { randomBytes } from 'node:crypto';
import { type Socket, connect } from 'node:net';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import { type OutputFile, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { waitFor } from '@kinora/testing';
import { ADMISSION, API_KEY, JOB } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import type { GatewayProgram } from '../../test/gateway-program.fixtures';

const WAITING = 200;
const ANSWERED = 20;
/** Below the limit of waits of a key. */
const KEYS = 10;
const OPENED_AT_ONCE = 20;
const IMAGES = 4;
/** A PNG of 1024 x 1024 pixels without any redundancy. */
const IMAGE_BYTES = 3_150_000;
const ANSWER_BYTES = (IMAGES * IMAGE_BYTES * 4) / 3;
/** The answers together have 336 MB, of which the gateway holds a few pieces each; the rest is for garbage. */
const GROWTH_MAX_BYTES = 150 * 1024 * 1024;
const ENDED: Job = { ...JOB, status: 'succeeded', output: { images: [] } };

const testBed = useGateway();
const { contexts } = testBed;
const sockets: Socket[] = [];
let program: GatewayProgram;

beforeAll(async () => {
  program = await testBed.startProgram({ KINORA_ADDRESS_CONNECTIONS_MAX: '10000' });
  await testBed.gateway.objects.put('outputs/spec/large.png', randomBytes(IMAGE_BYTES), { mime: 'image/png' });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
});

interface Reader {
  socket: Socket;
  head: string;
  receivedBytes: number;
}

/** Sends a generation, and reads nothing behind the first bytes of the answer until it is resumed. */
function generate(prompt: string): Reader {
  const reader: Reader = { socket: connect(program.port, '127.0.0.1'), head: '', receivedBytes: 0 };
  const body = JSON.stringify({ prompt });
  const head = ['POST /openai/v1/images/generations HTTP/1.1', 'Host: x', `Authorization: Bearer ${API_KEY}`];
  reader.socket.write(
    [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`, '', body].join('\r\n'),
  );
  reader.socket.on('data', (bytes) => {
    if (reader.head === '') {
      reader.head = bytes.toString('latin1');
      reader.socket.pause();
    }
    reader.receivedBytes += bytes.length;
  });
  sockets.push(reader.socket);
  return reader;
}

/** Opens requests, few at a time; a busy gateway may refuse one, which is then sent again. */
async function openMany(
  prompt: string,
  count: number,
  countOpen: (readers: Reader[]) => number | Promise<number>,
): Promise<Reader[]> {
  let readers: Reader[] = [];
  await waitFor(async () => {
    const open = await countOpen(readers);
    readers = readers.filter(({ head }) => !head.startsWith('HTTP/1.1 503 '));
    while (readers.length < Math.min(count, open + OPENED_AT_ONCE)) readers.push(generate(prompt));
    return open === count;
  });
  return readers;
}

const memoryBytes = (): Promise<number> => program.readMetric('process_resident_memory_bytes');

describe(`${WAITING} waiting requests of OpenAI, and ${ANSWERED} that are answered in base64`, () => {
  it('use no more memory than a few pieces of each answer', async () => {
    let requests = 0;
    contexts.reset();
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, api_key_id: `key_${(requests += 1) % KEYS}` }));
    contexts.on(jobsRpc.get, () => JOB);
    contexts.on(jobsRpc.create, ({ input }) => ({ job: input.prompt === 'done' ? ENDED : JOB, replayed: false }));
    const file: OutputFile = { object_key: 'outputs/spec/large.png', mime: 'image/png', bytes: IMAGE_BYTES };
    contexts.on(jobsRpc.listOutputFiles, () => ({ files: Array<OutputFile>(IMAGES).fill(file) }));
    const idleBytes = await memoryBytes();

    const countWaiting = (): Promise<number> => program.readMetric('kinora_http_waiting_requests');
    await openMany('waiting', WAITING, countWaiting);
    const isAnswered = ({ head }: Reader): boolean => head.startsWith('HTTP/1.1 200 ');
    const readers = await openMany('done', ANSWERED, (opened) => opened.filter(isAnswered).length);
    const stalledBytes = await memoryBytes();

    for (const { socket } of readers) socket.resume();
    let peakBytes = stalledBytes;
    await waitFor(async () => {
      peakBytes = Math.max(peakBytes, await memoryBytes());
      return readers.every(({ receivedBytes }) => receivedBytes > ANSWER_BYTES);
    });
    expect(Math.max(stalledBytes, peakBytes) - idleBytes).toBeLessThan(GROWTH_MAX_BYTES);
  }, 240_000);
});
