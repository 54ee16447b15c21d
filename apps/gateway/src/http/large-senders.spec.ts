import { type Socket, connect } from 'node:net';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { waitFor } from '@kinora/testing';
import { ADMISSION, API_KEY } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import type { GatewayProgram } from '../../test/gateway-program.fixtures';

const SENDERS = 80;
const ACCOUNTS = 10;
/** Thirteen sixteenths of it are for large bodies, enough for 15 of the senders. */
const ROOM_BYTES = 60_000_000;
const LARGE_ROOM_BYTES = (ROOM_BYTES * 13) / 16;
/** How much of its body each sender sends before it stalls. */
const SENT_BYTES = 3 * 1024 * 1024;
/** Refused bodies stay as garbage until the next collection, so less than all sent bytes is what shows that they are not held. */
const GROWTH_MAX_BYTES = (SENDERS * SENT_BYTES * 3) / 4;

/** A body's route, its type, its length, and how it begins. */
const BODIES = {
  JSON: ['/v1/images/edits', 'application/json', 43_000_000, ''],
  forms: [
    '/openai/v1/images/edits',
    'multipart/form-data; boundary=b',
    32_000_000,
    '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n',
  ],
} as const;

const testBed = useGateway();
let program: GatewayProgram;
let senders: Sender[] = [];

beforeAll(async () => {
  // On a busy machine these senders may fall below the minimum rate.
  program = await testBed.startProgram({
    KINORA_BODIES_MAX_BYTES: String(ROOM_BYTES),
    KINORA_BODY_MIN_BYTES_PER_SECOND: '0',
  });
});

afterEach(() => {
  for (const { socket } of senders) socket.destroy();
});

interface Sender {
  socket: Socket;
  /** The response as far as it has arrived. */
  answer: string;
  isClosed: boolean;
}

function send([path, type, length, start]: (typeof BODIES)[keyof typeof BODIES]): Sender {
  const sender: Sender = { socket: connect(program.port, '127.0.0.1'), answer: '', isClosed: false };
  // The connection of a refused sender may be reset while it still sends.
  sender.socket.on('error', () => undefined).once('close', () => (sender.isClosed = true));
  sender.socket.on('data', (bytes) => (sender.answer += bytes.toString('latin1')));
  const key = `Authorization: Bearer ${API_KEY}`;
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', key, `Content-Type: ${type}`, `Content-Length: ${length}`];
  sender.socket.write([...head, '', start].join('\r\n'));
  sender.socket.write(Buffer.alloc(SENT_BYTES - start.length, ' '));
  return sender;
}

describe('eighty senders of large bodies', () => {
  it.each(['JSON', 'forms'] as const)(
    'of %s use no more memory than the budget allows, and release it',
    async (kind) => {
      let callCount = 0;
      testBed.contexts.on(billingRpc.admit, () => ({
        ...ADMISSION,
        account_id: `account ${(callCount += 1) % ACCOUNTS}`,
      }));
      const before = await program.readMetric('process_resident_memory_bytes');
      senders = Array.from({ length: SENDERS }, () => send(BODIES[kind]));
      const refused = (): Sender[] =>
        senders.filter(({ answer, isClosed }) => isClosed || answer.startsWith('HTTP/1.1 503 '));
      const heldBytes = (): Promise<number> => program.readMetric('kinora_http_held_body_bytes');
      // Each sender is refused, or its bytes are held.
      await waitFor(async () => (await heldBytes()) === (SENDERS - refused().length) * SENT_BYTES);
      expect(await heldBytes()).toBeLessThanOrEqual(LARGE_ROOM_BYTES);
      expect(refused().length).toBeLessThan(SENDERS);
      expect((await program.readMetric('process_resident_memory_bytes')) - before).toBeLessThan(GROWTH_MAX_BYTES);
      for (const { socket } of senders) socket.destroy();
      await waitFor(async () => (await heldBytes()) === 0);
    },
    120_000,
  );
});
