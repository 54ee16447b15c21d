import { IsString } from 'class-validator';
import { DatabaseServiceConfig, Setting } from '@kinora/service-kit';

export class CatalogConfig extends DatabaseServiceConfig {
  @Setting({
    env: 'KINORA_CONFIG_DIR',
    description: "Folder of the operator's files. Its catalog.yaml extends the built-in catalog. Empty means none.",
  })
  @IsString()
  configDir = '';
}
