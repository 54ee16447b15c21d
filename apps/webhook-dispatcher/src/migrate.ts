import 'reflect-metadata';
import { runMigrations } from '@kinora/database';
import { migrations } from './migrations/migrations';

runMigrations('webhook-dispatcher', migrations, process.env);
