import { Injectable } from '@nestjs/common';
import { ProviderRegistry } from '@kinora/compute';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { BackendCallback } from '@kinora/contracts/jobs/jobs.rpc';
import { AttemptPoller } from '../../polling/attempt-poller';
import { AttemptRepository } from '../../attempt/attempt.repository';
import { callbacks } from '../../jobs.metrics';

/** Backends give up on callbacks that take long, and some send them again. */
const POLL_BUDGET_MS = 2_000;

/** Hears a backend's word on an attempt, and looks for itself: whatever was told, early, late, twice or by mistake, the look decides. */
@Injectable()
export class ReceiveCallback {
  constructor(
    private readonly attempts: AttemptRepository,
    private readonly poller: AttemptPoller,
    private readonly providers: ProviderRegistry,
  ) {}

  /** @throws ApiError not_found for what the backend has not signed: whoever sent it learns no more than at any wrong address. */
  async execute({ provider: id, headers, body_base64, ...attempt }: BackendCallback): Promise<Record<string, never>> {
    const provider = this.providers.find(id);
    const request = { headers, body: Buffer.from(body_base64, 'base64') };
    const isValid = provider !== null && (await provider.verifyCallback?.(request)) !== false;
    // An address that nobody gave out names what whoever calls it likes.
    callbacks.inc({ provider: provider?.id ?? 'unknown', outcome: isValid ? 'heard' : 'refused' });
    if (!isValid) throw new ApiError('not_found', 'There is no such endpoint.');
    const ref = provider.refOfCallback?.(request) ?? null;
    if (ref) await this.attempts.adoptRef(attempt, ref);
    await this.poller.pollNow({ job_id: attempt.job_id, number: attempt.attempt_number }, POLL_BUDGET_MS);
    return {};
  }
}
