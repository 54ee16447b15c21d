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
const EMAIL: JsonSchema = { type: 'string', format: 'email' };
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
  'OwnSessionsController.list': { summary: 'List the sessions of the account' },
  'OwnSessionsController.end': { summary: 'End a session of the account' },
  'ProvenanceController.check': { summary: 'Check where a file comes from' },
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
