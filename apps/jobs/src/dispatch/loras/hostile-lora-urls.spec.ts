import { readFileSync } from 'node:fs';
import { parseUrl } from '@kinora/contracts/shared/texts';
import { Egress, EgressAllowList, findUrlProblem } from '@kinora/egress';
import { ConnectionWatch, HOSTILE_URLS, HttpsReceiver, RECEIVER_AUTHORITY_FILE } from '@kinora/testing';
import { LoraDownload } from './lora-download';

const BOUNDS = { timeoutMs: 5_000, maxBytes: 1_000 };

/** A LoRA URL of a client, or a redirect from it, must not lead to a private address (SSRF). */
describe('LoRAs that clients name', () => {
  let hub: HttpsReceiver;
  let loras: LoraDownload;
  let allow: EgressAllowList;
  let watch: ConnectionWatch;

  beforeAll(async () => {
    hub = await HttpsReceiver.start();
    allow = EgressAllowList.parse(`127.0.0.1:${hub.port}`);
    const egress = new Egress({ allow, authority: readFileSync(RECEIVER_AUTHORITY_FILE, 'utf8') });
    loras = new LoraDownload(egress);
  });
  afterAll(() => hub.close());
  beforeEach(() => (watch = new ConnectionWatch()));
  afterEach(() => watch.close());

  const hubUrl = (): string => `https://127.0.0.1:${hub.port}/a.safetensors`;
  /** The hostile URLs that fit into a Location header and resolve to a forbidden address, from an allowed hub. */
  const hostileLocations = (): string[] =>
    HOSTILE_URLS.filter((url) => /^[!-~]+$/.test(url) && parseUrl(url, hubUrl())).filter(
      (url) => findUrlProblem(new URL(url, hubUrl()).href, allow) !== null,
    );

  const fetchers: [string, (url: string) => Promise<unknown>][] = [
    ['a LoRA that is verified', (url) => loras.verify(url)],
    ['a LoRA that is downloaded', (url) => loras.read(url, BOUNDS).next()],
  ];

  const messageOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'fetched',
      (error: Error) => error.message,
    );

  it.each(fetchers)('are refused in every hostile form as %s, without a connection', async (_what, fetch) => {
    const urls = HOSTILE_URLS.filter((url) => !url.startsWith('/'));
    const refusal = 'The LoRA could not be fetched: blocked_address.';
    const taken: string[] = [];
    for (const url of urls) if ((await messageOf(fetch(url))) !== refusal) taken.push(url);
    expect({ taken, attempts: watch.attempts }).toEqual({ taken: [], attempts: [] });
  });

  it('are not fetched when an allowed hub redirects to a private address', async () => {
    const taken: string[] = [];
    for (const location of hostileLocations()) {
      hub.answer = (_request, response) => response.writeHead(302, { location }).end();
      if (!(await messageOf(loras.verify(hubUrl()))).endsWith('blocked_address.')) taken.push(location);
    }
    expect({ taken, attempts: new Set(watch.attempts) }).toEqual({
      taken: [],
      attempts: new Set([`127.0.0.1:${hub.port}`]),
    });
  });
});
