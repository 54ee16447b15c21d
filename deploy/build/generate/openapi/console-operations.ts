import type { JsonSchema } from '../contracts/json-schema';

/** What decorators and types do not say of a route of the console. */
export interface ConsoleOperation {
  summary: string;
  /** Optional parameters of the URL. */
  query?: string[];
  /** The fields of the body; all are required that `optional` does not name. */
  body?: Record<string, JsonSchema>;
  optional?: string[];
  /** The media type of an answer that is no JSON; `redirect` sends the browser on. */
  answer?: string;
}

const TEXT: JsonSchema = { type: 'string', minLength: 1 };
const INTEGER: JsonSchema = { type: 'integer' };
const BOOLEAN: JsonSchema = { type: 'boolean' };
const EMAIL: JsonSchema = { type: 'string', format: 'email' };
const PASSWORD: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 };
const REASON: JsonSchema = { ...TEXT, maxLength: 500, description: 'Stands in the audit trail.' };
const ROLE: JsonSchema = { type: 'string', enum: ['owner', 'finance', 'support', 'viewer'] };
const PAGE = ['limit', 'cursor'];
const REQUESTS = ['status', 'code', 'route', 'api_key_id', 'source', 'request_id', ...PAGE];
const MONEY = {
  amount_micros: INTEGER,
  reason: REASON,
  reference: { ...TEXT, maxLength: 100, description: 'A request with a known reference changes nothing.' },
};

const CUSTOMERS: Record<string, ConsoleOperation> = {
  'SessionController.show': { summary: 'Show the session of the browser' },
  'SessionController.open': { summary: 'Sign in with an API key', body: { api_key: TEXT } },
  'SessionController.openPortal': { summary: 'Sign in with a portal link, which works once', body: { token: TEXT } },
  'SessionController.end': { summary: 'Sign out' },
  'OwnSessionsController.list': { summary: 'List the sessions of the account' },
  'OwnSessionsController.end': { summary: 'End a session of the account' },
  'CustomerRequestsController.list': { summary: 'List the requests of the account', query: REQUESTS },
  'MoneyController.listPayments': { summary: 'List the payments of the account', query: ['cursor'] },
  'MoneyController.showAutoRecharge': { summary: 'Show the automatic recharge' },
  'MoneyController.setAutoRecharge': {
    summary: 'Change the automatic recharge',
    body: {
      enabled: BOOLEAN,
      threshold_micros: INTEGER,
      amount_micros: INTEGER,
      monthly_cap_micros: { type: ['integer', 'null'] },
    },
    optional: ['threshold_micros', 'amount_micros', 'monthly_cap_micros'],
  },
  'MoneyController.usage': { summary: 'Save the usage', query: ['from', 'to', 'group_by'], answer: 'text/csv' },
  'MoneyController.statement': { summary: 'Save the statement', answer: 'text/csv' },
  'MoneyController.showHeld': { summary: 'Show what jobs in flight hold of the balance' },
  'MoneyController.listKeySpend': { summary: 'List what each key has spent in the last days', query: ['days'] },
  'MoneyController.keySpend': {
    summary: 'Save what each key has spent in the last days',
    query: ['days'],
    answer: 'text/csv',
  },
};

const SIGN_INS: Record<string, ConsoleOperation> = {
  'OperatorSessionController.show': { summary: 'Show the session of the browser' },
  'OperatorSessionController.open': {
    summary: 'Sign in with a password',
    body: { email: EMAIL, password: PASSWORD },
  },
  'OperatorSessionController.confirm': { summary: 'Repeat the password', body: { password: PASSWORD } },
  'OperatorSessionController.setUp': {
    summary: 'Set the first password with a setup link',
    body: { token: TEXT, email: EMAIL, password: { ...PASSWORD, minLength: 12 } },
  },
  'OperatorSessionController.end': { summary: 'Sign out' },
  'OidcController.begin': { summary: 'Sign in at the identity provider', query: ['confirm'], answer: 'redirect' },
  'OidcController.finish': {
    summary: 'Return from the identity provider',
    query: ['code', 'state', 'iss', 'error'],
    answer: 'redirect',
  },
};

const ACCOUNTS: Record<string, ConsoleOperation> = {
  'AccountsController.list': { summary: 'List accounts', query: ['search', 'status', ...PAGE] },
  'AccountsController.show': { summary: 'Show an account' },
  'AccountsController.listHistory': { summary: 'List the changes of an account', query: ['cursor'] },
  'AccountsController.listKeys': { summary: 'List the keys of an account', query: ['cursor'] },
  'AccountsController.listPayments': { summary: 'List the payments of an account', query: ['cursor'] },
  'AccountsController.showStatement': { summary: 'List the ledger entries of an account', query: PAGE },
  'AccountsController.showRequests': { summary: 'List the requests of an account', query: REQUESTS },
  'AccountActionsController.topUp': { summary: 'Add money that was paid', body: MONEY },
  'AccountActionsController.grantCredit': { summary: 'Grant a credit', body: MONEY },
  'AccountActionsController.adjust': { summary: 'Correct the balance', body: MONEY },
  'AccountActionsController.endPayment': {
    summary: 'End a payment whose outcome the provider does not tell',
    body: { reason: REASON },
  },
  'AccountActionsController.setStatus': {
    summary: 'Change the status of an account',
    body: { status: { type: 'string', enum: ['active', 'paused', 'suspended', 'closed'] }, reason: REASON },
  },
  'AccountActionsController.setLimits': {
    summary: 'Change the limits of an account',
    body: { rate_limit_rpm: INTEGER, max_concurrent_jobs: INTEGER, retention_days: INTEGER, reason: REASON },
    optional: ['rate_limit_rpm', 'max_concurrent_jobs', 'retention_days'],
  },
  'PortalLinksController.create': {
    summary: 'Make a link that signs a browser in to an account, once',
    body: { scope: { type: 'string', enum: ['read', 'jobs', 'account'] }, ttl_seconds: INTEGER, reason: REASON },
    optional: ['ttl_seconds'],
  },
};

const JOBS: Record<string, ConsoleOperation> = {
  'OperatorJobsController.list': {
    summary: 'List jobs of all accounts',
    query: ['search', 'account_id', 'status', 'model', 'provider', 'error_code', 'since', 'until', ...PAGE],
  },
  'OperatorJobsController.show': { summary: 'Show a job with its attempts' },
  'OperatorJobsController.cancel': { summary: 'Cancel a job', body: { reason: REASON } },
  'OperatorJobsController.refund': { summary: 'Give back the price of a job, once', body: { reason: REASON } },
  'JobMediaController.show': { summary: 'Show a blurred output', answer: 'image/webp' },
  'ComputeController.showCompute': { summary: 'Show the instances of backends' },
  'ComputeController.examine': { summary: 'Examine every instance' },
  'ComputeController.listModels': { summary: 'List models, also those that are switched off' },
  'ComputeController.switchModel': {
    summary: 'Switch a model on or off',
    body: { enabled: BOOLEAN, reason: REASON },
  },
};

const SERVICE: Record<string, ConsoleOperation> = {
  'OverviewController.showOverview': { summary: 'Show jobs, instances and money' },
  'OverviewController.showLedger': { summary: 'Show the ledger by day' },
  'OverviewController.verifyLedger': {
    summary: 'Compare wallets with the ledger',
    query: ['after_account_id'],
    body: { reason: REASON },
  },
  'OverviewController.showRequests': { summary: 'List the requests of all accounts', query: REQUESTS },
  'ModerationController.listDecisions': {
    summary: 'List decisions',
    query: ['account_id', 'job_id', 'verdict', ...PAGE],
  },
  'ModerationController.showDecision': { summary: 'Show a decision' },
  'ModerationController.listStrikes': { summary: 'List strikes', query: ['account_id', ...PAGE] },
  'ModerationController.liftStrike': { summary: 'Lift a strike', body: { reason: REASON } },
  'ModerationController.replay': {
    summary: 'Decide a page of the record again with another policy',
    query: ['since', 'before_decision_id'],
    body: { policy: TEXT },
  },
  'OperatorWebhooksController.listFailing': { summary: 'List failing endpoints', query: ['account_id', ...PAGE] },
  'OperatorWebhooksController.listDeliveries': {
    summary: 'List deliveries',
    query: ['account_id', 'job_id', 'event_id', 'status', ...PAGE],
  },
  'OperatorWebhooksController.showDelivery': { summary: 'Show a delivery with its attempts' },
  'OperatorWebhooksController.redeliver': { summary: 'Deliver again', body: { reason: REASON } },
  'OperatorWebhooksController.recover': {
    summary: 'Deliver again what an account has missed',
    body: {
      account_id: { type: 'string', format: 'uuid' },
      since: { type: 'string', format: 'date-time' },
      reason: REASON,
    },
  },
  'AuditController.list': { summary: 'List the audit trail', query: ['account_id', 'user_id', ...PAGE] },
  'UsersController.list': { summary: 'List operators' },
  'UsersController.add': { summary: 'Add an operator', body: { email: EMAIL, role: ROLE, reason: REASON } },
  'UsersController.setRole': {
    summary: 'Change the role of an operator',
    body: { email: EMAIL, role: ROLE, reason: REASON },
  },
  'UsersController.setDisabled': {
    summary: 'Disable or enable an operator',
    body: { email: EMAIL, disabled: BOOLEAN, reason: REASON },
  },
};

/** By class and method of the handler. */
export const CONSOLE_OPERATIONS: Record<string, ConsoleOperation> = {
  ...{ ...CUSTOMERS, ...SIGN_INS },
  ...{ ...ACCOUNTS, ...JOBS, ...SERVICE },
};
