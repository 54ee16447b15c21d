import { Pool } from 'undici';

const CONNECTIONS = 16;
/** Long enough that no job ends by itself while anything is measured. */
const DELAY = '[[delay:3000s]]';

/** The account that must not notice anything: it creates small jobs, one like the other. */
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

  /** @returns the status of the answer. */
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
