import { checkCertificate } from './check-jobs';

const NOW = new Date('2026-11-28T12:00:00Z');

describe('the check of the certificate', () => {
  it.each([
    ['2027-11-28T12:00:00Z', 'ok', '365 more days'],
    ['2026-12-20T12:00:00Z', 'failed', 'expires in 22 days'],
    ['2026-11-01T12:00:00Z', 'failed', 'expired on 2026-11-01'],
    [null, 'not_tried', 'KINORA_C2PA_CERTIFICATE'],
  ])('says of %s that it is %s', async (expiresAt, outcome, detail) => {
    expect(await checkCertificate(expiresAt, NOW)).toMatchObject({
      outcome,
      detail: expect.stringContaining(detail) as string,
    });
  });
});
