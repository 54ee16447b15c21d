import { Pool } from 'undici';

const CONNECTIONS = 16;
/** Long enough that no job ends during a measurement. */
const DELAY = '[[delay:3000s]]';

/** The measured account, which the abuse must not slow down: it creates small jobs that are all alike. */
export class Creator {
  private readonly pool: Pool;
  private readonly path: string;

  constructor(
    baseUrl: string,
    private readonly apiKey: string,
  ) {
    const { origin, pathname } = new URL(`${baseUrl}/images/generations`);
    this.pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
    this.path = pathname;
  }

  /** @returns the status of the response. */
  async create(): Promise<number> {
    const { statusCode, body } = await this.pool.request({
      method: 'POST',
      path: this.path,
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: `${DELAY} a calm sea at dawn, ${performance.now()}` }),
    });
    await body.dump();
    return statusCode;
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
