export interface ReceivedCall {
  method: string;
  path: string;
  form: Record<string, string>;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
}

type Answer = { status: number; body: unknown };

interface FakeRefund {
  id: string;
  payment_intent: string;
  amount: number;
  currency?: string;
  created?: number;
  status: string;
  failure_reason?: string;
  metadata: Record<string, string>;
}

interface FakeDispute {
  id: string;
  payment_intent: string;
  amount: number;
  currency: string;
  created?: number;
  status: string;
}

interface FakeCard {
  id: string;
  object: 'payment_method';
  card: { brand: string; last4: string; exp_month: number; exp_year: number };
}

interface Session {
  id: string;
  url: string;
  client_reference_id: string;
  metadata: Record<string, string>;
  customer: string;
  amount_subtotal: number;
  amount_total: number;
  currency: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  payment_intent: string | null;
  invoice: { id: string; hosted_invoice_url: string } | null;
}

/** The part of Stripe's API behind payment pages. The test pays, expires and changes the pages. */
export class StripePages {
  readonly sessions = new Map<string, Session>();
  readonly refunds: FakeRefund[] = [];
  readonly disputes: FakeDispute[] = [];
  readonly cards = new Map<string, FakeCard[]>();
  refundStatus = 'succeeded';
  readonly pageSize = 5;
  /** Whether look-ups of pages fail. */
  isDown = false;

  act({ method, path, form }: ReceivedCall): Answer {
    const [, , collection, , id] = path.split('?', 1)[0]?.split('/') ?? [];
    if (this.isDown) return failure(500, 'api_error', 'down');
    if (collection === 'refunds') return this.refund(method, path, form);
    if (collection === 'disputes') return this.showDispute(path);
    if (collection === 'payment_methods') return this.detach(path);
    if (path.includes('/payment_methods')) return ok({ object: 'list', data: this.cards.get(customerOf(path)) ?? [] });
    if (collection === 'customers') return ok({ id: `cus_${form['metadata[kinora_account_id]']}`, object: 'customer' });
    if (collection !== 'checkout') return failure(404, 'invalid_request_error', 'url_invalid');
    if (method === 'POST' && id === undefined) return this.open(form);
    const session = this.sessions.get(id ?? '');
    return session ? ok(session) : failure(404, 'invalid_request_error', 'resource_missing');
  }

  of(paymentId: string): Session {
    const found = [...this.sessions.values()].find(({ client_reference_id }) => client_reference_id === paymentId);
    if (!found) throw new Error(`There is no page for ${paymentId}.`);
    return found;
  }

  pay(paymentId: string, changes: Partial<Session> = {}): Session {
    const paid = { status: 'complete', payment_status: 'paid', payment_intent: `pi_of_${paymentId}` } as const;
    const invoice = { id: `in_${paymentId}`, hosted_invoice_url: `https://invoice.stripe.com/${paymentId}` };
    return Object.assign(this.of(paymentId), { ...paid, invoice, ...changes });
  }

  /** What all paid pages have brought, in micros. */
  get paidMicros(): number {
    const paid = [...this.sessions.values()].filter(({ payment_status }) => payment_status === 'paid');
    return paid.reduce((sum, { amount_subtotal }) => sum + amount_subtotal * 10_000, 0);
  }

  /** The customer disputes what was paid. */
  dispute(paymentId: string, changes: Partial<FakeDispute> = {}): FakeDispute {
    const { amount_total: amount, payment_intent } = this.of(paymentId);
    const defaults = { amount, currency: 'usd', status: 'needs_response', payment_intent: payment_intent ?? '' };
    const dispute = { id: `dp_${paymentId}`, ...defaults, ...changes };
    this.disputes.push(dispute);
    return dispute;
  }

  saveCard(customer: string, id: string, last4 = '4242'): void {
    const card = { brand: 'visa', last4, exp_month: 12, exp_year: 2030 };
    this.cards.set(customer, [...(this.cards.get(customer) ?? []), { id, object: 'payment_method', card }]);
  }

  private refund(method: string, path: string, form: Record<string, string>): Answer {
    const [, , , id] = path.split('?', 1)[0]?.split('/') ?? [];
    if (method === 'GET' && id === undefined) return this.list(path, this.refunds);
    if (method === 'GET') return found(this.refunds.find((refund) => refund.id === id));
    const refund = {
      id: `re_${this.refunds.length + 1}`,
      payment_intent: form['payment_intent'] ?? '',
      amount: Number(form['amount']),
      currency: 'usd',
      status: this.refundStatus,
      metadata: { kinora_refund_id: form['metadata[kinora_refund_id]'] ?? '' },
    };
    this.refunds.push(refund);
    return ok(refund);
  }

  private showDispute(path: string): Answer {
    const [, , , id] = path.split('?', 1)[0]?.split('/') ?? [];
    if (id === undefined) return this.list(path, this.disputes);
    return found(this.disputes.find((dispute) => dispute.id === id));
  }

  /** A page of what is of a charge, or was made since a time. */
  private list(path: string, all: (FakeRefund | FakeDispute)[]): Answer {
    const query = new URL(path, 'http://x').searchParams;
    const charge = query.get('payment_intent');
    const now = Math.floor(Date.now() / 1_000);
    const meant = all.filter(
      ({ payment_intent, created = now }) =>
        (charge === null || payment_intent === charge) && created >= Number(query.get('created[gte]')),
    );
    const after = meant.findIndex(({ id }) => id === query.get('starting_after')) + 1;
    const end = after + this.pageSize;
    return ok({ object: 'list', url: path, data: meant.slice(after, end), has_more: end < meant.length });
  }

  private detach(path: string): Answer {
    const [, , , id] = path.split('/');
    for (const [customer, cards] of this.cards)
      this.cards.set(
        customer,
        cards.filter((card) => card.id !== id),
      );
    return ok({ id });
  }

  private open(form: Record<string, string>): Answer {
    const id = `cs_test_${this.sessions.size + 1}`;
    const amount = Number(form['line_items[0][price_data][unit_amount]']);
    const session: Session = {
      id,
      url: `https://checkout.stripe.com/c/pay/${id}`,
      client_reference_id: form['client_reference_id'] ?? '',
      metadata: { kinora_account_id: form['metadata[kinora_account_id]'] ?? '' },
      customer: form['customer'] ?? '',
      ...{ amount_subtotal: amount, amount_total: amount },
      currency: form['line_items[0][price_data][currency]'] ?? '',
      ...{ status: 'open', payment_status: 'unpaid', payment_intent: null, invoice: null },
    };
    this.sessions.set(id, session);
    return ok(session);
  }
}

function customerOf(path: string): string {
  return path.split('/')[3] ?? '';
}

function found(object: object | undefined): Answer {
  return object ? ok(object) : failure(404, 'invalid_request_error', 'resource_missing');
}

function ok(body: object): Answer {
  return { status: 200, body };
}

function failure(status: number, type: string, code: string): Answer {
  return { status, body: { error: { type, code, message: 'No.' } } };
}
