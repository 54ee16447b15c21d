import { Injectable } from '@nestjs/common';
import { EgressAllowList, findUrlProblem } from '@kinora/egress';
import { CallbackSigner, type CallbackTarget } from '@kinora/webhooks';
import { JobsConfig } from '../jobs.config';

/** The addresses at which compute backends report events of attempts. */
@Injectable()
export class CallbackAddresses {
  private readonly signer: CallbackSigner;
  private readonly baseUrl: string | null;

  constructor(config: JobsConfig) {
    this.signer = new CallbackSigner(config.urlSigningKey);
    this.baseUrl = findBaseUrl(config);
  }

  /** Undefined if backends cannot reach the gateway. */
  find(providerId: string, target: CallbackTarget): string | undefined {
    return this.baseUrl === null ? undefined : this.baseUrl + this.signer.pathOf(providerId, target);
  }
}

/** The public URL serves for callbacks only if every backend can reach it. The operator may set another one for own backends. */
function findBaseUrl({ callbackUrl, publicUrl }: Pick<JobsConfig, 'callbackUrl' | 'publicUrl'>): string | null {
  if (callbackUrl === 'none') return null;
  if (callbackUrl !== '') return callbackUrl.replace(/\/+$/, '');
  return findUrlProblem(publicUrl, EgressAllowList.NOTHING) === null ? publicUrl.replace(/\/+$/, '') : null;
}
