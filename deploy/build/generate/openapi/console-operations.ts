import { MEMBER_ROLES } from '@kinora/contracts/billing/users.rpc';
import { JOB_SEARCH, PERIOD } from '../../../../apps/console/src/customer/own-jobs.controller';
import { REQUESTS } from '../../../../apps/console/src/http/query-fields';
import type { JsonSchema } from '../contracts/json-schema';

/** What decorators and types do not say of a route of the console. */
export interface ConsoleOperation {
  summary: string;
  /** Optional parameters of the URL. */
  query?: readonly string[];
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
const UUID: JsonSchema = { type: 'string', format: 'uuid' };
const MEMBER_ROLE: JsonSchema = { type: 'string', enum: MEMBER_ROLES };
const PASSWORD: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 };

const CUSTOMERS: Record<string, ConsoleOperation> = {
  'SessionController.show': { summary: 'Show the session of the browser' },
  'SessionController.open': { summary: 'Sign in with an API key', body: { api_key: TEXT } },
  'SessionController.openPortal': { summary: 'Sign in with a portal link, which works once', body: { token: TEXT } },
  'SessionController.end': { summary: 'Sign out' },
  'PeopleController.open': { summary: 'Sign in with a password', body: { email: EMAIL, password: PASSWORD } },
  'PeopleController.request': {
    summary: 'Send a link to an address, for a sign-up or a new password',
    body: { purpose: { type: 'string', enum: ['sign_up', 'reset'] }, email: EMAIL },
  },
  'PeopleController.show': { summary: 'Show what a link of an e-mail is for', body: { token: TEXT } },
  'PeopleController.use': {
    summary: 'Use a link of an e-mail, which works once, and sign in',
    body: { token: TEXT, password: { ...PASSWORD, minLength: 12 }, account_name: { ...TEXT, maxLength: 100 } },
    optional: ['account_name'],
  },
  'CustomerOidcController.begin': { summary: 'Sign in at the identity provider', answer: 'redirect' },
  'CustomerOidcController.finish': {
    summary: 'Return from the identity provider',
    query: ['code', 'state', 'iss', 'error'],
    answer: 'redirect',
  },
  'MembersController.list': { summary: 'List the members and invitations of the account' },
  'MembersController.invite': { summary: 'Invite a person by e-mail', body: { email: EMAIL, role: MEMBER_ROLE } },
  'MembersController.withdraw': { summary: 'Withdraw an invitation', body: { email: EMAIL } },
  'MembersController.setRole': {
    summary: 'Change the role of a member, who is signed out',
    body: { user_id: UUID, role: MEMBER_ROLE },
  },
  'MembersController.remove': { summary: 'Remove a member, or leave', body: { user_id: UUID } },
  'OwnAccountsController.list': { summary: 'List the accounts of the member' },
  'OwnAccountsController.switch': { summary: 'Open another account of the member', body: { account_id: UUID } },
  'OwnSessionsController.list': { summary: 'List the sessions of the account' },
  'OwnSessionsController.end': { summary: 'End a session of the account' },
  'ProvenanceController.check': { summary: 'Check where a file comes from' },
  'CustomerRequestsController.list': { summary: 'List the requests of the account', query: REQUESTS },
  'OwnJobsController.search': { summary: 'Find jobs of the account', query: JOB_SEARCH },
  'OwnJobsController.showUsage': { summary: 'Show spend by day and model, and how long jobs took', query: PERIOD },
  'MoneyController.listPayments': { summary: 'List the payments of the account', query: ['cursor'] },
  'MoneyController.showBalanceAlert': { summary: 'Show below which balance the customer is warned' },
  'MoneyController.setBalanceAlert': {
    summary: 'Change below which balance the customer is warned',
    body: { threshold_micros: { type: ['integer', 'null'] } },
  },
  'MoneyController.showBillingDetails': { summary: 'Show who the customer is on statements' },
  'MoneyController.setBillingDetails': {
    summary: 'Change who the customer is on statements',
    body: { name: TEXT, address: TEXT, tax_id: { type: ['string', 'null'] } },
    optional: ['tax_id'],
  },
  'MoneyController.showMonth': { summary: 'Show the statement of a month' },
  'MoneyController.showAutoRecharge': { summary: 'Show the automatic recharge' },
  'MoneyController.setAutoRecharge': {
    summary: 'Change the automatic recharge',
    body: {
      enabled: BOOLEAN,
      threshold_micros: INTEGER,
      amount_micros: INTEGER,
      monthly_cap_micros: { type: ['integer', 'null'] },
      card_id: TEXT,
    },
    optional: ['threshold_micros', 'amount_micros', 'monthly_cap_micros', 'card_id'],
  },
  'CheckoutsController.showOffer': { summary: 'Show what can be paid in' },
  'CheckoutsController.create': {
    summary: 'Begin a payment by the page of the payment provider',
    body: { amount_micros: INTEGER, saves_card: BOOLEAN },
  },
  'CheckoutsController.show': { summary: 'Show a payment, as the payment provider knows it' },
  'CheckoutsController.listCards': { summary: 'List the saved cards of the account' },
  'CheckoutsController.removeCard': { summary: 'Remove a saved card, and stop the automatic recharge by it' },
  'CheckoutsController.showRehearsal': { summary: 'Show a page of the sandbox payment provider' },
  'CheckoutsController.payRehearsal': {
    summary: 'Pay a page of the sandbox payment provider',
    body: { card: TEXT, is_confirmed: BOOLEAN },
  },
  'MoneyController.usage': { summary: 'Save the usage', query: ['from', 'to', 'group_by'], answer: 'text/csv' },
  'MoneyController.statement': { summary: 'Save the statement', query: ['month'], answer: 'text/csv' },
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

/** By class and method of the handler. The routes of the operators' pages describe themselves. */
export const CONSOLE_OPERATIONS: Record<string, ConsoleOperation> = { ...CUSTOMERS, ...SIGN_INS };
