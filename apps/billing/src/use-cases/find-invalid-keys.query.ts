import { Injectable } from '@nestjs/common';
import type { FindInvalidKeysRequest } from '@kinora/contracts/billing/billing.rpc';
import { PresentedKeyRepository } from '../api-key/api-key.repository';
import { presentedHashes } from '../api-key/minted-api-key';
import { BillingConfig } from '../billing.config';

/** Checks many keys with one statement, so that the gateways can end what is open under a key that has ended. */
@Injectable()
export class FindInvalidKeys {
  constructor(
    private readonly keys: PresentedKeyRepository,
    private readonly config: BillingConfig,
  ) {}

  async execute({ key_sha256s }: FindInvalidKeysRequest): Promise<{ key_sha256s: string[] }> {
    const keys = key_sha256s.map((key_sha256) => ({ key_sha256, hashes: presentedHashes(this.config, key_sha256) }));
    const valid = await this.keys.listValid(keys.flatMap(({ hashes }) => hashes));
    const validHex = new Set(valid.map((hash) => hash.toString('hex')));
    const invalid = keys.filter(({ hashes }) => !hashes.some((hash) => validHex.has(hash.toString('hex'))));
    return { key_sha256s: invalid.map(({ key_sha256 }) => key_sha256) };
  }
}
