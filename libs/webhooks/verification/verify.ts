import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/**
 * Whether a webhook comes from the service. `rawBody` must be the bytes as received, never JSON that was parsed and
 * serialised again.
 */
export function verifyWebhook(
  rawBody: Buffer,
  signature: string,
  secret: string,
  nowSeconds = Date.now() / 1_000,
): boolean {
  const items = signature.split(',').map((item) => item.split('='));
  const time = items.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d+$/.test(time) || Math.abs(nowSeconds - Number(time)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
  return items.some(([name, value = '']) => {
    const given = Buffer.from(name === 'v1' ? value : '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
