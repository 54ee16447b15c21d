import { register } from '@kinora/metrics';
import { waitFor } from '@kinora/testing';
import { TestStand } from '../fixtures/gateway.fixtures';

const stand = new TestStand();

beforeAll(() => stand.start());
afterAll(() => stand.close());

const shown = async (name: string): Promise<string> => register.getSingleMetricAsString(name);

describe('metrics of requests', () => {
  it('name the template of the route and the class of the answer, never what the client chose', async () => {
    const base = `http://127.0.0.1:${stand.gateway.port}/v1`;
    await fetch(`${base}/ping`);
    await fetch(`${base}/jobs/0192f3a0-0000-7000-8000-000000000001`);
    await fetch(`${base}/no-such-thing`, { method: 'PURGE' });
    const text = await waitFor(async () => {
      const soFar = await shown('kinora_http_request_duration_seconds');
      return soFar.includes('unknown') && soFar;
    });
    const count = 'kinora_http_request_duration_seconds_count';
    expect(text).toContain(`${count}{method="GET",route="/v1/ping",status="2xx"} 1`);
    expect(text).toMatch(new RegExp(`${count}\\{method="GET",route="/v1/jobs/:\\w+",status="4xx"\\} 1`));
    expect(text).toContain(`${count}{method="other",route="unknown",status="4xx"} 1`);
    expect(text).not.toMatch(/0192f3a0|no-such-thing|PURGE/);
  });

  it('count errors by their code, and let no request stay for ever', async () => {
    expect(await shown('kinora_http_errors_total')).toMatch(/\{code="invalid_api_key"\} 1\b/);
    await waitFor(async () =>
      /^kinora_http_requests_in_flight 0$/m.test(await shown('kinora_http_requests_in_flight')),
    );
    expect(await shown('kinora_http_held_body_bytes')).toMatch(/^kinora_http_held_body_bytes 0$/m);
  });
});
