// Entry point for migrations and for the launcher of a local stack. Loading TypeORM and Nest would take most of a start.
export { BaselineMigration, SchemaTooOld } from './baseline';
export { buildIndex } from './build-index';
export type { Migration } from './data-source';
export { migrate } from './migrate';
export { firstIdOf, monthAfter } from './month';
export {
  type RangedTable,
  boundFirstPartition,
  joinPartitions,
  partitionByRange,
  unboundFirstPartition,
  validateFirstPartition,
} from './partitions/partition-online';
export { provisionAll } from './provision';
