import { Module } from '@nestjs/common';
import { DatabaseModule } from '@kinora/database';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Catalog } from './catalog/catalog';
import { loadCatalog } from './catalog/load-catalog';
import { CatalogConfig } from './catalog.config';
import { CatalogController } from './catalog.controller';
import { HealthController } from './health.controller';
import { migrations } from './migrations/migrations';
import { ModelSwitchEntity } from './model/model-switch.entity';
import { ModelSwitchRepository } from './model/model-switch.repository';
import { ListAliases } from './use-cases/list-aliases/list-aliases.query';
import { ListAllModels } from './use-cases/list-all-models/list-all-models.query';
import { ListLoras } from './use-cases/list-loras/list-loras.query';
import { ListModels } from './use-cases/list-models/list-models.query';
import { ResolveModel } from './use-cases/resolve-model/resolve-model.query';
import { SetModelEnabled } from './use-cases/set-model-enabled/set-model-enabled.use-case';

const DEFINITIONS = [
  {
    provide: Catalog,
    useFactory: ({ configDir }: CatalogConfig) => loadCatalog(configDir),
    inject: [CatalogConfig],
  },
];
const STORAGE = [ModelSwitchRepository];
const USE_CASES = [ListModels, ListAliases, ListLoras, ResolveModel, ListAllModels, SetModelEnabled];

@Module({
  imports: [DatabaseModule.forContext('catalog', migrations), TypeOrmModule.forFeature([ModelSwitchEntity])],
  controllers: [CatalogController, HealthController],
  providers: [...DEFINITIONS, ...STORAGE, ...USE_CASES],
})
export class CatalogModule {}
