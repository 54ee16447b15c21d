import { type Socket, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { waitFor } from '@kinora/testing';
import { useGateway } from '../../test/gateway.fixtures';
import { ADMISSION, API_KEY, JOB } from '../../test/contexts.fixtures';
import { editForm, EDITS, EditsTestBed } from '../../test/edits.fixtures';
import type { TestGateway } from '../../test/gateway.fixtures';
import { greyPng } from '../../test/image.fixtures';

const MIB = 1024 * 1024;
const PART = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n';

const testBed = useGateway({}, new EditsTestBed());
const { contexts } = testBed;
const sockets: Socket[] = [];

afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

interface Sender {
  socket: Socket;
  answer: () => string;
}

/** Begins a request, and keeps the connection. */
function begin(head: string[], { port }: TestGateway = testBed.gateway): Sender {
  let answer = '';
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
  const type = 'Content-Type: multipart/form-data; boundary=b';
  socket.write([`POST ${EDITS} HTTP/1.1`, 'Host: x', type, ...head, '', ''].join('\r\n'));
  sockets.push(socket);
  return { socket, answer: () => answer };
}

const keyed = `Authorization: Bearer ${API_KEY}`;
const chunked = 'Transfer-Encoding: chunked';
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const answered = ({ answer }: Sender, text: RegExp) => waitFor(() => (text.test(answer()) ? true : null));
const heldBytes = () => testBed.gateway.heldBodyBytes();

describe('a form', () => {
  it('is refused by its head, before any of it is sent', async () => {
    await answered(begin(['Content-Length: 9000']), /^HTTP\/1.1 401 .*invalid_api_key/s);
    await answered(begin([keyed, 'Content-Length: 32000001']), /^HTTP\/1.1 400 .*at most 32000000 bytes/s);
    await answered(begin([keyed, 'Content-Length: 9', 'Content-Type: text/plain']), /^HTTP\/1.1 400 .*content_type/s);
    contexts.on(billingRpc.admit, () => ({
      ...ADMISSION,
      rate: { allowed: false, limit: 60, remaining: 0, retry_after_seconds: 1 },
    }));
    await answered(begin([keyed, 'Content-Length: 9000']), /^HTTP\/1.1 429 .*rate_limit_exceeded/s);
  });

  it.each([
    [
      '10,000 tiny parts',
      Array.from({ length: 10_000 }, (_, place) => PART.replace('image', `n${place}`) + '\r\n').join(''),
      'at most 64 parts',
    ],
    ['a field name of a megabyte', PART.replace('image', 'n'.repeat(MIB)), 'no well-formed header'],
    ['a field name of a thousand bytes', PART.replace('image', 'n'.repeat(1_000)), 'too long for a field name'],
    [
      'a text of a megabyte',
      PART.replace('; filename="a.png"', '').replace('image', 'prompt') + 'p'.repeat(MIB),
      'prompt must be at most 32768 bytes',
    ],
    ['a file beyond 10 MiB', PART + 'p'.repeat(11 * MIB), 'image is larger than 10 MiB'],
    [
      'a body within a body',
      PART.replace('\r\n\r\n', '\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n').concat(
        '--c\r\n\r\n'.repeat(2 * MIB),
      ),
      'image is larger than 10 MiB',
    ],
    ['no boundary at all', 'x'.repeat(33_000_000), 'at most 32000000 bytes'],
  ])('of %s is refused while it still comes', async (_name, text, problem) => {
    const sender = begin([keyed, chunked]);
    sender.socket.write(chunk(text));
    // The parser holds back a line end, which may begin a boundary.
    sender.socket.write(chunk('more'));
    await answered(sender, new RegExp(`^HTTP/1.1 400 .*${problem}`, 's'));
    await waitFor(async () => ((await heldBytes()) === 0 ? true : null));
  });

  it('whose sender leaves within a file is forgotten, and the next request is served', async () => {
    const { socket } = begin([keyed, 'Content-Length: 20000000']);
    socket.write(PART + 'p'.repeat(3 * MIB));
    await waitFor(async () => ((await heldBytes()) === PART.length + 3 * MIB ? true : null));
    socket.destroy();
    await waitFor(async () => ((await heldBytes()) === 0 ? true : null));
    expect((await testBed.post(await editForm())).status).toBe(200);
  });

  it('is refused when it does not come, or comes too slowly', async () => {
    const hasty = await testBed.startGateway({ KINORA_BODY_GRACE_SECONDS: '0' });
    await answered(begin([keyed, 'Content-Length: 9000'], hasty), /^HTTP\/1.1 400 .*arrives too slowly: after 0 s/s);
    const slow = begin([keyed, 'Content-Length: 9000'], hasty);
    slow.socket.write(PART);
    await answered(slow, /arrives too slowly/);
    await waitFor(async () => ((await hasty.connections()) === 0 ? true : null));
  });

  it('is charged as it arrives, to the share of its account', async () => {
    const narrow = await testBed.startGateway({ KINORA_BODIES_MAX_BYTES: '53000000' });
    // One account may have as much as the largest body of /v1. A declared length would refuse the ones that begin late.
    for (const mebibytes of [9, 9, 9, 9]) {
      const { socket } = begin([keyed, chunked], narrow);
      socket.write(chunk(PART + 'p'.repeat(mebibytes * MIB)));
    }
    await waitFor(async () => ((await narrow.heldBodyBytes()) >= 36 * MIB ? true : null));
    await answered(
      begin([keyed, 'Content-Length: 31000000'], narrow),
      /^HTTP\/1.1 503 .*Room for another request body/s,
    );
  });
});

describe('clients that wait for their edits', () => {
  const collectGarbage = (): void => {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
  };
  const bytesInMemory = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };

  it('hold none of their images in memory', async () => {
    contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
    contexts.on(jobsRpc.get, () => JOB);
    const clients = 6;
    const form = await editForm({ image: greyPng(64, 64, 9 * MIB) });
    const patient = await testBed.startGateway({});
    const before = bytesInMemory();
    const answers = Array.from({ length: clients }, () => patient.client.send('POST', EDITS, form).catch(() => null));
    await waitFor(() => (patient.waitingRequests() === clients ? true : null));
    expect(await patient.heldBodyBytes()).toBe(0);
    // Copies that are not collected yet, of the client too, go within a few turns of the event loop.
    await waitFor(() => (bytesInMemory() - before < 9 * MIB ? true : null));
    await patient.close();
    await Promise.all(answers);
  });
});
