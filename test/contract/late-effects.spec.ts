import { declaredContracts } from '../../deploy/build/generate/contracts/declared-contracts';

/**
 * What becomes of a request whose caller was told that it failed, where the request takes effect all the same: its answer was
 * lost, or its message waited. A process that stood still refuses old messages (`MessageAge` of libs/bus), so a late effect needs
 * a broker or a network that stood still.
 */
const CLASSES = {
  takenBack: 'The sender takes it back, until the receiver confirms that (`JobCreations` of the gateway).',
  once: 'It ends or marks one thing for good, as the caller wants it: a repeat, or a late effect, changes nothing more.',
  state: 'It sets a value that the caller names, reads back and can set again. The audit trail shows it.',
  referenced:
    'The reference makes a repeat the same entry of the ledger. Without one it shows in the statement as an entry of its own.',
  unused:
    'What it creates gives nothing to anyone, because only the lost answer held the secret. It is listed, and can be revoked.',
  keepsFormer:
    'The former secret stays valid, for the requested overlap or as one of the last three, so the caller repeats the rotation.',
  ends: 'It counts for seconds, and ends by itself: a token refills, a lease and a hold without a job run out.',
  record: 'It records what was submitted or seen. That stays true, whatever the caller was told.',
  sent: 'A message to a receiver of the account, which knows its event by the id.',
} as const;

const CHANGING: Record<string, string> = {
  'billing.v1.adjust_balance': CLASSES.referenced,
  'billing.v1.admit': CLASSES.ends,
  'billing.v1.capture': CLASSES.once,
  'billing.v1.create_account': CLASSES.unused,
  'billing.v1.create_account_key': CLASSES.unused,
  'billing.v1.create_key': CLASSES.unused,
  'billing.v1.create_portal_link': CLASSES.unused,
  'billing.v1.end_payment': CLASSES.once,
  'billing.v1.grant_credit': CLASSES.referenced,
  'billing.v1.redeem_portal_link': CLASSES.unused,
  'billing.v1.refund': CLASSES.once,
  'billing.v1.reserve': CLASSES.ends,
  'billing.v1.return_lease': CLASSES.ends,
  'billing.v1.revoke_account_key': CLASSES.once,
  'billing.v1.revoke_key': CLASSES.once,
  'billing.v1.revoke_portal_key': CLASSES.once,
  'billing.v1.rotate_account_key': CLASSES.keepsFormer,
  'billing.v1.rotate_account_webhook_secret': CLASSES.keepsFormer,
  'billing.v1.rotate_webhook_secret': CLASSES.keepsFormer,
  'billing.v1.set_auto_recharge': CLASSES.state,
  'billing.v1.set_limits': CLASSES.state,
  'billing.v1.set_own_auto_recharge': CLASSES.state,
  'billing.v1.set_status': CLASSES.state,
  'billing.v1.top_up': CLASSES.referenced,
  'catalog.v1.set_model_enabled': CLASSES.state,
  'console.v1.add_operator': CLASSES.unused,
  'console.v1.record_check': CLASSES.record,
  'console.v1.set_operator_disabled': CLASSES.state,
  'jobs.v1.abandon_creations': CLASSES.once,
  'jobs.v1.cancel': CLASSES.once,
  'jobs.v1.close_unkeyed_request': CLASSES.record,
  'jobs.v1.create': CLASSES.takenBack,
  'jobs.v1.delete_content': CLASSES.once,
  'jobs.v1.delete_outputs': CLASSES.once,
  'jobs.v1.open_unkeyed_request': CLASSES.ends,
  'jobs.v1.receive_callback': CLASSES.record,
  'jobs.v1.withdraw_receipt_key': CLASSES.once,
  'moderation.v1.allow_rehearsal': CLASSES.state,
  'moderation.v1.lift_strike': CLASSES.once,
  'moderation.v1.screen_input': CLASSES.record,
  'moderation.v1.screen_output': CLASSES.record,
  'webhooks.v1.delete_content': CLASSES.once,
  'webhooks.v1.recover_deliveries': CLASSES.sent,
  'webhooks.v1.redeliver': CLASSES.sent,
  'webhooks.v1.redeliver_for_account': CLASSES.sent,
  'webhooks.v1.send_test_event': CLASSES.sent,
  'webhooks.v1.test_account_webhook': CLASSES.sent,
};

/** Verbs of requests that change nothing. */
const READING =
  /\.v\d+\.(?:(?:check|describe|examine|find|get|list|replay|resolve|show|verify)(?:_|$)|quote(?:_price)?$)/;

describe('the late effect of a request', () => {
  it('is classified for every contract that changes something', async () => {
    const requests = (await declaredContracts()).filter(({ contract }) => contract.kind === 'rpc');
    const changing = requests.map(({ contract }) => contract.subject).filter((subject) => !READING.test(subject));
    expect(Object.keys(CHANGING).sort()).toEqual(changing.sort());
  });
});
