import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ModelSwitchEntity } from './model-switch.entity';

/** The models that an operator has disabled. Every request reads the table, so a switch takes effect at once. */
@Injectable()
export class ModelSwitchRepository {
  constructor(@InjectRepository(ModelSwitchEntity) private readonly switches: Repository<ModelSwitchEntity>) {}

  async listDisabled(): Promise<Set<string>> {
    const disabled = await this.switches.findBy({ enabled: false });
    return new Set(disabled.map(({ model_id }) => model_id));
  }

  isDisabled(modelId: string): Promise<boolean> {
    return this.switches.existsBy({ model_id: modelId, enabled: false });
  }

  async set(modelId: string, enabled: boolean): Promise<void> {
    await this.switches.upsert({ model_id: modelId, enabled, changed_at: () => 'now()' }, ['model_id']);
  }
}
