import { appealsAdminRpc } from '@kinora/contracts/moderation/appeals.rpc';
import { moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { page, PAGE } from '../../http/query-fields';
import { BY_REASON, text } from '../../http/fields';
import { controllerOf, get, post } from './operator-route';

/** Below the limit of a body. */
const POLICY_MAX_CHARS = 60_000;

const APPEAL_ACTIONS = {
  upheld: { action: 'uphold_block', summary: 'Uphold the block of an appeal' },
  lifted: { action: 'lift_block', summary: 'Lift the block of an appeal, and its strike' },
} as const;

function decideAppeal<Path extends `${string}:id/${string}`>(path: Path, status: 'upheld' | 'lifted') {
  const { action, summary } = APPEAL_ACTIONS[status];
  return post(
    path,
    { ...BY_REASON, summary, needs: 'lift_strikes' },
    ({ audit, bus, by, params, body: { reason } }) => {
      const appeal_id = (params as { id: string }).id;
      return audit.run(
        by,
        { action, target: appeal_id, reason },
        () => bus.request(appealsAdminRpc.decide, { appeal_id, status, reason, actor: by.email }),
        ({ account_id, job_id, decided_at }) => ({ account_id, job_id, decided_at }),
      );
    },
  );
}

/** Strikes, appeals and decisions of moderation, and the replay of a policy over recorded decisions. */
export const ModerationController = controllerOf('ModerationController', {
  listDecisions: get(
    'moderation/decisions',
    { summary: 'List decisions', needs: 'view', query: ['account_id', 'job_id', 'verdict', ...PAGE] },
    ({ bus, query }) => page(bus.request(moderationAdminRpc.listDecisions, query)),
  ),
  showDecision: get(
    'moderation/decisions/:id',
    { summary: 'Show a decision', needs: 'view' },
    ({ bus, params: { id: decision_id } }) => bus.request(moderationAdminRpc.getDecision, { decision_id }),
  ),
  listStrikes: get(
    'moderation/strikes',
    { summary: 'List strikes', needs: 'view', query: ['account_id', ...PAGE] },
    ({ bus, query }) => page(bus.request(moderationAdminRpc.listStrikes, query)),
  ),
  liftStrike: post(
    'moderation/strikes/:id/lift',
    { ...BY_REASON, summary: 'Lift a strike', needs: 'lift_strikes' },
    ({ audit, bus, by, params: { id: strike_id }, body: { reason } }) =>
      audit.run(
        by,
        { action: 'lift_strike', target: strike_id, reason },
        () => bus.request(moderationAdminRpc.liftStrike, { strike_id, reason, actor: by.email }),
        ({ account_id, job_id, lifted_at }) => ({ account_id, job_id, lifted_at }),
      ),
  ),
  listAppeals: get(
    'moderation/appeals',
    { summary: 'List appeals, the oldest first', needs: 'view', query: ['status', ...PAGE] },
    ({ bus, query }) => page(bus.request(appealsAdminRpc.list, query)),
  ),
  liftBlock: decideAppeal('moderation/appeals/:id/lift', 'lifted'),
  upholdBlock: decideAppeal('moderation/appeals/:id/uphold', 'upheld'),
  /** One page of the record; the next one goes on at `next_before_decision_id`. */
  replay: post(
    'moderation/replays',
    {
      summary: 'Decide a page of the record again with another policy',
      needs: 'replay_policy',
      query: ['since', 'before_decision_id'],
      body: { policy: text(POLICY_MAX_CHARS) },
    },
    ({ bus, body, query }) => bus.request(moderationAdminRpc.replayPolicy, { ...body, ...query }),
  ),
});
