import { readFileSync } from 'node:fs';
import { parseUrl } from '@kinora/contracts/shared/texts';
import {
  ConnectionWatch,
  HOSTILE_ADDRESSES,
  HOSTILE_URLS,
  HttpsReceiver,
  RECEIVER_AUTHORITY_FILE,
  TestNameServer,
  loopbackAddresses,
} from '@kinora/testing';
import { EgressAllowList } from './allow-list';
import { Egress, type EgressDownload, type EgressResponse } from './egress';
import { findUrlProblem } from './url-policy';

/** The first stands for the public internet: the only address that the policy permits here. */
const [PUBLIC_LOOKALIKE, FORBIDDEN] = loopbackAddresses(2) as [string, string];
const PORT = 8443;
const NAMED = `https://hook.example.com:${PORT}/a.safetensors`;
const ALLOW = EgressAllowList.parse(`${PUBLIC_LOOKALIKE}/32`);
const BODY = Buffer.from('{}');

type Ask = (egress: Egress, url: string) => Promise<EgressResponse | EgressDownload>;

/** Each kind of URL that comes from outside, requested in the same way as in production, and what follows from a hostile redirect. */
const KINDS: [string, Ask, 'answered' | 'blocked_address'][] = [
  [
    'a webhook',
    (egress, url) =>
      egress.send({ url, method: 'POST', headers: {}, body: BODY, timeoutMs: 10_000, maxResponseBytes: 16_384 }),
    'answered',
  ],
  [
    'an image',
    (egress, url) =>
      egress.send({
        url,
        method: 'GET',
        headers: {},
        timeoutMs: 10_000,
        maxResponseBytes: 10_485_760,
        maxRedirects: 3,
      }),
    'blocked_address',
  ],
  [
    'a LoRA file',
    (egress, url) =>
      egress.fetch({ url, headers: { range: 'bytes=0-7' }, timeoutMs: 10_000, maxBytes: 8, maxRedirects: 3 }),
    'blocked_address',
  ],
  [
    "a provider's output, although its host is one that is listed",
    (egress, url) =>
      egress.fetch({
        url,
        timeoutMs: 10_000,
        maxBytes: 99,
        hosts: [parseUrl(url)].flatMap((parsed) => parsed?.hostname ?? []),
      }),
    'answered',
  ],
];

describe.each(KINDS)('the URL of %s', (_kind, ask, onRedirect) => {
  let receiver: HttpsReceiver;
  let trap: HttpsReceiver;
  let names: TestNameServer;
  let egress: Egress;
  let watch: ConnectionWatch;

  beforeAll(async () => {
    receiver = await HttpsReceiver.start({ host: PUBLIC_LOOKALIKE, port: PORT });
    trap = await HttpsReceiver.start({ host: FORBIDDEN, port: PORT });
    names = await TestNameServer.start();
    const authority = readFileSync(RECEIVER_AUTHORITY_FILE, 'utf8');
    egress = new Egress({ allow: ALLOW, authority, nameServers: [names.address] });
  });
  afterAll(() => Promise.all([receiver.close(), trap.close(), names.close()]));
  beforeEach(() => {
    names.names.clear();
    names.questions.length = 0;
    receiver.connections = trap.connections = 0;
    watch = new ConnectionWatch();
  });
  afterEach(() => watch.close());

  async function outcomeOf(url: string): Promise<string> {
    try {
      const answer = await ask(egress, url);
      if (!Buffer.isBuffer(answer.body)) answer.body.destroy();
      return `${answer.status}`;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** The outcomes other than a refusal. */
  async function findHoles(cases: Iterable<[name: string, addresses: string[]]>): Promise<string[]> {
    const holes: string[] = [];
    for (const [title, addresses] of cases) {
      names.names.set('hook.example.com', addresses);
      const outcome = await outcomeOf(NAMED);
      if (outcome !== 'blocked_address') holes.push(`${title}: ${outcome}`);
    }
    return holes;
  }

  it('is connected to if it is public, which shows that the refusals below prove something', async () => {
    names.names.set('hook.example.com', [PUBLIC_LOOKALIKE]);
    expect(await outcomeOf(NAMED)).toBe('200');
    expect({ attempts: watch.attempts, connections: receiver.connections }).toEqual({
      attempts: [`hook.example.com:${PORT}`],
      connections: 1,
    });
  });

  it('is refused in every hostile form, without a connection or a name lookup', async () => {
    const holes: string[] = [];
    for (const url of HOSTILE_URLS) {
      const outcome = await outcomeOf(url);
      if (outcome !== 'blocked_address') holes.push(`${url}: ${outcome}`);
    }
    expect({ holes, attempts: watch.attempts, questions: names.questions }).toEqual({
      holes: [],
      attempts: [],
      questions: [],
    });
  });

  it('is refused if its name has a hostile address, alone or beside a good one', async () => {
    const alone = HOSTILE_ADDRESSES.map((address): [string, string[]] => [address, [address]]);
    const beside = HOSTILE_ADDRESSES.map((address): [string, string[]] => [
      `${PUBLIC_LOOKALIKE} and ${address}`,
      [PUBLIC_LOOKALIKE, address],
    ]);
    const many = Array.from({ length: 28 }, (_, index) => `8.8.4.${index}`);
    const holes = await findHoles([...alone, ...beside, ['the last of many', [...many, FORBIDDEN]]]);
    expect({ holes, attempts: watch.attempts }).toEqual({ holes: [], attempts: [] });
  });

  it('is refused if its name is an alias of one with a hostile address', async () => {
    names.names.set('localhost', ['127.0.0.1']);
    names.names.set('metadata.google.internal', ['169.254.169.254', 'fd20:ce::254']);
    names.names.set(`${FORBIDDEN}.rebind.example`, [FORBIDDEN]);
    names.names.set('two.example.com', ['one.example.com']);
    names.names.set('one.example.com', ['metadata.google.internal']);
    const aliases = ['localhost', 'metadata.google.internal', `${FORBIDDEN}.rebind.example`, 'two.example.com'];
    const holes = await findHoles(aliases.map((alias) => [alias, [alias]]));
    expect({ holes, attempts: watch.attempts }).toEqual({ holes: [], attempts: [] });
  });

  it('gets no connection if its name has no address, or its aliases form a loop', async () => {
    names.names.set('empty.example.com', []);
    names.names.set('circle.example.com', ['circle.example.com']);
    for (const name of ['empty', 'circle', 'unknown'])
      expect([name, await outcomeOf(`https://${name}.example.com/`)]).toEqual([name, 'dns_error']);
    expect(watch.attempts).toEqual([]);
  });

  it.each([
    ['after the first lookup', [[PUBLIC_LOOKALIKE], [PUBLIC_LOOKALIKE]], '200'],
    ['between the lookup of IPv4 and that of IPv6', [[PUBLIC_LOOKALIKE], ['::1']], 'blocked_address'],
    ['before the first lookup', [], 'blocked_address'],
  ])('is never followed to an address that its name server returns %s', async (_when, first, outcome) => {
    const answers = [...first];
    names.names.set('hook.example.com', () => answers.shift() ?? [FORBIDDEN]);
    expect(await outcomeOf(NAMED)).toBe(outcome);
    expect(trap.connections).toBe(0);
    expect(receiver.connections).toBe(outcome === '200' ? 1 : 0);
  });

  it('is never followed to where its host redirects it, if that is hostile', async () => {
    names.names.set('hook.example.com', [PUBLIC_LOOKALIKE]);
    const answerWith = (status: number, location: string): void => {
      const headers = { location, refresh: `0;url=${location}`, 'alt-svc': `h2="${FORBIDDEN}:${PORT}"` };
      receiver.answer = (_request, response) => response.writeHead(status, headers).end();
    };
    for (const status of [301, 302, 303, 307, 308, 200]) {
      answerWith(status, `https://${FORBIDDEN}:${PORT}/`);
      const isFollowed = onRedirect === 'blocked_address' && status !== 200;
      expect(await outcomeOf(NAMED)).toBe(isFollowed ? 'blocked_address' : `${status}`);
    }
    const locations = HOSTILE_URLS.filter((url) => /^[!-~]+$/.test(url) && !/^[/?#]/.test(url) && parseUrl(url, NAMED));
    const holes: string[] = [];
    for (const location of locations.filter((url) => findUrlProblem(new URL(url, NAMED).href, ALLOW) !== null)) {
      answerWith(302, location);
      const outcome = await outcomeOf(NAMED);
      if (outcome !== (onRedirect === 'answered' ? '302' : 'blocked_address')) holes.push(`${location}: ${outcome}`);
    }
    expect({ holes, attempts: [...new Set(watch.attempts)], connections: trap.connections }).toEqual({
      holes: [],
      attempts: [`hook.example.com:${PORT}`],
      connections: 0,
    });
    receiver.answer = (_request, response) => response.writeHead(200).end();
  });
});
