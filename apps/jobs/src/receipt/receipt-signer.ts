import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RECEIPT_TYP, type Receipt, type ReceiptKey, type ReceiptPayload } from '@kinora/contracts/jobs/receipt';
import { ApiError } from '@kinora/contracts/shared/errors';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { SigningKey, canonicalJson, signJws } from '@kinora/signatures';
import { JobsConfig } from '../jobs.config';
import { ReceiptKeyRepository } from './receipt.repository';

/**
 * Signs receipts. Only the role api has the private key, because only that role answers requests for receipts. A key is stored
 * before its first signature, so every process of every release publishes it.
 */
@Injectable()
export class ReceiptSigner implements OnApplicationBootstrap {
  private readonly key: SigningKey;
  private readonly nextKey: SigningKey | null;
  private stored: Promise<void> | undefined;

  constructor(
    { receiptKey, receiptKeyNext }: JobsConfig,
    private readonly keys: ReceiptKeyRepository,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.key = new SigningKey(receiptKey);
    this.nextKey = receiptKeyNext === '' ? null : new SigningKey(receiptKeyNext);
  }

  /** Without it, a key that signs nothing yet would be published only by the process that is asked for keys. */
  onApplicationBootstrap(): void {
    this.publish().catch((error: unknown) => this.logger.warn({ reason: String(error) }, 'receipt_keys_not_published'));
  }

  /** Stores the public halves of this process: of the key that signs, and of the one that will. */
  publish(): Promise<void> {
    const own = [this.key, ...(this.nextKey ? [this.nextKey] : [])].map(({ publicJwk }) => publicJwk);
    this.stored ??= this.keys.add(own).catch((error: unknown) => {
      this.stored = undefined;
      throw error;
    });
    return this.stored;
  }

  /** @throws ApiError capacity while the key of this process is withdrawn: its signature would prove nothing. */
  async sign(payload: ReceiptPayload): Promise<Receipt> {
    const { kid } = this.key.publicJwk;
    if ((await this.findStored(kid))?.withdrawn_at !== null) {
      this.logger.error({ kid }, 'receipt_key_withdrawn');
      throw ApiError.unavailable('The signature of receipts');
    }
    const jws = signJws(canonicalJson(payload), RECEIPT_TYP, this.key);
    return { object: 'receipt', job_id: payload.job_id, payload, jws };
  }

  /** A standby that was promoted may have lost the key since this process has stored it. */
  private async findStored(kid: string): Promise<ReceiptKey | null> {
    await this.publish();
    const known = await this.keys.find(kid);
    if (known) return known;
    this.stored = undefined;
    await this.publish();
    return this.keys.find(kid);
  }
}
