import { HangingNames, registrableDomainOf } from './hanging-names';

describe('names that hang', () => {
  it.each([
    ['a.b.example.com:443', 'example.com'],
    ['example.com:8443', 'example.com'],
    ['hooks.example.co.uk:443', 'example.co.uk'],
    ['hooks.example.io:443', 'example.io'],
    ['a.b.kobe.jp:443', 'a.b.kobe.jp'],
    ['hooks.example.gov.br:443', 'example.gov.br'],
    ['hooks.abc.de:443', 'abc.de'],
    // A suffix has no registrable domain.
    ['co.uk:443', 'co.uk'],
    ['a.co.uk:443', 'a.co.uk'],
    // Private suffixes count as ordinary domains.
    ['x.github.io:443', 'github.io'],
    ['a.x.github.io:443', 'github.io'],
    ['1.2.3.4.nip.io:443', 'nip.io'],
    ['localhost:443', 'localhost'],
    ['_a.example.com:443', 'example.com'],
    ['203.0.113.7:443', '203.0.113.7'],
    ['[2001:db8::1]:443', '[2001:db8::1]'],
  ])('%s is of %s', (host, domain) => {
    expect(registrableDomainOf(host)).toBe(domain);
  });

  it('limit an account for ten minutes after the last of them', () => {
    const names = new HangingNames();
    for (const index of [1, 2, 3]) names.note({ host: `w${index}.example.com:443`, account_id: 'ada' }, false, index);
    expect(names.limitedAccounts(4)).toEqual(['ada']);
    expect(names.isLimited('ada', 600_002)).toBe(true);
    expect(names.isLimited('ada', 600_003)).toBe(false);
    expect(names.limitedAccounts(600_003)).toEqual([]);
  });

  it('are counted once each: one host that hangs again and again is only a slow host', () => {
    const names = new HangingNames();
    for (let round = 0; round < 9; round++) names.note({ host: 'a.example.com:443', account_id: 'ada' }, false, 1);
    expect(names.limitedAccounts(2)).toEqual([]);
  });
});
