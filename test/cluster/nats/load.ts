import type { Job } from '@kinora/contracts/jobs/job';
import type { Answer, ApiClient } from '../../support/api-client';

/** Longer than any request may take: a request that ends by it is lost. */
const PATIENCE_MS = 60_000;

interface Outcome {
  status: number;
  tookMs: number;
}

/** Clients that create jobs one after the other, each until it is accepted, and note how long each request takes. */
export class Load {
  readonly accepted: string[] = [];
  readonly outcomes: Outcome[] = [];
  readonly losses: string[] = [];
  private readonly clients: Promise<void>[];
  private stopping = false;

  constructor(
    private readonly client: ApiClient,
    private readonly body: Record<string, unknown>,
    clients: number,
  ) {
    this.clients = Array.from({ length: clients }, (_, index) => this.run(index));
  }

  get longestMs(): number {
    return Math.max(...this.outcomes.map(({ tookMs }) => tookMs));
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.clients);
  }

  private async run(client: number): Promise<void> {
    for (let index = 0; !this.stopping; index++) await this.createUntilAccepted(`${process.pid}-${client}-${index}`);
  }

  private async createUntilAccepted(key: string): Promise<void> {
    for (;;) {
      const answer = await this.create(key);
      if (answer?.status === 503 && !this.stopping) continue;
      if (answer?.status === 200 || answer?.status === 202) this.accepted.push(answer.body.id);
      else if (answer?.status !== 503) this.losses.push(`${answer?.status}: ${JSON.stringify(answer?.body)}`);
      return;
    }
  }

  private async create(key: string): Promise<Answer<Job> | null> {
    const startedAtMs = performance.now();
    const init = { headers: { 'Idempotency-Key': key, 'content-type': 'application/json' }, method: 'POST' };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const request = { ...init, signal, body: JSON.stringify({ size: '512x512', ...this.body }) };
    const answer = await this.client.send<Job>('/images/generations', request).catch(() => null);
    this.outcomes.push({ status: answer?.status ?? 0, tookMs: performance.now() - startedAtMs });
    return answer;
  }
}
