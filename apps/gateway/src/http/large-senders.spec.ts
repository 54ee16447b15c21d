import { type Socket, connect } from 'node:net';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { waitFor } from '@kinora/testing';
import { ADMISSION, API_KEY } from '../fixtures/contexts.fixtures';
import { GatewayTestBed } from '../fixtures/gateway.fixtures';
import type { GatewayProgram } from '../fixtures/gateway-program.fixtures';

const SENDERS = 200;
const ACCOUNTS = 10;
/** Thirteen sixteenths of it are for large bodies, enough for 15 of the senders. */
const ROOM_BYTES = 60_000_000;
const LARGE_ROOM_BYTES = (ROOM_BYTES * 13) / 16;
/** The part of its body that each sender sends before it stalls. */
const SENT = Buffer.alloc(3 * 1024 * 1024, ' ');
/** The held bytes, plus a quarter of all sent bytes, because refused bodies stay as garbage for a while. */
const GROWTH_MAX_BYTES = LARGE_ROOM_BYTES + 150 * 1024 * 1024;

/** The senders send six hundred megabytes in total. */
const WAIT = { timeoutMs: 50_000 };

const HEAD = [
  'POST /v1/images/edits HTTP/1.1',
  'Host: x',
  `Authorization: Bearer ${API_KEY}`,
  'Content-Type: application/json',
  'Content-Length: 43000000',
  '',
  '',
].join('\r\n');

const testBed = new GatewayTestBed();
let program: GatewayProgram;

beforeAll(async () => {
  await testBed.start();
  // On a busy machine these senders may fall below the minimum rate.
  program = await testBed.startProgram({
    KINORA_BODIES_MAX_BYTES: String(ROOM_BYTES),
    KINORA_BODY_MIN_BYTES_PER_SECOND: '0',
  });
});
afterAll(() => testBed.close());
beforeEach(() => testBed.contexts.reset());

interface Sender {
  socket: Socket;
  /** The response as far as it has arrived. */
  answer: string;
  isClosed: boolean;
}

function send(): Sender {
  const sender: Sender = { socket: connect(program.port, '127.0.0.1'), answer: '', isClosed: false };
  // The connection of a refused sender may be reset while it still sends.
  sender.socket.on('error', () => undefined).once('close', () => (sender.isClosed = true));
  sender.socket.on('data', (bytes) => (sender.answer += bytes.toString('latin1')));
  sender.socket.write(HEAD);
  sender.socket.write(SENT);
  return sender;
}

describe('two hundred senders of large bodies', () => {
  it('use no more memory than the budget allows, and release it', async () => {
    let callCount = 0;
    testBed.contexts.on(billingRpc.admit, () => ({
      ...ADMISSION,
      account_id: `account ${(callCount += 1) % ACCOUNTS}`,
    }));
    const before = await program.readMetric('process_resident_memory_bytes');
    const senders = Array.from({ length: SENDERS }, send);
    const refused = (): Sender[] =>
      senders.filter(({ answer, isClosed }) => isClosed || answer.startsWith('HTTP/1.1 503 '));
    const heldBytes = (): Promise<number> => program.readMetric('kinora_http_held_body_bytes');
    // Each sender is refused, or its bytes are held.
    await waitFor(async () => (await heldBytes()) === (SENDERS - refused().length) * SENT.length, WAIT);
    expect(await heldBytes()).toBeLessThanOrEqual(LARGE_ROOM_BYTES);
    expect(refused().length).toBeLessThan(SENDERS);
    expect((await program.readMetric('process_resident_memory_bytes')) - before).toBeLessThan(GROWTH_MAX_BYTES);
    for (const { socket } of senders) socket.destroy();
    await waitFor(async () => (await heldBytes()) === 0, WAIT);
  }, 120_000);
});
