import type { Migration } from '@kinora/database';
import { CreateJobs1795165200000 } from './20261120T0900-create-jobs';

export const migrations: Migration[] = [CreateJobs1795165200000];
