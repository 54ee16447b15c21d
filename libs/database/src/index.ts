export { type RowOf, columnsOf, literal, literalRange } from './column-list';
export { type Entities, type Migration, createDataSource } from './data-source';
export { Database, type Queryable, type QueryResultRow, Transaction } from './database';
export { violatedConstraint } from './database-error';
export { DatabaseModule } from './database.module';
export { GaugeSampler, type Reading } from './gauge-sampler';
export { InboxEntity, INBOX_PRUNE_PAGE, enterInbox, pruneInbox } from './inbox';
export { migrate } from './migrate';
export { appendToOutbox, OutboxEntity } from './outbox/outbox';
export { OutboxModule } from './outbox/outbox.module';
export { OutboxRelay } from './outbox/outbox-relay';
export { firstIdOf, monthAfter, timeOfId } from './month';
export {
  ALL_MONTHS,
  STORED_WITHIN_DAYS,
  type GivenMonths,
  type Months,
  daysAfter,
  inGivenMonths,
  inMonthsOfIds,
  inOpenMonths,
  monthsOfRows,
  withinMonths,
} from './month-bounds';
export { PartitionLeaseEntity } from './partitions/partition-lease';
export { FollowingTable, OPEN_DAYS, OpenMonths } from './partitions/open-months';
export { PartitionMaintenance, type PartitionedTableParts } from './partitions/partition-maintenance';
export { type NewPartition, type PartitionRow, beginningOf, boundsOf, endOf } from './partitions/partition-plan';
export { PartitionedTable } from './partitions/partitioned-table';
export { provision, roleOf, schemaOf } from './provision';
export { Replica } from './replica';
export { runMigrations } from './run-migrations';
export { BatchedStatement } from './batched-statement';
export { MAY_BE_STALE, type Statement, labelOf, statement } from './statement';
