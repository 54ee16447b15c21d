import { Injectable } from '@nestjs/common';
import { toPage } from '@kinora/bus';
import type { ApiKeyList } from '@kinora/contracts/billing/account-key';
import type { CallerListRequest } from '@kinora/contracts/billing/self-service.rpc';
import { validate as isUuid } from 'uuid';
import { ManagedKeyRepository, toApiKey } from '../../api-key/managed-key.repository';
import { PUBLIC_PAGE_MAX_BYTES, invalidCursor } from '../../operator/page-place';

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
