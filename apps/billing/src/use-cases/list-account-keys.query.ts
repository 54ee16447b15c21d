import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { ApiKeyList } from '@kinora/contracts/billing/account-key';
import type { KeySpend, KeySpendList, KeySpendRequest } from '@kinora/contracts/billing/own-money.rpc';
import type { CallerListRequest } from '@kinora/contracts/billing/self-service.rpc';
import { toPage } from '@kinora/bus';
import { KeyProof } from '../api-key/key-proof';
import { KeySpendRepository, type KeySpendRow } from '../api-key/key-spend.repository';
import { ManagedKeyRepository, managerOf, toApiKey } from '../api-key/managed-key.repository';
import { assertInteger } from '../operator/operator-input';
import { invalidCursor, PUBLIC_PAGE_MAX_BYTES } from '../operator/page-place';

/** Lists the keys that the caller manages, newest first, without revoked ones. */
@Injectable()
export class ListAccountKeys {
  constructor(private readonly keys: ManagedKeyRepository) {}

  async execute({ limit, cursor, ...caller }: CallerListRequest): Promise<ApiKeyList> {
    if (cursor !== undefined && !isUuid(cursor)) throw invalidCursor();
    const calling = await this.keys.getCaller(caller);
    const found = await this.keys.listManaged(calling, { cursor: cursor ?? null, limit: limit + 1 });
    const page = { limit, maxBytes: PUBLIC_PAGE_MAX_BYTES, cursorOf: ({ id }: { id: string }) => id };
    return { object: 'list', ...toPage(found.map(toApiKey), page) };
  }
}

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
const MAX_ROWS = 100;
const DAY_MS = 24 * 60 * 60_000;

/** Lists what each key that the presented one manages has spent in the last days. */
@Injectable()
export class ListKeySpend {
  constructor(
    private readonly proof: KeyProof,
    private readonly keys: ManagedKeyRepository,
    private readonly spend: KeySpendRepository,
  ) {}

  async execute({ key_sha256, ...request }: KeySpendRequest, now = new Date()): Promise<KeySpendList> {
    assertInteger(request, 'days', { max: MAX_DAYS });
    const calling = await this.keys.getCaller(await this.proof.getKey({ key_sha256 }));
    const period = lastDays(request.days ?? DEFAULT_DAYS, now);
    const rows = await this.spend.list(calling.account_id, period, managerOf(calling), MAX_ROWS + 1);
    return { ...period, data: rows.slice(0, MAX_ROWS).map(toKeySpend), has_more: rows.length > MAX_ROWS };
  }
}

function lastDays(days: number, now: Date): { from: string; to: string } {
  return { from: dayOf(new Date(now.getTime() - (days - 1) * DAY_MS)), to: dayOf(now) };
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function toKeySpend({ revoked_at, ...row }: KeySpendRow): KeySpend {
  return { ...row, revoked_at: revoked_at?.toISOString() ?? null };
}
