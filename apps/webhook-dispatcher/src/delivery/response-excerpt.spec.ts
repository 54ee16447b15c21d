import { EXCERPT_MAX_BYTES, toExcerpt } from './webhook-sender';

const SECRET = `whsec_${'s'.repeat(40)}`;
const HEX = 'ab'.repeat(32);
const excerpt = (text: string | Buffer) => toExcerpt(Buffer.from(text), [SECRET, `t=1794,v1=${HEX}`]);
const bytesOf = (text: string) => Buffer.byteLength(text);

describe('the excerpt of an answer', () => {
  it('is the text itself where that is harmless', () => {
    expect(excerpt('{"ok":\ttrue}\nGrüße 🎨')).toBe('{"ok":\ttrue}\nGrüße 🎨');
    expect(excerpt('')).toBe('');
  });

  it('is the first KiB, cut between characters', () => {
    expect(excerpt('x'.repeat(5_000))).toBe('x'.repeat(EXCERPT_MAX_BYTES));
    const cut = excerpt('🎨'.repeat(300).slice(0) + 'x');
    expect([cut, bytesOf(cut)]).toEqual(['🎨'.repeat(256), EXCERPT_MAX_BYTES]);
    expect(excerpt('a' + '🎨'.repeat(300))).toBe('a' + '🎨'.repeat(255));
  });

  it('is valid text, and no longer, whatever bytes arrive', () => {
    const bytes = Buffer.from(Array.from({ length: 4_000 }, (_, place) => (place * 131) % 256));
    const text = excerpt(bytes);
    expect(bytesOf(text)).toBeLessThanOrEqual(EXCERPT_MAX_BYTES);
    expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
    expect(text).not.toContain('\0');
  });

  it('has no control characters', () => {
    expect(excerpt('a\0b\u001b[31mc\u202ed\r')).toBe('a\ufffdb\ufffd[31mc\ufffdd\ufffd');
  });

  it('has no secret and no signature of ours', () => {
    expect(excerpt(`you sent ${SECRET} and t=1794,v1=${HEX}!`)).toBe('you sent [redacted] and [redacted]!');
    expect(excerpt(`only ${HEX}`)).toBe('only [redacted]');
  });

  it('has no part of a secret at its end', () => {
    const text = excerpt('x'.repeat(EXCERPT_MAX_BYTES - 20) + SECRET);
    expect(text).not.toContain('whsec_');
    expect(excerpt(SECRET.repeat(300))).not.toContain('whsec_');
  });
});
