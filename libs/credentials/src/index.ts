export { type ClaimKey, localKey, remoteKey } from './claim-key';
export { type KnownCertificates, CredentialReader } from './credential-reader';
export { CredentialSigner, type SignedFile, TimeStampMissing } from './credential-signer';
export { CREDENTIAL_PROGRAM, type CredentialProgram } from './credential-thread';
export {
  type Credential,
  type CredentialIngredient,
  CredentialProblem,
  type CredentialProblemReason,
  type CredentialType,
  isCredentialType,
} from './credential';
export { httpSigner } from './http-signer';
export { type LocalAuthority, makeLocalAuthority } from './local-authority';
export type { OutputFacts, OutputIngredient } from './output-manifest';
export { type TimeStamper, timeStamper, TimeStampProblem } from './time-stamp';
