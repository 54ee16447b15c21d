import { Injectable } from '@nestjs/common';
import { ProviderRegistry } from '@kinora/compute';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { BackendCallback } from '@kinora/contracts/jobs/jobs.rpc';
import { AttemptPoller } from '../attempt-poller';
import { AttemptRepository } from '../../attempt/attempt.repository';
import { callbacks } from '../../jobs.metrics';

/** Backends time out on slow callbacks, and some repeat them. */
const POLL_BUDGET_MS = 2_000;

/**
 * Verifies a callback, and then polls the attempt. Only the poll changes its state, so early, late, repeated or wrong callbacks
 * do no harm.
 */
@Injectable()
export class ReceiveCallback {
  constructor(
    private readonly attempts: AttemptRepository,
    private readonly poller: AttemptPoller,
    private readonly providers: ProviderRegistry,
  ) {}

  /** @throws ApiError not_found for a callback without a valid signature, the same as for an unknown address. */
  async execute({ provider: id, headers, body_base64, ...attempt }: BackendCallback): Promise<Record<string, never>> {
    const provider = this.providers.find(id);
    const request = { headers, body: Buffer.from(body_base64, 'base64') };
    const isValid = provider !== null && (await provider.verifyCallback?.(request)) !== false;
    // The caller chooses the provider's name in the address, so unknown names must not become labels.
    callbacks.inc({ provider: provider?.id ?? 'unknown', outcome: isValid ? 'heard' : 'refused' });
    if (!isValid) throw new ApiError('not_found', 'There is no such endpoint.');
    const ref = provider.refOfCallback?.(request) ?? null;
    if (ref) await this.attempts.adoptRef(attempt, ref);
    await this.poller.pollNow({ job_id: attempt.job_id, number: attempt.attempt_number }, POLL_BUDGET_MS);
    return {};
  }
}
