/** Subjects of one program whose requests name what they concern by its bare id, and why no proof comes with it. */
interface Trust {
  subjects: string[];
  reason: string;
}

/** Programs whose requests may all name bare ids, and why. A change names its actor. */
export const TRUSTED_PROGRAMS: Record<string, string> = {
  cli: 'Operators act on every account. They sign in to the host of the command.',
  'console-operator': 'Operators act on every account. They sign in with a role.',
  gateway:
    'It is the place where keys are checked, and every other contract rests on that check: it names the account and the key that `billing.v1.admit` has answered for the hash of the presented key.',
  jobs: 'A job was created for an account that the gateway has checked; jobs names it from its own row.',
};

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
