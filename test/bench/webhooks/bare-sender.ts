import { performance } from 'node:perf_hooks';
import { Egress, EgressAllowList } from '../../../libs/egress/src';
import { repeat } from '../load';
import { sampleBody } from './delivery-backlog';

/** The dispatcher's own concurrency during such a backlog. */
const CLIENTS = 64;

/** The dispatcher's HTTP client alone: no schedule, no secrets, no database. */
export class BareSender {
  private readonly egress: Egress;

  constructor(
    private readonly urls: string[],
    authority: string,
  ) {
    this.egress = new Egress({ allow: EgressAllowList.parse('127.0.0.0/8'), authority });
  }

  async perSecond(count: number): Promise<number> {
    const begin = performance.now();
    await repeat({
      clients: CLIENTS,
      times: count,
      work: (index) =>
        this.post(this.urls[index % this.urls.length] ?? '', Buffer.from(sampleBody(`evt_bare${index}`))),
    });
    return (count * 1_000) / (performance.now() - begin);
  }

  private async post(url: string, body: Buffer): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    const limits = { timeoutMs: 10_000, maxResponseBytes: 16_384 };
    const { status } = await this.egress.send({ url, method: 'POST', headers, body, ...limits });
    if (status !== 204) throw new Error(`A receiver answered ${status}.`);
  }
}
