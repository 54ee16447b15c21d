import type { Egress } from '@kinora/egress';
import { ConfigError } from '@kinora/service-kit';
import { type ClaimKey, localKey, remoteKey } from './claim-key';
import { CredentialSigner } from './credential-signer';
import type { CredentialProgram } from './credential-thread';
import type { CredentialsConfig } from './credentials.config';
import { httpSigner } from './http-signer';
import type { Generator } from './output-manifest';
import { TimeStampProblem, type TimeStampTransport, timeStamper } from './time-stamp';

const TIME_STAMP_MS = 2_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Null without a certificate. @throws ConfigError for a certificate or a key that cannot sign */
export function createSigner(
  config: CredentialsConfig,
  { egress, generator, program }: { egress: Egress; generator: Generator; program?: CredentialProgram | undefined },
): CredentialSigner | null {
  if (config.certificate === '') return null;
  const options = {
    key: keyOf(config),
    generator,
    timeStamper: config.tsaUrl === '' ? null : timeStamper(toAuthority(config.tsaUrl, egress)),
    needsTimeStamp: config.timeStamps === 'required',
  };
  return new CredentialSigner(options, program);
}

function keyOf({ certificate, key, signerUrl, signerToken }: CredentialsConfig): ClaimKey {
  try {
    if (signerUrl !== '') return remoteKey(certificate, httpSigner(signerUrl, signerToken));
    return localKey(certificate, key);
  } catch (error) {
    // The text of a parser could show a part of the key.
    const reason = error instanceof Error && error.message.startsWith('The ') ? error.message : 'It cannot be read.';
    throw new ConfigError(`KINORA_C2PA_CERTIFICATE or KINORA_C2PA_KEY: ${reason}`);
  }
}

function toAuthority(url: string, egress: Egress): TimeStampTransport {
  return async (body) => {
    const answer = await egress.send({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query' },
      body,
      timeoutMs: TIME_STAMP_MS,
      maxResponseBytes: MAX_ANSWER_BYTES,
    });
    if (answer.status !== 200 || answer.bodyEnd !== 'complete')
      throw new TimeStampProblem(`The time stamp authority has answered with status ${answer.status}.`);
    return answer.body;
  };
}
