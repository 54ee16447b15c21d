import { sign } from './webhook-headers';

describe('sign', () => {
  // Computed with: printf '%s' '1760000000.{"a":"ü"}' | openssl dgst -sha256 -hmac '<secret>'
  const BODY = Buffer.from('{"a":"ü"}');
  const ONE = 'edf1d0c5142bbc06c74b4340ed1bd3414f51646127477f242e84ddfb1bc9ecfa';
  const TWO = '04e225785366861bf06d1db642dde023a84532173ad6f47686105f9d5d258f31';

  it('is the HMAC of time and raw body under the whole secret', () => {
    expect(sign(BODY, ['whsec_one'], 1_760_000_000)).toBe(`t=1760000000,v1=${ONE}`);
  });

  it('has one signature for each valid secret, in their order', () => {
    expect(sign(BODY, ['whsec_two', 'whsec_one'], 1_760_000_000)).toBe(`t=1760000000,v1=${TWO},v1=${ONE}`);
  });
});
