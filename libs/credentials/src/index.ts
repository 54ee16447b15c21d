export { type KnownCertificates, CredentialReader } from './credential-reader';
export { CREDENTIAL_PROGRAM, type CredentialProgram } from './credential-thread';
export {
  CREDENTIAL_BOUNDS,
  type Credential,
  type CredentialIngredient,
  CredentialProblem,
  type CredentialProblemReason,
} from './credential';
