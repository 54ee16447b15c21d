import { EgressAllowList } from './allow-list';
import { findUrlProblem } from './url-policy';

const NOTHING = EgressAllowList.NOTHING;

describe('a URL that a client names', () => {
  it.each([
    'https://example.com',
    'HTTPS://Example.com:443/hook?a=b#c',
    'https://example.com:8443/hook',
    'https://example.com./hook',
    'https://example.com/@me?to=a@b#@',
    'https://example.com?@',
    'https://bücher.example/hook',
    'https://8.8.8.8/hook',
    'https://172.15.255.255/',
    'https://100.63.255.254/',
    'https://100.128.0.1/',
    'https://[2606:4700::1111]/hook',
    `https://example.com/${'a'.repeat(2028)}`,
  ])('may be %s', (url) => {
    expect(findUrlProblem(url, NOTHING)).toBeNull();
  });

  it.each([
    ['http://example.com/', 'https'],
    ['ftp://example.com/', 'https'],
    ['example.com/hook', 'https'],
    ['https:example.com', 'https'],
    ['https:\\\\example.com\\hook', 'https'],
    ['https://', 'https'],
    ['https://[fe80::1%25eth0]/', 'https'],
    [`https://example.com/${'a'.repeat(2029)}`, '2048'],
    ['https://user@example.com/', 'user information'],
    ['https://:secret@example.com/', 'user information'],
    ['https://:@example.com/', 'user information'],
    ['https://@example.com', 'user information'],
    ['https:///example.com/', 'https'],
    ['https:///@example.com/', 'https'],
    ['https://example.com\\@10.0.0.1/', 'https'],
    ['https://example.com/a\\b', 'https'],
    ['https://example.com:80/', 'port'],
    ['https://example.com:5432/', 'port'],
    [' https://example.com/', 'spaces'],
    ['https://exa\nmple.com/', 'spaces'],
    ['https://example.com/a\tb', 'spaces'],
    ['https://example.com/a b', 'spaces'],
    ['https://example.com/\u0000', 'spaces'],
    ['https://example.com/\u0085', 'spaces'],
  ])('is refused as %j: %s', (url, reason) => {
    expect(findUrlProblem(url, NOTHING)).toContain(reason);
  });

  it.each([
    ...['localhost', 'LOCALHOST', 'localhost.', 'foo.localhost', 'intranet', 'db', 'printer.local', 'x.y.local.'],
    ...['metadata.google.internal', 'jobs.kinora.svc', 'jobs.kinora.svc.cluster.local', 'localhost.localdomain'],
    ...['foo.local..', 'a..b', '.example'],
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.254'],
    ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.0.170', '192.0.2.1', '192.88.99.1'],
    ...['192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1'],
    ...['255.255.255.255', '168.63.129.16'],
    ...['2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001', '127.1', '①②⑦.0.0.1', '127.0.0.1.'],
    ...[
      '%31%32%37.0.0.1',
      '[::]',
      '[::1]',
      '[::127.0.0.1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:a9fe:a9fe]',
      '[::ffff:8.8.8.8]',
    ],
    ...['[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::ac1c:5]', '[64:ff9b::808:808]', '[64:ff9b:1::1]'],
    ...['[2002:7f00:1::]', '[2002:a00:1::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001:10::1]'],
    ...['[2001:20::1]', '[2001:2::1]', '[2001:db8::1]', '[3fff::1]', '[100::1]', '[100:0:0:1::1]', '[fc00::1]'],
    ...['[fd00:ec2::254]', '[fd7a:115c:a1e0::1]', '[fe80::1]', '[febf:ffff::1]', '[fec0::1]', '[ff02::1]'],
    ...['[5f00::1]', '[4000::1]', '[1::1]'],
  ])('is refused when its host is %s, which is not public', (host) => {
    expect(findUrlProblem(`https://${host}/hook`, NOTHING)).toBe('must point to a public host');
  });

  it('is judged by the host that a connection would go to, not by one that stands elsewhere in it', () => {
    expect(findUrlProblem('https://127.0.0.1#@example.com/', NOTHING)).toBe('must point to a public host');
    expect(findUrlProblem('https://127.0.0.1?@example.com/', NOTHING)).toBe('must point to a public host');
  });
});

describe("an operator's allow list", () => {
  const allow = EgressAllowList.parse('LocalHost:9443, [0::1]:9443, 10.1.0.0/16, fd00::/8');

  it.each([
    'https://localhost:9443/hook',
    'https://[::1]:9443/hook',
    'https://10.1.2.3:7000/hook',
    'https://[::ffff:10.1.2.3]/hook',
    'https://[fd12::1]/hook',
  ])('opens %s', (url) => {
    expect(findUrlProblem(url, allow)).toBeNull();
  });

  it.each([
    'https://localhost:9444/',
    'https://localhost/',
    'https://10.2.0.1/',
    'https://[::2]:9443/',
    'http://localhost:9443/',
    'https://user@localhost:9443/',
  ])('leaves %s closed', (url) => {
    expect(findUrlProblem(url, allow)).not.toBeNull();
  });

  it.each(['localhost', '10.0.0.1', 'host:99999', 'a b:1', '10.0.0.0/33'])('names the entry %s as wrong', (entry) => {
    expect(() => EgressAllowList.parse(`10.0.0.0/8,${entry}`)).toThrow(`${entry} is neither`);
  });
});
