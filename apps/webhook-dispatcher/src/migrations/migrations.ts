import type { Migration } from '@kinora/database';
import { CreateDelivery1795165200000 } from './20261120T0900-create-delivery';

export const migrations: Migration[] = [CreateDelivery1795165200000];
