import { IsInt, IsNumber, IsString, IsUrl, Max, Min, ValidateIf } from 'class-validator';
import { Setting } from './setting.decorator';

const isGiven = (_: TracingConfig, value: unknown): boolean => value !== '';

/** Export of traces, under the environment variables that OpenTelemetry defines. */
export class TracingConfig {
  @Setting({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description: 'OTLP/HTTP collector of traces, without /v1/traces; empty disables tracing.',
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
      'Share of the traces that is kept, from 0 to 1; for a request with a trace context, the sampling decision of its sender applies.',
  })
  @IsNumber()
  @Min(0)
  @Max(1)
  ratio = 1;

  @Setting({
    env: 'OTEL_BSP_SCHEDULE_DELAY',
    description: 'Milliseconds between two exports of spans to the collector.',
  })
  @IsInt()
  @Min(10)
  @Max(60_000)
  exportEveryMs = 5_000;
}
