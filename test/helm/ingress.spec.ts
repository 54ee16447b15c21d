import { GatewayConfig } from '../../apps/gateway/src/gateway.config';
import { BODY_MAX_BYTES } from '../../apps/gateway/src/body-limits';
import { type Manifest } from './manifest';
import { renderChart } from './render-chart';

const NGINX = 'nginx.ingress.kubernetes.io/';
const MIB = 1024 * 1024;

async function renderKind(kind: string, values: object): Promise<Manifest> {
  const found = (await renderChart({ values })).find((manifest) => manifest.kind === kind);
  if (!found) throw new Error(`The chart renders no ${kind}.`);
  return found;
}

describe('the way to the gateway', () => {
  const { openAiWaitSeconds } = new GatewayConfig();

  it('has room and time at the Ingress for the largest body and the longest wait, and buffers no answer', async () => {
    const { metadata } = await renderKind('Ingress', { ingress: { enabled: true } });
    const annotation = (name: string): string => metadata.annotations?.[NGINX + name] ?? '';
    expect(annotation('proxy-body-size')).toMatch(/^\d+m$/);
    expect(parseInt(annotation('proxy-body-size')) * MIB).toBeGreaterThan(Math.max(...Object.values(BODY_MAX_BYTES)));
    expect(Number(annotation('proxy-read-timeout'))).toBeGreaterThanOrEqual(openAiWaitSeconds + 10);
    expect(annotation('proxy-buffering')).toBe('off');
  });

  it('has no timeout at the HTTPRoute, unless the operator sets one', async () => {
    const gatewayApi = { enabled: true, parentRefs: [{ name: 'public' }] };
    const rulesOf = async (values: object): Promise<unknown> => {
      const { spec } = await renderKind('HTTPRoute', { gatewayApi: { ...gatewayApi, ...values } });
      return (spec as { rules?: unknown } | undefined)?.rules;
    };
    expect(await rulesOf({})).toMatchObject([{ timeouts: { request: '0s' } }]);
    const later = { timeouts: { request: '300s', backendRequest: '290s' } };
    expect(await rulesOf(later)).toMatchObject([later]);
  });
});
