import type { Account } from '@kinora/contracts/billing/account';
import { ApiClient } from '../../support/api-client';
import { expectHeaders } from './resources';
import { aBoolean, aDateTime, aNumber, aText, aUuid, anInteger } from './shapes';
import type { TestBed } from './test-bed';

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

export function describePing(testBed: TestBed): void {
  describe('GET /ping', () => {
    it('needs no key, and has every field of the table', async () => {
      const response = await fetch(`${testBed.client.baseUrl}/ping`);
      const body = (await response.json()) as Record<string, unknown>;
      expect([response.status, body]).toEqual([
        200,
        { ok: true, service: 'kinora', version: '1.0.0', time: aDateTime },
      ]);
      expectHeaders(response.headers);
    });

    it('is answered whatever key the request has', async () => {
      const stranger = new ApiClient(testBed.client.baseUrl, 'nonsense');
      expect((await stranger.get('/ping')).status).toBe(200);
    });
  });
}
