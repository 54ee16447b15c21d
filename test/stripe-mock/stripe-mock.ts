// Makes every call of the Stripe providers to stripe-mock, which checks each request against Stripe's published API:
// `npm run test:stripe-mock`. Go builds it. What follows from the answers is the subject of billing's specs.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { v7 as uuidv7 } from 'uuid';
import { StripeCheckouts } from '../../apps/billing/src/payments/stripe-checkouts.provider';
import { StripePayments } from '../../apps/billing/src/payments/stripe-payments.provider';
import { StripeReversals } from '../../apps/billing/src/payments/stripe-reversals.provider';
import { findFreePorts } from '../../deploy/local/free-ports';
import { waitUntil } from '../../deploy/local/wait-until';

const MODULE = 'github.com/stripe/stripe-mock@v0.203.0';
const READY_WITHIN_MS = 30_000;

/** What the client's version of the API (2026-10-28) has, and not yet that of stripe-mock (2026-08-26). */
const NEWER_FIELDS = /^allowed_payment_method_types\b/;

/** A call of each method of a provider, so that none is forgotten. */
type Calls<Provider> = {
  [
    Name in keyof Provider as Provider[Name] extends (...given: never[]) => unknown ? Name : never
  ]: () => Promise<unknown>;
};

function callsTo(url: string) {
  const access = { secretKey: 'sk_test_123', url };
  const [id, account_id] = [uuidv7(), uuidv7()];
  const money = { id, account_id, amount_micros: 25_000_000, customer: 'cus_1' };
  const page = {
    saves_card: true,
    receipt_email: 'ada@example.com',
    return_url: 'https://console.example.com/money',
    expires_at: new Date(Date.now() + 3_600_000),
  };
  const charged = { ...money, payment_method: 'pm_card_visa' };
  const checkouts = new StripeCheckouts({ ...access, addsTax: true });
  const payments = new StripePayments(access);
  const reversals = new StripeReversals(access);
  const ofCheckouts: Calls<StripeCheckouts> = {
    openCustomer: () => checkouts.openCustomer({ account_id, name: 'Ada Ltd' }),
    openCheckout: () => checkouts.openCheckout({ ...money, ...page }),
    findCheckout: () => checkouts.findCheckout('cs_test_1'),
    listCards: () => checkouts.listCards('cus_1'),
    removeCard: () => checkouts.removeCard('pm_1'),
    findProblems: () => checkouts.findProblems(),
  };
  const ofPayments: Calls<StripePayments> = {
    open: () => payments.open(charged),
    charge: () => payments.charge(charged, 'pi_1', () => Promise.resolve()),
    find: () => payments.find('pi_1'),
  };
  const ofReversals: Calls<StripeReversals> = {
    refund: () => reversals.refund({ id, charge: 'pi_1', amount_micros: 10_000 }),
    findRefund: () => reversals.findRefund('re_1'),
    findDispute: () => reversals.findDispute('dp_1'),
    listRefunds: () => reversals.listRefunds(new Date()).next(),
    listDisputes: () => reversals.listDisputes(new Date()).next(),
  };
  return Object.entries({ ...ofCheckouts, ...ofPayments, ...ofReversals });
}

/** Passes a request on to stripe-mock without the newer fields. */
async function forward(mockUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const fields = [...new URLSearchParams(await text(request))].filter(([name]) => !NEWER_FIELDS.test(name));
  const answer = await fetch(mockUrl + url, {
    method,
    headers: { authorization: headers.authorization ?? '' },
    ...(method !== 'GET' && { body: new URLSearchParams(fields) }),
  });
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
}

async function main(): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-stripe-mock-'));
  execFileSync('go', ['install', MODULE], { env: { ...process.env, GOBIN: folder }, stdio: 'inherit' });
  const [port, frontPort] = await findFreePorts(2);
  const url = `http://127.0.0.1:${port}`;
  const mock = spawn(path.join(folder, 'stripe-mock'), ['-http-port', String(port)], { stdio: 'ignore' });
  const front = createServer((request, response) => void forward(url, request, response)).listen(
    frontPort,
    '127.0.0.1',
  );
  try {
    const isReady = () =>
      fetch(url).then(
        () => true,
        () => false,
      );
    if (!(await waitUntil(isReady, { timeoutMs: READY_WITHIN_MS }))) throw new Error('stripe-mock does not answer.');
    for (const [name, call] of callsTo(`http://127.0.0.1:${frontPort}`)) {
      const problem = await call().then(() => null, String);
      if (problem !== null) process.exitCode = 1;
      console.log(`${name}: ${problem ?? 'ok'}`);
    }
  } finally {
    front.close();
    mock.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

void main();
