import { createPrivateKey, sign } from 'node:crypto';
import { type CertificateChain, parseChain } from './certificate-chain';
import { ALGORITHMS } from './cose-signature';

/** Whatever holds the private key of a certificate: a file, an HSM or a KMS. */
export interface ClaimKey {
  readonly chain: CertificateChain;
  /** Two numbers of equal length, one after the other (IEEE P1363), over the hash that belongs to the curve. */
  sign(bytes: Buffer): Promise<Uint8Array>;
}

/** @throws Error with a sentence for the operator, also where key and certificate do not belong together */
export function localKey(certificatePem: string, keyPem: string): ClaimKey {
  const chain = parseChain(certificatePem);
  const key = createPrivateKey(keyPem);
  if (!chain.leaf.checkPrivateKey(key)) throw new Error('The key is not that of the first certificate.');
  const { hash } = ALGORITHMS[chain.algorithm];
  return { chain, sign: (bytes) => Promise.resolve(sign(hash, bytes, { key, dsaEncoding: 'ieee-p1363' })) };
}
