import { IsIn, IsString, IsUrl, ValidateIf } from 'class-validator';
import { Setting } from '@kinora/service-kit';

const isGiven = (_: CredentialsConfig, value: unknown): boolean => value !== '';
const ADDRESS = { require_tld: false, require_protocol: true };

/** The settings of the service that signs. */
export class CredentialsConfig {
  @Setting({
    env: 'KINORA_C2PA_CERTIFICATE',
    description:
      'PEM of the certificate that signs content credentials (P-256 or P-384), followed by those above it, the root too. Empty: outputs have none.',
  })
  @IsString()
  certificate = '';

  @Setting({
    env: 'KINORA_C2PA_KEY',
    description: 'PEM of the private key of that certificate. Empty if KINORA_C2PA_SIGNER_URL signs.',
    secret: true,
  })
  @IsString()
  key = '';

  @Setting({
    env: 'KINORA_C2PA_SIGNER_URL',
    description: 'Address of a signer that holds the key, in front of a KMS or an HSM. Empty means none.',
  })
  @ValidateIf(isGiven)
  @IsUrl({ ...ADDRESS, protocols: ['http', 'https'] })
  signerUrl = '';

  @Setting({
    env: 'KINORA_C2PA_SIGNER_TOKEN',
    description: 'Bearer token for that signer. Empty means none.',
    secret: true,
  })
  @IsString()
  signerToken = '';

  @Setting({
    env: 'KINORA_C2PA_TSA_URL',
    description: 'Address of a time stamp authority (RFC 3161), https. Empty: signatures have no certified time.',
  })
  @ValidateIf(isGiven)
  @IsUrl({ ...ADDRESS, protocols: ['https'] })
  tsaUrl = '';

  @Setting({
    env: 'KINORA_C2PA_TIME_STAMPS',
    description: 'preferred: outputs are signed also while the authority is away. required: they wait for it.',
  })
  @IsIn(['preferred', 'required'])
  timeStamps: 'preferred' | 'required' = 'preferred';
}
