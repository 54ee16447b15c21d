import { request } from 'node:http';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { register } from '@kinora/metrics';
import { waitFor } from '@kinora/testing';
import { API_KEY } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';

const testBed = useGateway();

const IDLE = /^kinora_http_requests_in_flight 0$/m;

const shown = async (name: string): Promise<string> => register.getSingleMetricAsString(name);

describe('metrics of requests', () => {
  it('are labelled by route template and status class, never by values of the client', async () => {
    const base = `http://127.0.0.1:${testBed.gateway.port}/v1`;
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

  it('count errors by code, and return to zero requests in flight', async () => {
    expect(await shown('kinora_http_errors_total')).toMatch(/\{code="invalid_api_key"\} 1\b/);
    await waitFor(async () => IDLE.test(await shown('kinora_http_requests_in_flight')));
    expect(await shown('kinora_http_held_body_bytes')).toMatch(/^kinora_http_held_body_bytes 0$/m);
  });

  it('stop counting a request whose client disconnects before the response', async () => {
    const headers = { Authorization: `Bearer ${API_KEY}` };
    const outgoing = request({ host: '127.0.0.1', port: testBed.gateway.port, path: '/v1/models', headers });
    const left = new Promise((resolve) => outgoing.once('error', resolve));
    let wasRequested = false;
    testBed.contexts.on(catalogRpc.listModels, async () => {
      wasRequested = true;
      expect(await shown('kinora_http_requests_in_flight')).not.toMatch(IDLE);
      outgoing.destroy(new Error('The client has left.'));
      await waitFor(() => testBed.log.of('http_request').some(({ is_aborted }) => is_aborted === true));
      return { object: 'list' as const, data: [] };
    });
    outgoing.end();
    await left;
    expect(wasRequested).toBe(true);
    await waitFor(async () => IDLE.test(await shown('kinora_http_requests_in_flight')));
  });
});
