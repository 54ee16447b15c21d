import { stringify } from 'yaml';
import { declaredContracts } from '../contracts/declared-contracts';
import { handlers } from '../contracts/handlers';
import type { GeneratedFiles } from '../generated-files';
import { ADMINISTRATOR, type BrokerUser, brokerUser } from './broker-permissions';
import { contractUsers } from './contract-users';

/** Inside the chart, because a chart cannot read files outside of itself; compose mounts the same one. */
export const AUTHORIZATION_FILE = 'deploy/helm/kinora/files/nats-authorization.conf';

/** The same users as values of the official NATS chart, so that this release needs nothing of Kinora's release to start. */
export const NATS_CHART_USERS = 'deploy/helm/nats-users.yaml';

/** Those users and the two of the console, for brokers of installations with a console. */
export const NATS_CHART_CONSOLE_USERS = 'deploy/helm/nats-console-users.yaml';

const NATS_CHART_HEADER = `# The users of kinora/files/nats-authorization.conf as values of the official NATS chart: written by \`npm run generate\`.
# Pass this file after nats-values.yaml, which takes the passwords from the Secret "kinora-nats".
`;

const CONSOLE_HEADER = `# nats-users.yaml with the two users of the console, and their passwords from the Secret "kinora-nats": written by
# \`npm run generate\`. Pass this file instead of nats-users.yaml, because a later list replaces an earlier one.
`;

const HEADER = `# Permissions of each user on the broker, derived from the contracts and their users: written by \`npm run generate\`.
# nats.conf includes it. The passwords are in the broker's environment; the broker does not start if one is missing.
`;

/** The console is optional, and a broker does not start without the password of one of its users. */
const CONSOLE_USER = /^console-/;

/** Longer than the timeout of any contract. */
const ANSWERS_EXPIRE = '5m';

export async function authorizationFile(): Promise<GeneratedFiles> {
  const users = await brokerUsers();
  const console = users.filter(({ user }) => CONSOLE_USER.test(user));
  const passwords = console.map(({ user }) => [
    passwordVariable(user),
    { valueFrom: { secretKeyRef: { name: 'kinora-nats', key: user } } },
  ]);
  return {
    [AUTHORIZATION_FILE]: renderAuthorization(users),
    [NATS_CHART_USERS]: NATS_CHART_HEADER + renderValues(chartUsers(users.filter((each) => !console.includes(each)))),
    [NATS_CHART_CONSOLE_USERS]:
      CONSOLE_HEADER +
      renderValues({ ...chartUsers(users), container: { env: Object.fromEntries(passwords) as object } }),
  };
}

export async function brokerUsers(): Promise<BrokerUser[]> {
  return [...contractUsers(await declaredContracts(), await handlers()).map(brokerUser), ADMINISTRATOR];
}

/** The environment variable of the broker with a user's password. */
export function passwordVariable(user: string): string {
  return `NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`;
}

export function renderAuthorization(users: BrokerUser[]): string {
  return `${HEADER}authorization {\n  users: [\n${users.map(renderUser).join('')}  ]\n}\n`;
}

function renderUser({ user, publish, subscribe, answersMax }: BrokerUser): string {
  const lines = [
    `user: ${user}`,
    `password: $${passwordVariable(user)}`,
    'permissions: {',
    ...renderList('publish', publish),
    ...renderList('subscribe', subscribe),
    ...(answersMax > 0 ? [`  allow_responses: { max: ${answersMax}, expires: "${ANSWERS_EXPIRE}" }`] : []),
    '}',
  ];
  return `    {\n${lines.map((line) => `      ${line}\n`).join('')}    }\n`;
}

function renderList(name: string, subjects: string[]): string[] {
  const list = allowed(subjects);
  if (!Array.isArray(list)) return [`  ${name}: { deny: ${JSON.stringify(list.deny)} }`];
  return [`  ${name}: [`, ...list.map((subject) => `    ${JSON.stringify(subject)}`), '  ]'];
}

function chartUsers(users: BrokerUser[]): object {
  return { config: { merge: { authorization: { users: users.map(toChartUser) } } } };
}

function renderValues(values: object): string {
  return stringify(values, { lineWidth: 0, singleQuote: true });
}

function toChartUser({ user, publish, subscribe, answersMax }: BrokerUser): object {
  return {
    user,
    // The chart writes what is between << and >> without quotation marks, so that the broker reads the variable.
    password: `<< $${passwordVariable(user)} >>`,
    permissions: {
      publish: allowed(publish),
      subscribe: allowed(subscribe),
      ...(answersMax > 0 && { allow_responses: { max: answersMax, expires: ANSWERS_EXPIRE } }),
    },
  };
}

/** An empty list of allowed subjects would allow all of them. */
function allowed(subjects: string[]): string[] | { deny: string[] } {
  return subjects.length === 0 ? { deny: ['>'] } : subjects;
}
