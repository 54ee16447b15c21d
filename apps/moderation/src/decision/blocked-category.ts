import type { BlockedCategory } from '@kinora/contracts/moderation/moderation.rpc';
import type { Objection } from '../judging/engine';

/** The coarse category of an objection. An engine of the operator may object to anything. */
export function blockedCategory({ content, engine, reason }: Objection): BlockedCategory {
  if (content === 'text') return 'words';
  if (engine === 'hash') return 'listed content';
  return /^sexual/i.test(reason) ? 'sexual content' : 'other content';
}
