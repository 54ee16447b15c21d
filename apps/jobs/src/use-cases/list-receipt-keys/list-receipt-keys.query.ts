import { Injectable } from '@nestjs/common';
import type { ReceiptKey } from '@kinora/contracts/jobs/receipt';
import { ReceiptKeyRepository } from '../../receipt/receipt-key.repository';
import { ReceiptSigner } from '../../receipt/receipt-signer';

/** The public keys that verify receipts: of all processes, and of all former private keys. */
@Injectable()
export class ListReceiptKeys {
  constructor(
    private readonly signer: ReceiptSigner,
    private readonly keys: ReceiptKeyRepository,
  ) {}

  async execute({ with_withdrawn = false }: { with_withdrawn?: boolean }): Promise<{ keys: ReceiptKey[] }> {
    await this.signer.publish();
    return { keys: await this.keys.list({ withWithdrawn: with_withdrawn }) };
  }
}
