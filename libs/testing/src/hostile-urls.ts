/** Addresses that a client must not reach through the service, as a name server would return them. */
export const HOSTILE_ADDRESSES: readonly string[] = [
  // This machine, its networks, and the metadata services of cloud providers.
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1'],
  ...['127.255.255.254', '169.254.0.23', '169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.255'],
  ...['192.168.0.1', '192.168.255.255', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  // Reserved ranges: protocols, documentation, benchmarks, multicast, and unassigned ones.
  ...['192.0.0.1', '192.0.0.170', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.254', '255.255.255.255'],
  // The same ranges in IPv6.
  ...['::', '::1', 'fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fd00:42::42', 'fd7a:115c:a1e0::1', 'fdff:ffff::1'],
  ...['fe80::1', 'febf:ffff::1', 'fec0::1', 'ff02::1', 'ff05::2', 'ff0e::1', '100::1', '100:0:0:1::1', '5f00::1'],
  ...['2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::1', '2001:20::1', '2001:30::1', '2001:db8::1', '3fff::1'],
  // Gaps between the blocks of registries.
  ...['2001:1000::1', '2001:4e00::1', '2001:6000::1', '2001:c000::1', '2001:ffff::1', '2003:4000::1', '2610:200::1'],
  ...['2611::1', '261f:ffff::1', '2620:200::1', '2621::1', '2640::1', '2810::1', '2a20::1', '2c10::1'],
  ...['3fff:fff:ffff::1', '1::1', '200::1', '2d00::1', '3000::1', '3ffe::1', '4000::1', '8000::1', 'e000::1'],
  // IPv4 inside IPv6: mapped, translated and tunnelled. Those of public addresses are refused as well, because no client needs
  // them.
  ...['::127.0.0.1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
  ...['64:ff9b::7f00:1', '64:ff9b::ac1c:5', '64:ff9b::a9fe:a9fe', '64:ff9b::808:808', '64:ff9b:1::7f00:1'],
  ...['2002:7f00:1::', '2002:a00:1::1', '2002:a9fe:a9fe::1', '2002:808:808::1', '2001::1'],
  ...['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:7f00:1::', 'fe80::5efe:7f00:1', '2606:4700::5efe:7f00:1'],
  '2606:4700::200:5efe:a9fe:a9fe',
];

/** Hosts that a URL must not have: other notations of such addresses, and names that exist only in private networks. */
const HOSTILE_HOSTS: readonly string[] = [
  ...HOSTILE_ADDRESSES.map((address) => (address.includes(':') ? `[${address}]` : address)),
  // A single number, fewer than four parts, octal, hexadecimal, and mixtures of them.
  ...['0', '0x0', '00', '2130706433', '0x7f000001', '017700000001', '0x7f.1', '0x7f.0.0.1', '0x7F.0X0.0x0.0x1'],
  ...['0177.0.0.1', '0177.1', '00000177.0.0.01', '127.1', '127.0.1', '10.1', '192.168.1', '0xa9fea9fe', '2852039166'],
  ...['0251.0376.0251.0376', '169.0xfe.43518', '0xffffffff', '4294967295', '127.0.0.1.', '2130706433.', '0x7f.1.'],
  // Digits and dots of other alphabets, and percent-encoded digits.
  ...[
    '①②⑦.0.0.1',
    '１２７.0.0.1',
    '¹²⁷.0.0.1',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '１６９。２５４。１６９。２５４',
  ],
  ...['%31%32%37.0.0.1', '127%2e0%2e0%2e1', '%30x7f.1', '127.0.0.%31', '1\u00ad27.0.0.1', '127\u200b.0.0.1'],
  // IPv6 in other notations.
  ...['[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::0:1]', '[::FFFF:7F00:1]', '[0:0:0:0:0:ffff:127.0.0.1]'],
  '[::ffff:0a00:1]',
  ...['[FE80::1]', '[fd00:0ec2:0000::0254]', '[64:FF9B::10.0.0.1]', '[2002:c0a8:0101::]'],
  // Names of this machine and of private networks.
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ｌｏｃａｌｈｏｓｔ',
    'local\u00adhost',
    '%6cocalhost',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'localhost。',
  ],
  ...['foo.localhost', 'localhost.localdomain', 'intranet', 'db', 'metadata', 'kubernetes', 'printer.local'],
  ...['x.y.local.', 'metadata.google.internal', 'metadata.google.internal.', 'METADATA.GOOGLE。INTERNAL'],
  'instance-data.ec2.internal',
  ...['host.docker.internal', 'kubernetes.default.svc', 'jobs.kinora.svc', 'jobs.kinora.svc.cluster.local', 'a.b.svc.'],
  // Invalid names.
  ...['foo.local..', 'a..b', '.example', 'example.com..', '..', '.'],
  ...['a"b.example.com', '*.example.com', '-.example.com', '-a.example.com', 'a-.example.com'],
  ...[`${'a'.repeat(64)}.example.com`, `${'a.'.repeat(122)}example.com`],
];

/** URLs that are refused for more than their host, or whose host differs between parsers. */
const HOSTILE_SHAPES: readonly string[] = [
  // Other schemes, and invalid forms of https.
  ...['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'gopher://example.com:6379/_'],
  ...['dict://example.com/', 'ldap://example.com/', 'data:text/plain,x', 'javascript:alert(1)'],
  ...['blob:https://example.com/1', 'wss://example.com/', 'unix:///run/docker.sock'],
  ...['https+unix://%2Frun%2Fdocker.sock/', 'httpss://example.com/', 'view-source:https://example.com/', '', 'https'],
  ...['https:', 'https:/', 'https://', 'https:///', '//example.com/', '/etc/passwd', 'example.com/hook'],
  ...['https:example.com', 'https:/example.com/', 'https:///example.com/', 'https:////example.com/', 'https:127.0.0.1'],
  ...['https:/127.0.0.1/', 'https://?', 'https://#'],
  // The host depends on the parser.
  ...['https:\\\\example.com\\', 'https:\\/\\/127.0.0.1/', 'https:/\\127.0.0.1/', 'https://example.com\\@127.0.0.1/'],
  ...['https://127.0.0.1\\@example.com/', 'https://example.com\\.127.0.0.1/', 'https://example.com/a\\b'],
  ...['https://127.0.0.1#@example.com/', 'https://127.0.0.1?@example.com/', 'https://127.0.0.1/@example.com/'],
  ...['https://127.0.0.1;@example.com/', 'https://127.0.0.1&@example.com/', 'https://example.com%23@127.0.0.1/'],
  ...['https://example.com%40127.0.0.1/', 'https://example.com%2f@127.0.0.1/', 'https://127.0.0.1%2f.example.com/'],
  ...['https://127.0.0.1%00.example.com/', 'https://127.0.0.1%20.example.com/'],
  ...['https://127.0.0.1%0d%0aHost:example.com/', 'https://[::1]@example.com/', 'https://[example.com]/'],
  ...['https://[::1%25lo]/', 'https://[::1%lo]/', 'https://[fe80::1%25eth0]/', 'https://[fe80::1%eth0]/'],
  ...['https://[::1]x/', 'https://[::1/', 'https://::1/', 'https://[::ffff:127.1]/', 'https://[127.0.0.1]/'],
  ...['https://[v1.x]/', 'https://256.0.0.1/', 'https://127.0.0.256/', 'https://4294967296/', 'https://1.2.3.4.5/'],
  // User information, also if a parser drops it.
  ...['https://user@example.com/', 'https://user:secret@example.com/', 'https://:secret@example.com/'],
  ...['https://:@example.com/', 'https://@example.com', 'https://example.com@127.0.0.1/'],
  ...['https://example.com:443@127.0.0.1/', 'https://127.0.0.1@example.com/', 'https://a@b@example.com/'],
  // Ports.
  ...[0, 1, 22, 25, 80, 442, 444, 2375, 3306, 5432, 6379, 8080, 8444, 9200, 10250, 65535, 65536, 443443].map(
    (port) => `https://example.com:${port}/`,
  ),
  ...['https://example.com:443:22/', 'https://example.com:+443/', 'https://example.com:-1/'],
  ...['https://example.com:0x1bb/', 'https://example.com:４４３０/'],
  // Characters that a parser drops.
  ...[' https://example.com/', 'https://example.com/ ', '\thttps://example.com/', 'https://exa\nmple.com/'],
  ...['https://127.0\t.0.1/', 'ht\ntps://example.com/', 'https://example.com/a b', 'https://example.com/a\tb'],
  ...['https://example.com/\r\nHost: x', 'https://example.com/\u0000', 'https://example.com/\u0085'],
  ...['https://example.com/\u00a0', 'https://example.com/\u2028', '\ufeffhttps://example.com/'],
  'https://example.com /',
  `https://example.com/${'a'.repeat(2_029)}`,
];

/** Everything a client may use to make a service reach internal addresses (SSRF); refused as text, without a DNS query. */
export const HOSTILE_URLS: readonly string[] = [
  ...HOSTILE_HOSTS.flatMap((host) => [`https://${host}/a`, `https://${host}:8443/a`]),
  ...HOSTILE_SHAPES,
];

/** Unusual but valid URLs: without them, a policy that refuses everything would pass the tests. */
export const HARMLESS_URLS: readonly string[] = [
  ...['https://example.com', 'HTTPS://Example.com:443/hook?a=b#c', 'https://example.com:8443/hook'],
  ...['https://example.com:0443/', 'https://example.com./hook', 'https://example.com/@me?to=a@b#@'],
  ...['https://example.com?@', 'https://example.com/%0a', 'https://example.com//127.0.0.1/'],
  ...['https://bücher.example/hook', 'https://例え.テスト/hook', 'https://a_b.example.com/'],
  ...['https://localhost.example.com/', 'https://internal.example.com/', 'https://10.example.com/'],
  ...['https://127.0.0.1.example.com/', 'https://local.dev/', 'https://svc.io/', 'https://myinternal.io/'],
  ...['https://8.8.8.8/hook', 'https://9.255.255.255/', 'https://11.0.0.0/', 'https://172.15.255.255/'],
  ...['https://172.32.0.0/', 'https://100.63.255.254/', 'https://100.128.0.1/', 'https://126.255.255.255/'],
  ...['https://128.0.0.1/', 'https://169.253.255.255/', 'https://192.167.255.255/', 'https://223.255.255.255/'],
  ...['https://[2606:4700::1111]/hook', 'https://[2001:4860:4860::8888]/', 'https://[2a00:1450::1]/'],
  ...['https://[2400:cb00::1]/', 'https://[2620:fe::fe]/'],
  ...['https://[2001:218::1]/', 'https://[2001:1284::1]/', 'https://[2001:4c28::1]/', 'https://[2001:b000::1]/'],
  ...['https://[2610:30::1]/', 'https://[2409:8c00::1]/', 'https://[2c0f:fb50::1]/', 'https://[2001:67c:4e8::1]/'],
  ...[`https://${'a'.repeat(63)}.example.com/`, `https://${'a.'.repeat(121)}example.com/`, 'https://a--b.example.com/'],
  `https://example.com/${'a'.repeat(2_028)}`,
];
