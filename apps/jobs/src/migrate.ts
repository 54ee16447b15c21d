import { runMigrations } from '@kinora/database';
import { migrations } from './migrations/migrations';

runMigrations('jobs', migrations, process.env);
