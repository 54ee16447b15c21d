import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Job } from '@kinora/contracts/jobs/job';
import { imagesOf, waitFor } from '@kinora/testing';
import { RUNBOOK } from '../../../deploy/build/rules';
import { codeBlocks, commandsOn, shellLines } from '../../support/guide-steps';
import { ComposeProject } from './compose-project';

const INSTALL = 'docs/operate/install.md';
const POINT_IN_TIME = 'docs/operate/point-in-time.md';
const SERVICES = ['gateway', 'jobs', 'billing', 'moderation', 'catalog', 'webhook-dispatcher', 'console', 'sandbox'];
const COMPOSE = 'docker compose --file deploy/docker/compose.yaml';
/** Of which most is the image. */
const BUILD_TIMEOUT_MS = 25 * 60_000;
const HEALTHY_WITHIN_MS = 120_000;
const MODERATION = `require: [openai]
engines:
  - type: openai
    api_key: \${OPENAI_API_KEY}
`;

interface ContainerState {
  Service: string;
  State: string;
  Health: string;
}

describe('compose', () => {
  let project: ComposeProject;
  let key: string;

  beforeAll(async () => {
    project = await ComposeProject.make();
  }, BUILD_TIMEOUT_MS);

  afterAll(() => project.remove(), 120_000);

  const untilHealthy = (services: string[]): Promise<unknown> =>
    waitFor(
      async () => {
        const lines = (await project.shell(`${COMPOSE} ps --format json`)).trim().split('\n');
        const states = lines.map((line) => JSON.parse(line) as ContainerState);
        const healthy = states.filter(({ Health }) => Health === 'healthy').map(({ Service }) => Service);
        return services.every((service) => healthy.includes(service));
      },
      { timeoutMs: HEALTHY_WITHIN_MS },
    );

  const api = (route: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return project.fetch(`http://127.0.0.1:8080/v1${route}`, { ...init, headers });
  };

  /** The operator's command, again while the services find their stores. */
  const operate = (words: string): Promise<string> =>
    waitFor(() => project.shell(`${COMPOSE} run --rm kinora ${words}`).catch(() => false as const), {
      timeoutMs: HEALTHY_WITHIN_MS,
    });

  const accounts = async (): Promise<string[]> => {
    const { data } = JSON.parse(await operate('account list --json')) as { data: { name: string }[] };
    return data.map(({ name }) => name);
  };

  it('stands up by the commands of the guide, which print the key of a first customer', async () => {
    const block = (await codeBlocks(INSTALL)).find(({ code }) => code.includes(`${COMPOSE} up`));
    const keep = 'env | grep ^KINORA_ > deploy/docker/.env';
    const printed = await project.shell(`${block?.code}\n${keep}`);
    key = /^api[ _]key {2,}(\S+)$/im.exec(printed)?.[1] ?? '';
    expect(key).toMatch(/^\S{20,}$/);
    await untilHealthy(SERVICES);
  }, 300_000);

  it('creates an image, which its link leads to', async () => {
    const body = JSON.stringify({ prompt: 'a lighthouse on a rocky coast' });
    const created = await api('/images/generations', { method: 'POST', body });
    expect(created.status).toBe(202);
    const { id } = JSON.parse(created.body.toString()) as Job;
    const job = await waitFor(
      async () => {
        const polled = JSON.parse((await api(`/jobs/${id}`)).body.toString()) as Job;
        return polled.status === 'succeeded' && polled;
      },
      { timeoutMs: 60_000 },
    );
    const file = await project.fetch(imagesOf(job)[0]?.url as string);
    expect({ status: file.status, isImage: file.body.length > 1_000 }).toEqual({ status: 200, isImage: true });
  }, 120_000);

  it('serves the console, and mcp where its profile is on', async () => {
    expect((await project.fetch('http://127.0.0.1:8081/')).status).toBe(200);
    await project.shell(`${COMPOSE} --profile mcp up --detach mcp`);
    await untilHealthy(['mcp']);
    expect((await project.fetch('http://127.0.0.1:8090/mcp', { method: 'POST' })).status).toBe(401);
    await project.shell(`${COMPOSE} --profile mcp rm --stop --force mcp`);
  }, 240_000);

  it('runs in production with an engine of its operator and with Stripe, whose secrets are in its files', async () => {
    const folder = path.join(project.folder, 'deploy/docker');
    await mkdir(path.join(folder, 'config'), { recursive: true });
    await writeFile(path.join(folder, 'config/moderation.yaml'), MODERATION);
    await writeFile(path.join(folder, 'secrets.env'), 'OPENAI_API_KEY=sk-test\n');
    const settings = ['KINORA_PROFILE=production', 'KINORA_PAYMENTS=stripe', 'KINORA_STRIPE_SECRET_KEY=sk_test_1'];
    await appendFile(path.join(folder, '.env'), `${settings.join('\n')}\n`);
    await project.shell(`${COMPOSE} up --detach`);
    await untilHealthy(SERVICES);
  }, 300_000);

  it('has the disks and the broker that the runbook names', async () => {
    const commands = (await commandsOn(RUNBOOK)).filter((command) => command.startsWith('docker '));
    const named = commands.filter((command) => !/ down$/.test(command));
    expect(named.length).toBeGreaterThanOrEqual(7);
    for (const command of named) await project.shell(command.replace(' exec ', ' exec -T '));
    await untilHealthy(SERVICES);
    expect(await accounts()).toContain('A customer');
  }, 300_000);

  it('restores PostgreSQL to a point in time by the commands of the guide', async () => {
    const lines = await shellLines(POINT_IN_TIME);
    const [start = '', backUp = '', ...restore] = lines
      .filter((line) => line.startsWith('docker '))
      .map((line) => line.replace(' exec ', ' exec -T '));
    const files = lines.find((line) => line.startsWith('export COMPOSE_FILE='));
    const step = (...commands: string[]) => project.shell([files, ...commands].join('\n'), 'deploy/docker');
    await step(start);
    // The server with the archive is still starting.
    const listed = await waitFor(() => step(backUp).catch(() => false as const), { timeoutMs: HEALTHY_WITHIN_MS });
    const base = /^base-\S+$/m.exec(listed)?.[0] ?? '';
    await untilHealthy(SERVICES);
    await operate('account create --name before');
    const moment = (await step('docker compose exec -T --user postgres postgres date -u "+%F %T.%N UTC"')).trim();
    await operate('account create --name mistake');
    const commands = restore.map((line) =>
      line.replace(/'\d{4}-[^']*'/, `'${moment}'`).replace(/base-\d{4}-\d\d-\d\d/, base),
    );
    expect(commands.join('\n')).toContain(`'${moment}' ${base}`);
    await step(...commands);
    await untilHealthy(SERVICES);
    const names = await accounts();
    expect(names).toEqual(expect.arrayContaining(['A customer', 'before']));
    expect(names).not.toContain('mistake');
  }, 400_000);

  it('ends without a killed container', async () => {
    const down = (await commandsOn(RUNBOOK)).find((command) => / down$/.test(command)) ?? '';
    await project.shell(`${COMPOSE} stop`);
    expect(await project.shell(`docker ps --all --filter exited=137 --format '{{.Names}}'`)).toBe('');
    await project.shell(down);
    expect(await project.shell(`docker ps --format '{{.Names}}'`)).toBe('');
  }, 120_000);
});
