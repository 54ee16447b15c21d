import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { TAG, encode, field, integer, objectId, sequence } from './der';

export interface LocalAuthority {
  /** No verifier trusts it; with it as an anchor, a verifier shows the credentials as trusted. */
  rootPem: string;
  /** With the root behind it. */
  certificatePem: string;
  keyPem: string;
}

const YEAR_MS = 365.25 * 24 * 3_600_000;
const ROOT_YEARS = 20;
const CERTIFICATE_YEARS = 5;
/** Clocks of verifiers differ. */
const BACKDATED_MS = 24 * 3_600_000;

const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const SUBJECT_KEY = '2.5.29.14';
const KEY_USAGE = '2.5.29.15';
const BASIC_CONSTRAINTS = '2.5.29.19';
const AUTHORITY_KEY = '2.5.29.35';
const EXTENDED_KEY_USAGE = '2.5.29.37';
/** Signing of C2PA claims, and e-mail for verifiers that do not know the former yet. */
const PURPOSES = ['1.3.6.1.4.1.62558.2.1', '1.3.6.1.5.5.7.3.4'];

/**
 * A root and a certificate for claims (X.509, P-256), made without another program. The key of the root is forgotten, so that
 * it cannot sign later: a new certificate comes with a new root.
 */
export function makeLocalAuthority(organization: string, now: Date): LocalAuthority {
  const [root, leaf] = [newKeys(), newKeys()];
  const rootName = nameOf(organization, `${organization} local root`);
  const rootId = keyIdOf(root.publicKey);
  const common = { issuer: rootName, issuerKey: root.privateKey, now };
  const rootCertificate = certificate({
    ...common,
    subject: rootName,
    publicKey: root.publicKey,
    years: ROOT_YEARS,
    extensions: [
      extension(BASIC_CONSTRAINTS, true, sequence(encode(TAG.boolean, Buffer.from([0xff])))),
      extension(KEY_USAGE, true, bits(0b0000_0110, 1)),
      extension(SUBJECT_KEY, false, encode(TAG.octetString, rootId)),
    ],
  });
  const leafCertificate = certificate({
    ...common,
    subject: nameOf(organization, `${organization} content credentials`),
    publicKey: leaf.publicKey,
    years: CERTIFICATE_YEARS,
    extensions: [
      extension(BASIC_CONSTRAINTS, true, sequence()),
      extension(KEY_USAGE, true, bits(0b1000_0000, 7)),
      extension(EXTENDED_KEY_USAGE, false, sequence(...PURPOSES.map(objectId))),
      extension(SUBJECT_KEY, false, encode(TAG.octetString, keyIdOf(leaf.publicKey))),
      extension(AUTHORITY_KEY, false, sequence(encode(0x80, rootId))),
    ],
  });
  return {
    rootPem: pemOf(rootCertificate),
    certificatePem: `${pemOf(leafCertificate)}${pemOf(rootCertificate)}`,
    keyPem: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

interface CertificateFacts {
  subject: Buffer;
  publicKey: KeyObject;
  issuer: Buffer;
  issuerKey: KeyObject;
  now: Date;
  years: number;
  extensions: Buffer[];
}

function certificate({ subject, publicKey, issuer, issuerKey, now, years, extensions }: CertificateFacts): Buffer {
  const body = sequence(
    field(0, integer(2)),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(timeOf(now.getTime() - BACKDATED_MS), timeOf(now.getTime() + years * YEAR_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    field(3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, issuerKey);
  return sequence(body, ECDSA_WITH_SHA256, encode(TAG.bitString, Buffer.from([0]), signature));
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function nameOf(organization: string, commonName: string): Buffer {
  const part = (id: string, text: string): Buffer =>
    encode(TAG.set, sequence(objectId(id), encode(TAG.utf8, Buffer.from(text))));
  return sequence(part(ORGANIZATION, organization), part(COMMON_NAME, commonName));
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [encode(TAG.boolean, Buffer.from([0xff]))] : [];
  return sequence(objectId(id), ...critical, encode(TAG.octetString, value));
}

function bits(byte: number, unused: number): Buffer {
  return encode(TAG.bitString, Buffer.from([unused, byte]));
}

function keyIdOf(publicKey: KeyObject): Buffer {
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
}

/** X.509 asks for the shorter UTCTime, of two digits a year, before 2050. */
function timeOf(ms: number): Buffer {
  const digits = new Date(ms)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:T]/g, '');
  return digits < '2050'
    ? encode(0x17, Buffer.from(digits.slice(2)))
    : encode(TAG.generalizedTime, Buffer.from(digits));
}

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
