import 'reflect-metadata';
import { runMigrations } from '@kinora/database';
import { migrations } from './migrations/migrations';

runMigrations('console', migrations, process.env);
