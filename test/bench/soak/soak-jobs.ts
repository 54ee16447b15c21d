import type { Stack } from '../../../deploy/local/stack-file';
import { createBusyAccounts } from '../busy-accounts';
import { KinoraClient } from '../kinora-client';
import { SMALL_MODEL } from '../bench-catalog';

const ACCOUNTS = 32;
const CONNECTIONS = 128;
/** Every tenth job draws an image, which is screened, stored and charged; the others fail at once and are refunded. */
const DRAWN_OF = 10;
const FAILING = '[[fail:error]]';

/** Jobs that pass through all steps within moments, up to their webhook. */
export class SoakJobs {
  accepted = 0;
  private begun = 0;

  private constructor(
    private readonly client: KinoraClient,
    private readonly webhookUrls: string[],
  ) {}

  static async open({ base_url, nats_url }: Stack, webhookUrls: string[]): Promise<SoakJobs> {
    const apiKeys = await createBusyAccounts(nats_url, ACCOUNTS);
    return new SoakJobs(new KinoraClient(base_url, apiKeys, CONNECTIONS), webhookUrls);
  }

  async create(): Promise<void> {
    const number = this.begun++;
    const directive = number % DRAWN_OF === 0 ? '' : FAILING;
    const prompt = `${directive} a calm sea at dawn, number ${number}`;
    const webhook_url = this.webhookUrls[number % this.webhookUrls.length];
    await this.client.create({ model: SMALL_MODEL, prompt, webhook_url });
    this.accepted += 1;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
