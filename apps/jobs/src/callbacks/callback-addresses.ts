import { Injectable } from '@nestjs/common';
import { EgressAllowList, findUrlProblem } from '@kinora/egress';
import { CallbackSigner, type CallbackTarget } from '@kinora/webhooks';
import { JobsConfig } from '../jobs.config';

/** Where compute backends may tell of attempts. */
@Injectable()
export class CallbackAddresses {
  private readonly signer: CallbackSigner;
  private readonly baseUrl: string | null;

  constructor(config: JobsConfig) {
    this.signer = new CallbackSigner(config.urlSigningKey);
    this.baseUrl = findBaseUrl(config);
  }

  /** Undefined where backends could not reach us. */
  find(providerId: string, target: CallbackTarget): string | undefined {
    return this.baseUrl === null ? undefined : this.baseUrl + this.signer.pathOf(providerId, target);
  }
}

/** The address of clients serves only where everybody's backend can reach it; the operator may name one for his own. */
function findBaseUrl({ callbackUrl, publicUrl }: Pick<JobsConfig, 'callbackUrl' | 'publicUrl'>): string | null {
  if (callbackUrl === 'none') return null;
  if (callbackUrl !== '') return callbackUrl.replace(/\/+$/, '');
  return findUrlProblem(publicUrl, EgressAllowList.NOTHING) === null ? publicUrl.replace(/\/+$/, '') : null;
}
