import { declaredContracts } from '../contracts/declared-contracts';
import { handlers } from '../contracts/handlers';
import type { GeneratedFiles } from '../generated-files';
import { type BrokerUser, brokerUser } from './broker-permissions';
import { contractUsers } from './contract-users';

/** Inside the chart, because a chart can read no file beside itself; compose mounts the same one. */
export const AUTHORIZATION_FILE = 'deploy/helm/kinora/files/nats-authorization.conf';

const HEADER = `# Who may say and hear what on the broker, as the contracts and their users declare it: written by \`npm run generate\`.
# nats.conf includes it. The passwords stand in the broker's environment; one that is missing keeps the broker from starting.
`;

export async function authorizationFile(): Promise<GeneratedFiles> {
  return { [AUTHORIZATION_FILE]: renderAuthorization(await brokerUsers()) };
}

export async function brokerUsers(): Promise<BrokerUser[]> {
  return contractUsers(await declaredContracts(), await handlers()).map(brokerUser);
}

/** The variable in the broker's environment that holds a user's password. */
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
    // Longer than any contract's time limit.
    ...(answersMax > 0 ? [`  allow_responses: { max: ${answersMax}, expires: "5m" }`] : []),
    '}',
  ];
  return `    {\n${lines.map((line) => `      ${line}\n`).join('')}    }\n`;
}

/** An empty list of what is allowed would allow everything. */
function renderList(name: string, subjects: string[]): string[] {
  if (subjects.length === 0) return [`  ${name}: { deny: [">"] }`];
  return [`  ${name}: [`, ...subjects.map((subject) => `    ${JSON.stringify(subject)}`), '  ]'];
}
