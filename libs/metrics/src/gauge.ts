import { Gauge as PrometheusGauge } from 'prom-client';

/**
 * A gauge without a value until it is set and after a reset. The client library's gauge without labels exports 0 then.
 * For some gauges 0 means that all is well, for others it raises an alarm.
 */
export class Gauge<Label extends string = string> extends PrometheusGauge<Label> {
  /** The constructor of the client library's gauge also calls this method. */
  override reset(): void {
    super.reset();
    this.remove({});
  }
}
