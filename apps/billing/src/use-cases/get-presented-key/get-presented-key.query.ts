import { Injectable } from '@nestjs/common';
import type { PresentedKey, PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import { KeyProof } from '../../api-key/key-proof';

/** Tells the owner of a key's secret what the key may do and until when. */
@Injectable()
export class GetPresentedKey {
  constructor(private readonly proof: KeyProof) {}

  execute(request: PresentedKeyRequest): Promise<PresentedKey> {
    return this.proof.getKey(request);
  }
}
