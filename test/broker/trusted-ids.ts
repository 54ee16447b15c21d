/** Subjects of one program whose requests name what they concern by its bare id, and why no proof comes with it. */
interface Trust {
  subjects: string[];
  reason: string;
}

/**
 * Programs of operators, who act on every account. A person signs in before, to the console with a role or to the host of the
 * command, and each change names its actor.
 */
export const OPERATORS = ['cli', 'console-operator'];

/**
 * Where a broker credential alone reaches data of any account. A program that is not listed must prove with each request that it
 * acts for the owner of a key or token: by its hash. That is the rule for programs that strangers reach.
 */
export const TRUSTED: Record<string, Trust[]> = {
  'console-customer': [
    {
      reason:
        'A person who has not signed in names an e-mail address. The answers are the same for known and unknown ones, and a link goes to the address alone.',
      subjects: ['billing.v1.find_password_salt', 'billing.v1.request_user_link'],
    },
    {
      reason:
        'The console has checked the token of the identity provider, whose keys billing does not fetch. It holds the sessions of these people in any case.',
      subjects: ['billing.v1.sign_in_at_provider'],
    },
  ],
  gateway: [
    {
      reason:
        'The gateway is the place where keys are checked, and every other contract rests on that check: it names the account and the key that `billing.v1.admit` has answered for the hash of the presented key.',
      subjects: [
        'billing.v1.create_account_key',
        'billing.v1.get_account',
        'billing.v1.list_account_keys',
        'billing.v1.list_account_statement',
        'billing.v1.revoke_account_key',
        'billing.v1.rotate_account_key',
        'billing.v1.rotate_account_webhook_secret',
        'jobs.v1.abandon_creations',
        'jobs.v1.cancel',
        'jobs.v1.close_unkeyed_request',
        'jobs.v1.create',
        'jobs.v1.delete_content',
        'jobs.v1.delete_outputs',
        'jobs.v1.find_replay',
        'jobs.v1.get',
        'jobs.v1.get_progress',
        'jobs.v1.get_receipt',
        'jobs.v1.get_usage',
        'jobs.v1.list',
        'jobs.v1.list_events',
        'jobs.v1.list_output_files',
        'jobs.v1.list_videos',
        'jobs.v1.open_unkeyed_request',
        'jobs.v1.quote',
        'jobs.v1.quote_price',
        'moderation.v1.appeal_job',
        'webhooks.v1.get_account_delivery',
        'webhooks.v1.list_account_deliveries',
        'webhooks.v1.redeliver_for_account',
        'webhooks.v1.test_account_webhook',
      ],
    },
    {
      reason: 'It returns unused rate tokens of a key, so a false request can only give a key more requests.',
      subjects: ['billing.v1.return_lease'],
    },
    {
      reason: 'It asks which jobs have ended, and is answered with their ids only.',
      subjects: ['jobs.v1.list_ended'],
    },
    {
      reason: 'The gateway has compared the HMAC in the address of the callback, and the request only triggers a poll.',
      subjects: ['jobs.v1.receive_callback'],
    },
    {
      reason:
        'The gateway has verified the signature of the webhook, and the request only names what billing looks up.',
      subjects: ['billing.v1.receive_payment_event'],
    },
    {
      reason: 'A row of the request log. Nothing else depends on it.',
      subjects: ['console.v1.signal.requests_ended'],
    },
  ],
  jobs: [
    {
      reason: 'The job was created for an account that the gateway has checked; jobs names it from its own row.',
      subjects: [
        'billing.v1.capture',
        'billing.v1.check_funds',
        'billing.v1.find_holds',
        'billing.v1.find_job_entries',
        'billing.v1.refund',
        'billing.v1.reserve',
        'moderation.v1.find_job_decisions',
        'moderation.v1.screen_input',
        'moderation.v1.screen_output',
        'webhooks.v1.delete_content',
      ],
    },
    { reason: 'The end of a job is a fact of its own context.', subjects: ['jobs.v1.event.job_finished'] },
  ],
  moderation: [
    {
      reason: 'A strike is a fact of its own context.',
      subjects: ['moderation.v1.event.strike_lifted', 'moderation.v1.event.strike_recorded'],
    },
  ],
  'webhook-dispatcher': [
    {
      reason: 'It signs deliveries of every account, each named by the event of jobs that it has stored.',
      subjects: ['billing.v1.get_webhook_secrets'],
    },
  ],
  billing: [
    {
      reason: 'Gateways return what they hold for the keys of an account. Billing alone knows when.',
      subjects: ['billing.v1.signal.leases_recalled'],
    },
    {
      reason: 'Billing has suspended the account, and names the jobs of its open holds.',
      subjects: ['jobs.v1.cancel_jobs_of_suspended_account'],
    },
  ],
};
