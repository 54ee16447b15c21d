import { type Socket, createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;
/** An answer to a standard query, and the same with "no such name". */
const ANSWERED = 0x8180;
const NO_SUCH_NAME = 0x8183;

/** A name server that says what a spec wants. A name that it does not know does not exist. */
export class TestNameServer {
  /** Questions so far, as `A name`. */
  readonly questions: string[] = [];
  /** Addresses by name; a function is asked at every question. */
  readonly names = new Map<string, string[] | (() => string[])>();
  /** Takes questions and answers none. */
  silent = false;

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, { port, address }) => {
      const answer = this.answer(query);
      if (!this.silent) socket.send(answer, port, address);
    });
  }

  static async start(): Promise<TestNameServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new TestNameServer(socket);
  }

  /** As `Resolver.setServers` takes it. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(resolve));
  }

  private answer(query: Buffer): Buffer {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    this.questions.push(`${type === TYPE_A ? 'A' : 'AAAA'} ${name}`);
    const known = this.names.get(name);
    const addresses = typeof known === 'function' ? known() : (known ?? []);
    const records = addresses.filter((address) => isIPv4(address) === (type === TYPE_A)).map((ip) => record(type, ip));
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(known ? ANSWERED : NO_SUCH_NAME, 2);
    [1, records.length, 0, 0].forEach((count, index) => header.writeUInt16BE(count, 4 + 2 * index));
    return Buffer.concat([header, query.subarray(HEADER_BYTES, end + 4), ...records]);
  }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** One record about the name in the question, never to be remembered. */
function record(type: number, address: string): Buffer {
  const data = type === TYPE_AAAA ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const [before, after] = [groups(left), groups(right)];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
