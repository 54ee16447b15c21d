import { addressGroup } from './connection-limit';

describe('the group of an address', () => {
  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002:0:0:0:9'],
    ['fe80::1%eth0', 'fe80::2'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:db8:1:2::1]:4711', '2001:db8:1:2::2'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::2'],
    ['[::ffff:192.0.2.1]:4711', '192.0.2.1'],
  ])('is the same for %s and %s', (one, other) => {
    expect(addressGroup(one)).toBe(addressGroup(other));
  });

  it.each([
    ['192.0.2.1', '192.0.2.2'],
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['::1', '127.0.0.1'],
  ])('differs for %s and %s', (one, other) => {
    expect(addressGroup(one)).not.toBe(addressGroup(other));
  });

  it('is the text itself where it is no IP address', () => {
    expect(['unknown', '', 'unknown:80', '[unknown]'].map(addressGroup)).toEqual([
      'unknown',
      '',
      'unknown:80',
      '[unknown]',
    ]);
  });
});
