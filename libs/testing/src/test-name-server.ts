import { type Socket, createSocket } from 'node:dgram';
import { isIP, isIPv4 } from 'node:net';

const TYPE_A = 1;
const TYPE_CNAME = 5;
const HEADER_BYTES = 12;
/** Flags of an answer to a standard query, and the same with "no such name". */
const ANSWERED = 0x8180;
const NO_SUCH_NAME = 0x8183;

/** Limit of a chain of aliases; a longer one is a loop. */
const MAX_CHAIN = 16;

/** A name server with records that the spec sets. Other names do not exist. */
export class TestNameServer {
  /** Queries so far, as `A name`. */
  readonly questions: string[] = [];
  /** Addresses by name, or the alias target of a name (CNAME); a function is called at every query. */
  readonly names = new Map<string, string[] | (() => string[])>();
  /** Accepts queries and answers none. */
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

  /** In the format of `Resolver.setServers`. */
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
    const records = this.recordsOf(name, type);
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(records ? ANSWERED : NO_SUCH_NAME, 2);
    [1, records?.length ?? 0, 0, 0].forEach((count, index) => header.writeUInt16BE(count, 4 + 2 * index));
    return Buffer.concat([header, query.subarray(HEADER_BYTES, end + 4), ...(records ?? [])]);
  }

  /** The whole CNAME chain, as a recursive server answers; null for a name that does not exist. */
  private recordsOf(name: string, type: number): Buffer[] | null {
    const chain: Buffer[] = [];
    for (let owner = name; chain.length < MAX_CHAIN;) {
      const known = this.names.get(owner);
      if (!known) return null;
      const values = typeof known === 'function' ? known() : known;
      const [alias] = values.filter((value) => isIP(value) === 0);
      if (alias === undefined) {
        const addresses = values.filter((address) => isIPv4(address) === (type === TYPE_A));
        return [...chain, ...addresses.map((address) => record(owner, type, addressBytes(address)))];
      }
      chain.push(record(owner, TYPE_CNAME, nameBytes(alias)));
      owner = alias;
    }
    return chain;
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

/** TTL 0: never cached. */
function record(owner: string, type: number, data: Buffer): Buffer {
  return Buffer.concat([nameBytes(owner), Buffer.from([0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.of(0)]);
}

function addressBytes(address: string): Buffer {
  return isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
}

function ipv6Bytes(address: string): Buffer {
  // A URL writes a dotted IPv4 tail as two more groups.
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const [before, after] = [groups(left), groups(right)];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
