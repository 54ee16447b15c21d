import 'reflect-metadata';
import { runMigrations } from '@kinora/database';
import { migrations } from './migrations/migrations';

runMigrations('billing', migrations, process.env);
