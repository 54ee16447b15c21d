import { Module } from '@nestjs/common';
import { Egress, EgressAllowList } from '@kinora/egress';
import { GatewayConfig } from '../gateway.config';
import { AdmissionModule } from '../http/admission.module';
import { ImageInput } from '../image-input/image-input.service';
import { OwnFiles } from '../image-input/own-files';
import { CreateImageEdit } from './create-image-edit.use-case';
import { CreateImageGeneration } from './create-image-generation.use-case';
import { CreateVideoGeneration } from './create-video-generation.use-case';
import { JobCreations } from './job-creations';
import { JobsWithImages } from './jobs-with-images';

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
const useCases = [CreateImageGeneration, CreateImageEdit, CreateVideoGeneration];

/** Creates jobs from bodies, and reads the images in them. */
@Module({
  imports: [AdmissionModule],
  providers: [...useCases, JobCreations, JobsWithImages, ImageInput, OwnFiles, egress, egressAllow],
  exports: [...useCases, EgressAllowList],
})
export class CreationsModule {}
