import { rpc } from '../shared/contract';

export const rehearsalRpc = {
  /**
   * From now on a block of moderation's own test material (`[[output:blocked]]` at the sandbox) records no strike for this
   * account. Any other block still does. The local stack enables this for its demo account; a repeated request changes nothing.
   */
  allow: rpc<{ account_id: string }, Record<string, never>>('moderation.v1.allow_rehearsal', {
    timeoutMs: 5_000,
    errors: ['invalid_body', 'capacity'],
  }),
} as const;
