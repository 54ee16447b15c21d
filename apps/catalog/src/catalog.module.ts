import { Module } from '@nestjs/common';
import { DatabaseModule } from '@kinora/database';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Catalog } from './catalog/catalog';
import { loadCatalog } from './catalog/load-catalog';
import { CatalogConfig } from './catalog.config';
import { CatalogController, HealthController } from './catalog.controller';
import { migrations } from './migrations/migrations';
import { ModelSwitchEntity } from './catalog/model-switch.entity';
import { ModelSwitchRepository } from './catalog/model-switch.repository';
import { ModelPrices } from './price/model-prices';
import { PriceChangeRepository } from './price/price-change.repository';
import { ListLoras, ListModels } from './use-cases/list-models.query';
import { ListPrices } from './use-cases/list-prices.query';
import { ResolveModel } from './use-cases/resolve-model.query';
import { SetModelEnabled } from './use-cases/set-model-enabled.use-case';
import { SetPrice } from './use-cases/set-price.use-case';

const DEFINITIONS = [
  {
    provide: Catalog,
    useFactory: ({ configDir }: CatalogConfig) => loadCatalog(configDir),
    inject: [CatalogConfig],
  },
];
const STORAGE = [ModelSwitchRepository, PriceChangeRepository, ModelPrices];
const USE_CASES = [ListModels, ListLoras, ListPrices, ResolveModel, SetModelEnabled, SetPrice];

@Module({
  imports: [DatabaseModule.forContext('catalog', migrations), TypeOrmModule.forFeature([ModelSwitchEntity])],
  controllers: [CatalogController, HealthController],
  providers: [...DEFINITIONS, ...STORAGE, ...USE_CASES],
})
export class CatalogModule {}
