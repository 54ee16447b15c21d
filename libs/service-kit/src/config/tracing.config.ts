import { IsInt, IsNumber, IsString, IsUrl, Max, Min, ValidateIf } from 'class-validator';
import { Setting } from './setting.decorator';

const isGiven = (_: TracingConfig, value: unknown): boolean => value !== '';

/** Where traces go, under the names that OpenTelemetry has given these settings everywhere. */
export class TracingConfig {
  @Setting({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description: 'Collector of traces that speaks OTLP over HTTP, without /v1/traces; empty keeps no traces.',
  })
  @ValidateIf(isGiven)
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  endpoint = '';

  @Setting({
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    description: 'Headers for the collector, such as its key: name=value, separated by commas.',
    secret: true,
  })
  @IsString()
  headers = '';

  @Setting({
    env: 'OTEL_TRACES_SAMPLER_ARG',
    description:
      'Share of the traces that is kept, from 0 to 1; a request that comes with a trace is kept if its sender keeps it.',
  })
  @IsNumber()
  @Min(0)
  @Max(1)
  ratio = 1;

  @Setting({
    env: 'OTEL_BSP_SCHEDULE_DELAY',
    description: 'Milliseconds after which spans are sent to the collector, together.',
  })
  @IsInt()
  @Min(10)
  @Max(60_000)
  exportEveryMs = 5_000;
}
