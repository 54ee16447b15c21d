import { newCookieValue, seal, unseal } from './session-secrets';

describe('a sealed credential', () => {
  const cookie = newCookieValue();

  it('opens under the cookie of its session, and under no other', () => {
    const sealed = seal(cookie, 'knr_live_x');
    expect(unseal(cookie, sealed)).toBe('knr_live_x');
    expect(sealed.toString('latin1')).not.toContain('knr_live_x');
    expect(() => unseal(newCookieValue(), sealed)).toThrow();
    expect(() => unseal('', sealed)).toThrow();
  });

  it('does not open once a byte of it has changed', () => {
    const sealed = seal(cookie, 'knr_live_x');
    for (let place = 0; place < sealed.length; place++) {
      const changed = Buffer.from(sealed);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(() => unseal(cookie, changed)).toThrow();
    }
  });

  it('differs each time', () => {
    expect(seal(cookie, 'knr_live_x').equals(seal(cookie, 'knr_live_x'))).toBe(false);
  });
});
