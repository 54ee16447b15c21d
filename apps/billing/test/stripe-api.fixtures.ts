import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

import { type ReceivedCall, StripePages } from './stripe-pages.fixtures';

interface Intent {
  id: string;
  amount: number;
  status: string;
  last_payment_error: { code: string; decline_code?: string } | null;
  charges: number;
}

/**
 * The part of Stripe's HTTP API that off-session charges need: form-encoded requests, JSON responses, idempotency keys.
 */
export class StripeApi {
  readonly calls: ReceivedCall[] = [];
  readonly intents = new Map<string, Intent>();
  /**
   * The number of confirmations that charge and then close the connection without a response. The Stripe library itself
   * retries once.
   */
  confirmationsToLose = 0;
  /** Everything but charges of saved cards. */
  readonly pages = new StripePages();
  private readonly answers = new Map<string, { status: number; body: unknown }>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<StripeApi> {
    const server = createServer();
    const api = new StripeApi(server);
    server.on('request', (request, response) => void api.handle(request, response).catch(() => response.destroy()));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call: ReceivedCall = {
      method: request.method ?? '',
      path: request.url ?? '',
      form: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())),
      authorization: request.headers.authorization,
      idempotencyKey: request.headers['idempotency-key'] as string | undefined,
    };
    this.calls.push(call);
    const { status, body } = this.answer(call);
    if (call.path.endsWith('/confirm') && this.confirmationsToLose > 0) {
      this.confirmationsToLose -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' });
    response.end(JSON.stringify(body));
  }

  /** Stripe returns the same response for a repeated Idempotency-Key, also for errors. */
  private answer(call: ReceivedCall): { status: number; body: unknown } {
    const repeated = call.idempotencyKey === undefined ? undefined : this.answers.get(call.idempotencyKey);
    const answer = repeated ?? this.act(call);
    if (call.idempotencyKey !== undefined) this.answers.set(call.idempotencyKey, structuredClone(answer));
    return answer;
  }

  private act(call: ReceivedCall): { status: number; body: unknown } {
    const { method, path, form } = call;
    if (!path.startsWith('/v1/payment_intents')) return this.pages.act(call);
    const [, , , id, action] = path.split('/');
    if (method === 'POST' && id === undefined) return this.create(form);
    const intent = this.intents.get(id ?? '');
    if (!intent) return refusal(404, { type: 'invalid_request_error', code: 'resource_missing', message: 'No such' });
    if (action === 'confirm') return this.confirm(intent);
    if (action === 'cancel') return this.cancel(intent);
    return { status: 200, body: toBody(intent) };
  }

  private create({ amount, payment_method }: Record<string, string>): { status: number; body: unknown } {
    if (payment_method === 'pm_nobody')
      return refusal(400, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: 'No such PaymentMethod',
      });
    const id = `pi_${this.intents.size + 1}_${payment_method}`;
    const intent = {
      id,
      amount: Number(amount),
      status: 'requires_confirmation',
      last_payment_error: null,
      charges: 0,
    };
    this.intents.set(id, intent);
    return { status: 200, body: toBody(intent) };
  }

  private cancel(intent: Intent): { status: number; body: unknown } {
    if (intent.status === 'succeeded') return invalid('payment_intent_unexpected_state');
    intent.status = 'canceled';
    return { status: 200, body: toBody(intent) };
  }

  private confirm(intent: Intent): { status: number; body: unknown } {
    if (intent.id.endsWith('detached')) return invalid('payment_method_unactivated');
    if (intent.status === 'succeeded') return invalid('payment_intent_unexpected_state');
    if (intent.id.endsWith('declined')) {
      const error = { code: 'card_declined', decline_code: 'insufficient_funds' };
      Object.assign(intent, { status: 'requires_payment_method', last_payment_error: error });
      return refusal(402, { type: 'card_error', ...error, message: 'No.', payment_intent: toBody(intent) });
    }
    if (intent.id.endsWith('processing')) intent.status = 'processing';
    else Object.assign(intent, { status: 'succeeded', charges: intent.charges + 1 });
    return { status: 200, body: toBody(intent) };
  }
}

function toBody({ charges: _charges, ...intent }: Intent): object {
  return { object: 'payment_intent', currency: 'usd', livemode: false, ...intent };
}

function invalid(code: string): { status: number; body: unknown } {
  return refusal(400, { type: 'invalid_request_error', code, message: 'No.' });
}

function refusal(status: number, error: object): { status: number; body: unknown } {
  return { status, body: { error } };
}
