import { EgressAllowList } from '@kinora/egress';
import { HARMLESS_URLS, HOSTILE_URLS } from '@kinora/testing';
import { assertPublicUrls } from './public-urls';

const NOTHING = EgressAllowList.NOTHING;
const GOOD_FILE = 'https://example.com/api/download/models/1';

describe('URLs in a request', () => {
  function problemOf(body: Parameters<typeof assertPublicUrls>[0]): unknown {
    try {
      assertPublicUrls(body, NOTHING);
      return null;
    } catch (error) {
      return error;
    }
  }

  it.each([
    ['webhook_url', HOSTILE_URLS, (url: string) => ({ webhook_url: url })],
    ['loras[0].url', HOSTILE_URLS, (url: string) => ({ loras: [{ url, strength: 1 }] })],
    ['loras[0].low_url', HOSTILE_URLS, (low_url: string) => ({ loras: [{ url: GOOD_FILE, low_url, strength: 1 }] })],
  ])('are refused as %s in every hostile form', (param, urls, toBody) => {
    const taken = urls.filter((url) => (problemOf(toBody(url)) as { param?: string } | null)?.param !== param);
    expect(taken).toEqual([]);
  });

  it('are accepted if they only look unusual', () => {
    expect(HARMLESS_URLS.map((webhook_url) => problemOf({ webhook_url })).filter(Boolean)).toEqual([]);
    expect(problemOf({ loras: [{ url: GOOD_FILE, low_url: `${GOOD_FILE}?token=1`, strength: 1 }] })).toBeNull();
  });
});
