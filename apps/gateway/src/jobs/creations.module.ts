import { Module } from '@nestjs/common';
import { Egress, EgressAllowList } from '@kinora/egress';
import { GatewayConfig } from '../gateway.config';
import { AdmissionModule } from '../http/admission.module';
import { ImageInput } from '../image-input/image-input.service';
import { OwnFiles } from '../image-input/own-files';
import { CheckFileProvenance } from '../provenance/check-provenance.use-case';
import { CreateImageGeneration } from './create-image-generation.use-case';
import { CreateWithImages } from './create-with-images.use-case';
import { JobCreations } from './job-creations';

const egressAllow = {
  provide: EgressAllowList,
  useFactory: (config: GatewayConfig) => EgressAllowList.parse(config.egressAllow),
  inject: [GatewayConfig],
};
const egress = {
  provide: Egress,
  useFactory: (allow: EgressAllowList) => new Egress({ allow }),
  inject: [EgressAllowList],
};
const useCases = [CreateImageGeneration, CreateWithImages, CheckFileProvenance];

@Module({
  imports: [AdmissionModule],
  providers: [...useCases, JobCreations, ImageInput, OwnFiles, egress, egressAllow],
  exports: [...useCases, EgressAllowList],
})
export class CreationsModule {}
