import { createPrivateKey, sign, verify } from 'node:crypto';
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

/** Sends bytes to whatever holds the key, and returns the signature. */
export type RemoteSigner = (bytes: Buffer, algorithm: string) => Promise<Uint8Array>;

/** A key that stays in an HSM or a KMS. Each signature is checked, because a wrong one would be found by readers only. */
export function remoteKey(certificatePem: string, askSigner: RemoteSigner): ClaimKey {
  const chain = parseChain(certificatePem);
  const { hash } = ALGORITHMS[chain.algorithm];
  const key = { key: chain.leaf.publicKey, dsaEncoding: 'ieee-p1363' } as const;
  return {
    chain,
    sign: async (bytes) => {
      const signature = await askSigner(bytes, chain.algorithm);
      if (!verify(hash, bytes, key, signature)) throw new Error('The signer has returned a wrong signature.');
      return signature;
    },
  };
}
