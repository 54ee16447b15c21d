import { Injectable } from '@nestjs/common';
import type { Admission, AdmitRequest } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ApiKeyRepository } from '../../api-key/api-key.repository';
import { LastUseRecorder } from '../../api-key/last-use-recorder';
import { hashApiKey } from '../../api-key/minted-api-key';
import { BillingConfig } from '../../billing.config';
import { AdmissionRepository, type AdmissionRow } from '../../rate-limit/admission.repository';
import { toRateDecision } from '../../rate-limit/rate-decision';

/** Finds the account of a key, and takes a token from the key's bucket if requested and available. */
@Injectable()
export class Admit {
  constructor(
    private readonly admissions: AdmissionRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly lastUses: LastUseRecorder,
    private readonly config: BillingConfig,
  ) {}

  async execute({ key_sha256, tokens }: AdmitRequest): Promise<Admission> {
    const hash = hashApiKey(this.config.keyPepper, key_sha256);
    const row =
      (await this.admissions.admit(hash, tokens)) ?? (await this.admitByAcceptedPepper(hash, key_sha256, tokens));
    if (!row) throw new ApiError('invalid_api_key', 'The API key is not valid.');
    this.lastUses.note(row.api_key_id);
    const { account_id, api_key_id, account_status, allowed_models } = row;
    return {
      account_id,
      api_key_id,
      account_status,
      ...(allowed_models && { allowed_models }),
      rate: toRateDecision(row),
    };
  }

  /** During a pepper rotation: admits a key that is hashed with the other pepper, and rehashes it. */
  private async admitByAcceptedPepper(hash: Buffer, keySha256: string, tokens: 0 | 1): Promise<AdmissionRow | null> {
    const { keyPepperAccepted } = this.config;
    if (keyPepperAccepted === '') return null;
    const former = hashApiKey(keyPepperAccepted, keySha256);
    const row = await this.admissions.admit(former, tokens);
    if (row) await this.apiKeys.rehash(row.api_key_id, former, hash);
    return row;
  }
}
