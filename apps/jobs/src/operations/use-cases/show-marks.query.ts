import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { catalogAdminRpc, type ModelDetails } from '@kinora/contracts/catalog/catalog.rpc';
import type { ComplianceLine } from '@kinora/contracts/moderation/compliance.rpc';
import { JobsConfig } from '../../jobs.config';

/** Shows operators what marks outputs besides their signatures. */
@Injectable()
export class ShowMarks {
  constructor(
    private readonly bus: Bus,
    private readonly config: JobsConfig,
  ) {}

  async execute(): Promise<{ lines: ComplianceLine[] }> {
    const { data } = await this.bus.request(catalogAdminRpc.listAllModels, {});
    return { lines: [this.timeStamps(), this.watermarks(data.filter(({ enabled }) => enabled))] };
  }

  private timeStamps(): ComplianceLine {
    const { tsaUrl, timeStamps } = this.config.credentials;
    return {
      subject: 'Time stamps',
      state: tsaUrl === '' ? 'none: KINORA_C2PA_TSA_URL is not set' : `from ${new URL(tsaUrl).host}, ${timeStamps}`,
      is_set: tsaUrl !== '',
      purpose: 'A time that a third party certifies keeps a signature valid after its certificate has expired.',
    };
  }

  private watermarks(models: ModelDetails[]): ComplianceLine {
    const { markerUrl: url, markerFails: fails } = this.config;
    const routes = models.flatMap(({ model, routes: of }) => of.map((route) => ({ ...route, model: model.id })));
    const marks = routes.map(({ model, provider, marker, upstream_mark: upstream }) => {
      const ours = marker === 'http' ? `the marker, fails ${fails}${url === '' ? ', not set' : ''}` : null;
      const found = [ours, upstream && `${upstream} of the backend`].filter(Boolean);
      return { found, text: `${model} at ${provider}: ${found.join(' and ') || 'none'}` };
    });
    const isMarkerMissing = url === '' && routes.some(({ marker }) => marker === 'http');
    return {
      subject: 'Watermarks',
      state: marks.map(({ text }) => text).join('; ') || 'no model is enabled',
      is_set: marks.length > 0 && marks.every(({ found }) => found.length > 0) && !isMarkerMissing,
      purpose: 'A mark in the pixels survives the loss of the metadata.',
    };
  }
}
