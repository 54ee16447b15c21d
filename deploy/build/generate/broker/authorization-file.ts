import { declaredContracts } from '../contracts/declared-contracts';
import { handlers } from '../contracts/handlers';
import type { GeneratedFiles } from '../generated-files';
import { type BrokerUser, brokerUser } from './broker-permissions';
import { contractUsers } from './contract-users';

/** Inside the chart, because a chart cannot read files outside of itself; compose mounts the same one. */
export const AUTHORIZATION_FILE = 'deploy/helm/kinora/files/nats-authorization.conf';

const HEADER = `# Permissions of each user on the broker, derived from the contracts and their users: written by \`npm run generate\`.
# nats.conf includes it. The passwords are in the broker's environment; the broker does not start if one is missing.
`;

export async function authorizationFile(): Promise<GeneratedFiles> {
  return { [AUTHORIZATION_FILE]: renderAuthorization(await brokerUsers()) };
}

export async function brokerUsers(): Promise<BrokerUser[]> {
  return contractUsers(await declaredContracts(), await handlers()).map(brokerUser);
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
    // Longer than the timeout of any contract.
    ...(answersMax > 0 ? [`  allow_responses: { max: ${answersMax}, expires: "5m" }`] : []),
    '}',
  ];
  return `    {\n${lines.map((line) => `      ${line}\n`).join('')}    }\n`;
}

/** An empty list of allowed subjects would allow all of them. */
function renderList(name: string, subjects: string[]): string[] {
  if (subjects.length === 0) return [`  ${name}: { deny: [">"] }`];
  return [`  ${name}: [`, ...subjects.map((subject) => `    ${JSON.stringify(subject)}`), '  ]'];
}
