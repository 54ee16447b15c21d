import { UrlSigner } from './url-signer';

const signer = new UrlSigner({ publicUrl: 'https://files.example.com/', signingKey: 'a key' });
const key = 'outputs/0199/0.png';
const expiresAt = new Date('2026-03-01T12:00:00.900Z');
const justBefore = new Date('2026-03-01T11:59:59.999Z');

function parts(url: string): { path: string; query: Record<string, string> } {
  const { pathname, searchParams } = new URL(url);
  return { path: pathname, query: Object.fromEntries(searchParams) };
}

describe('URL signer', () => {
  const { path, query } = parts(signer.sign(key, expiresAt));

  it('signs a link beside /v1 with nothing in it but key, expiry and signature', () => {
    expect(signer.sign(key, expiresAt)).toMatch(
      /^https:\/\/files\.example\.com\/files\/outputs\/0199\/0\.png\?expires=1772366400&signature=[\w-]{43}$/,
    );
  });

  it('accepts the link until its expiry, and not at it', () => {
    expect(signer.verify(path, query, justBefore)).toEqual({ key });
    expect(signer.verify(path, query, new Date('2026-03-01T12:00:00.000Z'))).toBe('expired');
  });

  it.each([
    ['another key', '/files/outputs/0199/1.png', query],
    ['the same name in the folder of another job', '/files/outputs/0200/0.png', query],
    ['a later expiry', path, { ...query, expires: '1772366401' }],
    ['an expiry written otherwise', path, { ...query, expires: '01772366400' }],
    ['a changed signature', path, { ...query, signature: `A${query.signature?.slice(1)}` }],
    ['a padded signature', path, { ...query, signature: `${query.signature}=` }],
    ['no signature', path, { expires: '1772366400' }],
    ['two signatures', path, { ...query, signature: [query.signature, query.signature] }],
    ['another path', '/v1/files/outputs/0199/0.png', query],
    ['an escaped path', '/files/outputs%2F0199/0.png', query],
    ['a path trick', '/files/outputs/0199/../0199/0.png', query],
  ])('refuses %s', (_name, otherPath, otherQuery) => {
    expect(signer.verify(otherPath, otherQuery, justBefore)).toBe('invalid');
  });

  it('refuses what another key signed', () => {
    const stranger = new UrlSigner({ publicUrl: 'https://files.example.com', signingKey: 'another key' });
    const forged = parts(stranger.sign(key, expiresAt));
    expect(signer.verify(forged.path, forged.query, justBefore)).toBe('invalid');
  });

  it('accepts links of both keys while they are rotated, signs by the first alone, and then refuses the second', () => {
    const signerOf = (signingKey: string, acceptedKey = '') =>
      new UrlSigner({ publicUrl: 'https://files.example.com', signingKey, acceptedKey });
    const [before, during, after] = [signerOf('old', 'new'), signerOf('new', 'old'), signerOf('new')];
    const verifies = (by: UrlSigner, url: string) => {
      const link = parts(url);
      return by.verify(link.path, link.query, justBefore) !== 'invalid';
    };
    const [oldLink, newLink] = [signerOf('old').sign(key, expiresAt), signerOf('new').sign(key, expiresAt)];
    expect([before.sign(key, expiresAt), during.sign(key, expiresAt)]).toEqual([oldLink, newLink]);
    for (const signer of [before, during])
      expect([verifies(signer, oldLink), verifies(signer, newLink)]).toEqual([true, true]);
    expect([verifies(after, oldLink), verifies(after, newLink)]).toEqual([false, true]);
    // An empty second key means none; it must not verify as an empty key.
    expect(verifies(after, oldLink.replace(/signature=.*/, 'signature='))).toBe(false);
  });

  it('reports a forged link as invalid, also when it has expired', () => {
    expect(signer.verify(path, { ...query, signature: 'x' }, new Date('2030-01-01'))).toBe('invalid');
  });
});
