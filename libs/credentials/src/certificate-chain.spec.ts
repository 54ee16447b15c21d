import { isAnchored } from './certificate-chain';
import { AUTHORITY, STRANGER } from './credential.fixtures';

describe('a chain of certificates', () => {
  it('is trusted by the root above it alone, also where the chain does not hold the root', () => {
    const [leaf = ''] = AUTHORITY.certificatePem.split(/(?<=-----END CERTIFICATE-----\n)/);
    for (const chain of [AUTHORITY.certificatePem, leaf]) {
      expect(isAnchored(chain, `${STRANGER.rootPem}${AUTHORITY.rootPem}`)).toBe(true);
      expect(isAnchored(chain, STRANGER.rootPem)).toBe(false);
      expect(isAnchored(chain, '')).toBe(false);
    }
  });
});
