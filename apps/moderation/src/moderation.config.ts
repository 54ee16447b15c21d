import { IsNotEmpty, IsString } from 'class-validator';
import { DatabaseServiceConfig, Setting } from '@kinora/service-kit';

export class ModerationConfig extends DatabaseServiceConfig {
  @Setting({
    env: 'KINORA_CONFIG_DIR',
    description: "Folder of the operator's files; moderation.yaml in it adds terms to the lexicon. Empty means none.",
  })
  @IsString()
  configDir = '';

  @Setting({
    env: 'KINORA_OBJECT_STORE_DIR',
    description: 'Folder of inputs and outputs, shared with the gateway and jobs.',
  })
  @IsString()
  @IsNotEmpty()
  objectStoreDir!: string;
}
