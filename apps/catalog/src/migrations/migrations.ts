import type { Migration } from '@kinora/database';
import { CreateModelSwitch1795165200000 } from './20261120T0900-create-model-switch';

export const migrations: Migration[] = [CreateModelSwitch1795165200000];
