import { X509Certificate } from 'node:crypto';
import type { Algorithm } from './cose-signature';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const CURVES: Readonly<Record<string, Algorithm>> = { prime256v1: 'es256', secp384r1: 'es384' };

/** The certificates that go into a signature. */
export interface CertificateChain {
  algorithm: Algorithm;
  /** DER, from the signing certificate upwards. The root is left out: a verifier has it or does not trust it. */
  certificates: Buffer[];
  leaf: X509Certificate;
  validUntil: Date;
}

/** @throws Error with a sentence for the operator */
export function parseChain(pem: string): CertificateChain {
  const all = certificatesOf(pem);
  const [leaf] = all;
  if (!leaf) throw new Error('The certificate must be PEM: one or more blocks of BEGIN CERTIFICATE.');
  const { namedCurve = '' } = leaf.publicKey.asymmetricKeyDetails ?? {};
  const algorithm = CURVES[namedCurve];
  if (!algorithm) throw new Error(`The certificate must have a key on the curve ${Object.keys(CURVES).join(' or ')}.`);
  if (!all.some((one) => one !== leaf && leaf.checkIssued(one)))
    throw new Error('The certificate must be followed by that of its issuer.');
  const kept = all.filter((one, index) => index === 0 || !one.checkIssued(one));
  return {
    algorithm,
    certificates: kept.map(({ raw }) => raw),
    leaf,
    validUntil: new Date(leaf.validTo),
  };
}

/** Signing certificates, by the authorities above them and by the number that those have given. */
export interface OwnSigners {
  anchorsPem: string;
  /** Decimal. */
  serialNumbers: string[];
}

export function ownSignersOf(pem: string): OwnSigners {
  const all = certificatesOf(pem);
  return {
    anchorsPem: all
      .filter(({ ca }) => ca)
      .map(String)
      .join(''),
    serialNumbers: all.filter(({ ca }) => !ca).map(({ serialNumber }) => BigInt(`0x${serialNumber}`).toString()),
  };
}

function certificatesOf(pem: string): X509Certificate[] {
  return (pem.match(CERTIFICATE) ?? []).map((one) => new X509Certificate(one));
}

export function certificateExpiryOf(pem: string): Date | null {
  const [leaf] = certificatesOf(pem);
  return leaf ? new Date(leaf.validTo) : null;
}

/** Whether a verifier with these anchors trusts the chain: one of its certificates is an anchor, or issued by one. */
export function isAnchored(pem: string, anchorsPem: string): boolean {
  const anchors = certificatesOf(anchorsPem);
  return certificatesOf(pem).some((one) =>
    anchors.some((anchor) => one.raw.equals(anchor.raw) || (one.checkIssued(anchor) && one.verify(anchor.publicKey))),
  );
}
