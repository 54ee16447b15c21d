import type { Account } from '@kinora/contracts/billing/account';
import type { Usage } from '@kinora/contracts/jobs/usage';
import { expectHeaders } from './resources';
import { aBoolean, aDateTime, aDay, aNumber, aText, aUuid, anInteger, listOf } from './shapes';
import type { TestBed } from './test-bed';

const COUNTERS = {
  jobs: anInteger,
  succeeded: anInteger,
  failed: anInteger,
  canceled: anInteger,
  in_flight: anInteger,
  charged_micros: anInteger,
  charged_usd: aNumber,
  gpu_ms: anInteger,
};

export function describeAccount(testBed: TestBed): void {
  describe('GET /account', () => {
    it('has every field of the table', async () => {
      const { status, body, headers } = await testBed.client.get<Account>('/account');
      expect([status, body]).toEqual([
        200,
        {
          object: 'account',
          id: aUuid,
          name: 'e2e',
          status: 'active',
          currency: 'USD',
          balance_micros: anInteger,
          balance_usd: body.balance_micros / 1_000_000,
          rate_limit_rpm: 1_000_000,
          max_concurrent_jobs: 1_000,
          retention_days: 7,
          auto_recharge: { enabled: aBoolean, threshold_usd: aNumber.orNull(), amount_usd: aNumber.orNull() },
          webhook_signing_configured: true,
          api_key: { id: aText, name: aText, prefix: aText },
          created_at: aDateTime,
        },
      ]);
      expect(body.api_key.prefix).toMatch(/^knr_live_.{1,12}$/);
      expectHeaders(headers);
    });
  });
}

export function describeUsage(testBed: TestBed): void {
  describe('GET /usage', () => {
    it.each(['', 'group_by=day', 'group_by=model', 'from=2026-01-01&to=2026-01-02', 'from=2020-01-01&to=2026-01-01'])(
      '?%s has every field',
      async (query) => {
        const { status, body } = await testBed.client.get<Usage>(`/usage?${query}`);
        const group = query.includes('model') ? { model: aText } : { day: aDay };
        expect([status, body]).toEqual([
          200,
          {
            object: 'usage',
            from: aDateTime,
            to: aDateTime,
            group_by: query.includes('model') ? 'model' : 'day',
            total: COUNTERS,
            data: listOf((each) => (expect(each).toEqual({ ...group, ...COUNTERS }), true)),
            truncated: query.includes('2020'),
          },
        ]);
        for (const counter of Object.keys(COUNTERS) as (keyof typeof COUNTERS)[]) {
          const sum = body.data.reduce((total, each) => total + each[counter], 0);
          expect(body.total[counter]).toBeCloseTo(sum, 6);
        }
      },
    );

    it.each([
      ['2026-11-20', '2026-11-20T00:00:00'],
      ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00'],
      ['2026-11-20T10:00', '2026-11-20T10:00:00'],
      ['2026-11-20T10:00:00.250z', '2026-11-20T10:00:00.25'],
      ['2026-11-20T10:00:00%2B01:00', '2026-11-20T09:00:00'],
      // An unescaped plus is a space, which is unambiguous here.
      ['2026-11-20T10:00:00+01:00', '2026-11-20T09:00:00'],
      ['2026-11-20T10:00:00-11:30', '2026-11-20T21:30:00'],
    ])('from %s is applied exactly', async (from, instant) => {
      const { body } = await testBed.client.get<Usage>(`/usage?from=${from}&to=2026-12-20`);
      expect(body.from).toContain(instant);
    });

    it('covers thirty days by default', async () => {
      const { from, to } = (await testBed.client.get<Usage>('/usage')).body;
      expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBeCloseTo(30, 1);
      expect(Math.abs(Date.now() - Date.parse(to))).toBeLessThan(60_000);
    });
  });
}
