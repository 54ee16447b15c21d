import 'reflect-metadata';
import { runService } from '@kinora/service-kit';
import { CatalogConfig } from './catalog.config';
import { CatalogModule } from './catalog.module';

void runService({ name: 'catalog', config: CatalogConfig, module: CatalogModule });
