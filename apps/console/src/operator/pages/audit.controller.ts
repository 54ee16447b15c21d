import { ApiError } from '@kinora/contracts/shared/errors';
import { isUUID } from 'class-validator';
import { checkEntryCursor, PAGE } from '../../http/query-fields';
import type { AuditEntry } from '../audit/audit-trail';
import { controllerOf, get } from './operator-route';

const DEFAULT_LIMIT = 50;

/** Who did what. The cursor is the id of the last entry. */
export const AuditController = controllerOf('AuditController', {
  list: get(
    'audit',
    { summary: 'List the audit trail', needs: 'view_audit', query: ['account_id', 'user_id', ...PAGE] },
    async ({ audit, query: { cursor, limit = DEFAULT_LIMIT, ...of } }) => {
      checkEntryCursor(cursor);
      for (const [param, value] of Object.entries(of))
        if (!isUUID(value)) throw new ApiError('invalid_query', `${param} must be a UUID.`, { param });
      const rows = await audit.list(of, cursor === undefined ? null : Number(cursor), limit + 1);
      const data: AuditEntry[] = rows
        .slice(0, limit)
        .map((row) => ({ ...row, id: String(row.id), at: row.at.toISOString() }));
      const has_more = rows.length > limit;
      return { data, has_more, next_cursor: has_more ? (data.at(-1)?.id ?? null) : null };
    },
  ),
});
