export { certificateExpiryOf, isAnchored } from './certificate-chain';
export { createSigner } from './create-signer';
export { type KnownCertificates, CredentialReader } from './credential-reader';
export { CredentialsConfig } from './credentials.config';
export { CredentialSigner, type SignedFile, TimeStampMissing } from './credential-signer';
export type { CredentialProgram } from './credential-thread';
export {
  type Credential,
  type CredentialIngredient,
  CredentialProblem,
  type CredentialProblemReason,
  type CredentialType,
  isCredentialType,
} from './credential';
export { readEnclosedImages, readEnclosure } from './enclosed-images';
export { type LocalAuthority, makeLocalAuthority } from './local-authority';
export type { OutputFacts, OutputIngredient } from './output-manifest';
