import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Admission, AdmitRequest, ReturnLeaseRequest } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ApiKeyRepository } from '../api-key/api-key.repository';
import { LastUseRecorder } from '../api-key/last-use-recorder';
import { hashApiKey } from '../api-key/minted-api-key';
import { BillingConfig } from '../billing.config';
import { AdmissionRepository, type AdmissionRow } from '../rate-limit/admission.repository';
import { LeaseRecall, LeaseRepository } from '../rate-limit/leases';
import { type TokenRequest, toRateDecision } from '../rate-limit/rate-bucket';

/** The part of a lease in which the gateway no longer spends tokens, so that what it returns arrives before the lease ends. */
const RETURN_MS = 100;
/** How long a request without a token waits for recalled leases. A gateway that is gone or slow returns nothing in this time. */
const RECALL_MS = 100;
const RETRY_MS = 5;

/** Finds the account of a key, and takes a token from the key's bucket if requested and available. */
@Injectable()
export class Admit {
  constructor(
    private readonly admissions: AdmissionRepository,
    private readonly leaseRecall: LeaseRecall,
    private readonly apiKeys: ApiKeyRepository,
    private readonly lastUses: LastUseRecorder,
    private readonly config: BillingConfig,
  ) {}

  async execute({ key_sha256, tokens, lease_tokens: leaseTokens = 0 }: AdmitRequest): Promise<Admission> {
    const hash = hashApiKey(this.config.keyPepper, key_sha256);
    const row =
      (await this.take({ hash, tokens, leaseTokens })) ??
      (await this.admitByAcceptedPepper(hash, key_sha256, tokens)) ??
      (await this.admitByFormerSecret(hash, key_sha256, tokens));
    if (!row) throw new ApiError('invalid_api_key', 'The API key is not valid.');
    this.lastUses.note(row.api_key_id);
    const { account_id, api_key_id, account_status, scope, allowed_models, price_group } = row;
    return {
      account_id,
      api_key_id,
      account_status,
      scope,
      ...(allowed_models && { allowed_models }),
      ...(price_group !== null && { price_group }),
      rate: toRateDecision(row),
      ...toLease(row),
    };
  }

  /** Before an empty bucket refuses, the gateways return what they have leased of it: the next statement finds those tokens. */
  private async take(request: TokenRequest): Promise<AdmissionRow | null> {
    let row = await this.admissions.admit(request);
    if (row && mayStillGet(row)) this.leaseRecall.signal(row.account_id);
    const endsAtMs = performance.now() + RECALL_MS;
    while (row && mayStillGet(row) && performance.now() < endsAtMs) {
      await delay(RETRY_MS);
      row = await this.admissions.admit({ ...request, leaseTokens: 0 });
    }
    return row;
  }

  /** During a pepper rotation: admits a key that is hashed with the other pepper, and rehashes it. */
  private async admitByAcceptedPepper(hash: Buffer, keySha256: string, tokens: 0 | 1): Promise<AdmissionRow | null> {
    const { keyPepperAccepted } = this.config;
    if (keyPepperAccepted === '') return null;
    const former = hashApiKey(keyPepperAccepted, keySha256);
    const row = await this.take({ hash: former, tokens, leaseTokens: 0 });
    if (row) await this.apiKeys.rehash(row.api_key_id, former, hash);
    return row;
  }

  /** After a rotation with an overlap. Without a lease, which could outlive the overlap. */
  private async admitByFormerSecret(hash: Buffer, keySha256: string, tokens: 0 | 1): Promise<AdmissionRow | null> {
    const { keyPepperAccepted } = this.config;
    const former = keyPepperAccepted === '' ? [hash] : [hash, hashApiKey(keyPepperAccepted, keySha256)];
    const current = await this.apiKeys.findByFormerHash(former);
    return current && (await this.take({ hash: current, tokens, leaseTokens: 0 }));
  }
}

function mayStillGet({ allowed, may_return }: AdmissionRow): boolean {
  return !allowed && may_return;
}

/** A key that expires within `RETURN_MS` is not leased. */
function toLease({ leased, token_micros, full_in_micros, lease_ms }: AdmissionRow): Pick<Admission, 'lease'> {
  const duration_ms = lease_ms - RETURN_MS;
  if (leased === 0 || duration_ms <= 0) return {};
  return { lease: { tokens: leased, token_micros, missing_micros: full_in_micros, duration_ms } };
}

/** Ends a lease of a gateway: the bucket gets the unused tokens back, as if they had never been taken. */
@Injectable()
export class ReturnLease {
  constructor(private readonly leases: LeaseRepository) {}

  async execute(request: ReturnLeaseRequest): Promise<Record<string, never>> {
    await this.leases.giveBack(request);
    return {};
  }
}
