import { Controller, Get, Query } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { isUUID } from 'class-validator';
import { type ListQuery, entryCursorOf, limitOf, textsOf, toPage } from './query-fields';
import { Requires } from '../users/permissions';
import { type AuditRow, AuditTrail } from '../audit/audit-trail';

type AuditEntry = Omit<AuditRow, 'id' | 'at'> & { id: string; at: string };

const DEFAULT_LIMIT = 50;

/** Who did what. */
@Controller('admin/v1/operator/audit')
export class AuditController {
  constructor(private readonly audit: AuditTrail) {}

  /** The cursor is the id of the last entry. */
  @Get()
  @Requires('view_audit')
  async list(
    @Query() query: ListQuery,
  ): Promise<{ data: AuditEntry[]; has_more: boolean; next_cursor: string | null }> {
    const [of, cursor] = [textsOf(query, 'account_id', 'user_id'), entryCursorOf(query)];
    for (const [param, value] of Object.entries(of))
      if (!isUUID(value)) throw new ApiError('invalid_query', `${param} must be a UUID.`, { param });
    const { limit = DEFAULT_LIMIT } = limitOf(query);
    const rows = await this.audit.list(of, cursor === undefined ? null : Number(cursor), limit + 1);
    const data = rows.slice(0, limit).map((row) => ({ ...row, id: String(row.id), at: row.at.toISOString() }));
    return toPage({
      data,
      has_more: rows.length > limit,
      next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null,
    });
  }
}
