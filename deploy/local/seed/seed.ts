// Creates accounts, keys, jobs and deliveries in the running stack: `npm run seed [-- --receiver https://…]`.
// docs/contribute/loop.md
import 'reflect-metadata';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { dataFolderAt } from '../data-folder';
import { readLocalStackSettings } from '../local-stack.config';
import { PrivateJsonFile } from '../private-json-file';
import type { Stack } from '../stack-file';
import { StartProblem } from '../start-problem';
import { ACCOUNTS, JOBS } from './seed-plan';
import { type Seeded, Seeder } from './seeder';

interface Delivery {
  delivery_id: string;
  status: string;
  url: string;
}

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof StartProblem ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { receiver: { type: 'string' } } });
  const folder = dataFolderAt(readLocalStackSettings(process.env).dataDir);
  const stack = await new PrivateJsonFile<Stack>(folder.stack).read();
  if (stack === null)
    throw new StartProblem(`No stack runs in ${folder.root}: start it with npm start, or set KINORA_DATA_DIR.`);
  const seeder = new Seeder({
    stack,
    file: new PrivateJsonFile<Seeded>(path.join(folder.root, 'seed.json')),
    programs: path.resolve(__dirname, '../../..'),
    env: process.env,
    receiver: values.receiver ?? null,
  });
  const seeded = await seeder.run();
  print(seeded);
  const [{ name: owner } = { name: '' }] = ACCOUNTS;
  const { account_id: accountId = '' } = seeded.accounts[owner] ?? {};
  const deliveries = (await seeder.kinora('webhook', 'list', '--account', accountId)) as { data: Delivery[] };
  for (const { delivery_id, status, url } of deliveries.data)
    console.log(`${delivery_id}  ${status.padEnd(10)} ${url}`);
}

function print({ accounts, jobs }: Seeded): void {
  for (const { name } of ACCOUNTS) {
    const { account_id = '', api_key = '' } = accounts[name] ?? {};
    console.log(`${account_id}  ${name.padEnd(20)} ${api_key}`);
  }
  for (const { name, status } of JOBS) console.log(`${jobs[name]}  ${status.padEnd(10)} ${name}`);
}
