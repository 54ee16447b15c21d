import { HARMLESS_URLS, HOSTILE_ADDRESSES, HOSTILE_URLS } from '@kinora/testing';
import { isPublicAddress } from './address-policy';
import { EgressAllowList } from './allow-list';
import { findUrlProblem } from './url-policy';

const NOTHING = EgressAllowList.NOTHING;

describe('a URL that a client names', () => {
  it.each(HARMLESS_URLS)('may be %j', (url) => {
    expect(findUrlProblem(url, NOTHING)).toBeNull();
  });

  it('is checked the same way 20,000 times', () => {
    const problems = Array.from({ length: 20_000 }, () => findUrlProblem('https://bücher.example/hook', NOTHING));
    expect([...new Set(problems)]).toEqual([null]);
  });

  it.each(HOSTILE_URLS)('is refused as %j', (url) => {
    expect(findUrlProblem(url, NOTHING)).not.toBeNull();
  });

  it.each([
    ['http://example.com/', 'must be an https URL'],
    ['https://example.com\\@10.0.0.1/', 'must be an https URL'],
    [`https://example.com/${'a'.repeat(2029)}`, 'must be at most 2048 characters long'],
    ['https://@example.com', 'must not contain user information'],
    ['https://example.com:5432/', 'must use port 443 or 8443'],
    ['https://exa\nmple.com/', 'must not contain spaces or control characters'],
    ['https://0x7f.1/', 'must point to a public host'],
    // The check uses the host of the connection, not a name elsewhere in the URL.
    ['https://127.0.0.1#@example.com/', 'must point to a public host'],
  ])('is refused as %j: it %s', (url, problem) => {
    expect(findUrlProblem(url, NOTHING)).toBe(problem);
  });
});

describe('an address behind a name', () => {
  it.each(HOSTILE_ADDRESSES)('is not public as %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['8.8.8.8', '100.63.255.254', '100.128.0.1', '172.15.255.255', '2606:4700::1111', '2a10:50c0::ad1:ff'])(
    'is public as %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe("an operator's allow list", () => {
  const allow = EgressAllowList.parse('LocalHost:9443, [0::1]:9443, 10.1.0.0/16, fd00::/8');

  it.each([
    'https://localhost:9443/hook',
    'https://[::1]:9443/hook',
    'https://10.1.2.3:7000/hook',
    'https://[::ffff:10.1.2.3]/hook',
    'https://[fd12::1]/hook',
  ])('permits %s', (url) => {
    expect(findUrlProblem(url, allow)).toBeNull();
  });

  it.each([
    'https://localhost:9444/',
    'https://localhost/',
    'https://10.2.0.1/',
    'https://[::2]:9443/',
    'http://localhost:9443/',
    'https://user@localhost:9443/',
  ])('does not permit %s', (url) => {
    expect(findUrlProblem(url, allow)).not.toBeNull();
  });

  it.each(['localhost', '10.0.0.1', 'host:99999', 'a b:1', '10.0.0.0/33'])('names the entry %s as wrong', (entry) => {
    expect(() => EgressAllowList.parse(`10.0.0.0/8,${entry}`)).toThrow(`${entry} is neither`);
  });
});
