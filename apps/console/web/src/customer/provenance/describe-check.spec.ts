import { describeCheck, type ProvenanceCheck } from './describe-check';

const CHECK: ProvenanceCheck = { object: 'provenance.check', result: 'unknown', credential: null, match: null };
const CREDENTIAL: NonNullable<ProvenanceCheck['credential']> = {
  ...{ valid: true, trusted: false, ours: false, signer: 'Acme', created_at: null, model: null },
  ...{ digital_source_type: null, ingredients: [] },
};
const MATCH = { exact: true, distance_bits: 0, created_at: '2026-11-20T09:00:00.000Z', model: null };

const titles = (check: Partial<ProvenanceCheck>): string[] =>
  describeCheck({ ...CHECK, ...check }).map(({ title }) => title);

describe('what a visitor reads of a check', () => {
  it.each<[string, Partial<ProvenanceCheck>, string[]]>([
    ['nothing', {}, ['Nothing is known about this file']],
    ['our file', { match: MATCH }, ['This service has made this file']],
    [
      'a copy',
      { match: { ...MATCH, exact: false, distance_bits: 9 } },
      ['This service has made a picture that looks the same'],
    ],
    ['a broken mark', { credential: { ...CREDENTIAL, valid: false } }, ['The mark in this file is broken']],
    ['a mark of others', { credential: CREDENTIAL }, ['The file carries a statement of Acme']],
    [
      'our mark and our file',
      { credential: { ...CREDENTIAL, ours: true }, match: MATCH },
      ['This service has signed this file', 'This service has made this file'],
    ],
  ])('names %s', (_what, check, expected) => {
    expect(titles(check)).toEqual(expected);
  });

  it('does not let a stranger pass for a known signer', () => {
    const [finding] = describeCheck({ ...CHECK, credential: CREDENTIAL });
    expect(finding).toMatchObject({
      tone: 'warn',
      text: expect.stringContaining('does not know the signer') as string,
    });
  });
});
