import type { ServerResponse } from 'node:http';
import type { WebhookEvent } from '@kinora/contracts/jobs/webhook-event';
import { HttpsReceiver, type ReceivedRequest } from '@kinora/testing';
import { sign } from '@kinora/webhooks';
import { seenJob } from './clients';
import type { OpenedAccount } from './payments';
import type { Delivery } from './history';
import type { ReceiverKind } from './swarm';

/** Within the ten seconds that a receiver has. */
const SLOW_MS = 2_000;

const ANSWERS: Record<ReceiverKind, (response: ServerResponse) => void> = {
  good: (response) => response.writeHead(200).end(),
  slow: (response) => void setTimeout(() => response.writeHead(204).end(), SLOW_MS),
  failing: (response) => response.writeHead(500).end(),
  hanging: () => undefined,
  redirecting: (response) => response.writeHead(302, { location: '/good' }).end(),
};

/** The receivers of all accounts: one server, whose paths name the account and how it behaves. */
export class Receivers {
  private deliveries: Delivery[] = [];
  private accounts: OpenedAccount[] = [];

  private constructor(private readonly server: HttpsReceiver) {
    server.answer = (request, response) => this.receive(request, response);
  }

  static async start(): Promise<Receivers> {
    return new Receivers(await HttpsReceiver.start());
  }

  get port(): number {
    return this.server.port;
  }

  /** Records what arrives for these accounts, and answers repeats of an earlier run without a record. */
  begin(accounts: OpenedAccount[], deliveries: Delivery[]): void {
    this.accounts = accounts;
    this.deliveries = deliveries;
  }

  /** @param port of the proxy in front of the server. */
  urlOf(receiver: ReceiverKind, account: number, port: number): string {
    return `https://127.0.0.1:${port}/${receiver}/${this.accounts[account]?.accountId}`;
  }

  async close(): Promise<void> {
    await this.server.close();
  }

  private receive({ path, body, headers }: ReceivedRequest, response: ServerResponse): void {
    const [, kind = '', accountId] = path.split('/');
    const account = this.accounts.findIndex((one) => one.accountId === accountId);
    const secret = this.accounts[account]?.webhookSecret;
    if (secret === undefined) return void response.writeHead(200).end();
    const event = JSON.parse(body.toString()) as WebhookEvent;
    const signature = String(headers['x-service-signature']);
    this.deliveries.push({
      receiver: kind as ReceiverKind,
      account,
      atMs: performance.now(),
      eventId: event.id,
      job: seenJob(event.data.object),
      type: event.type,
      isSigned: signature === sign(body, [secret], Number(/^t=(\d+)/.exec(signature)?.[1])),
    });
    ANSWERS[kind as ReceiverKind](response);
  }
}
