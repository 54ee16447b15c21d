import { Gauge as PrometheusGauge } from 'prom-client';

/**
 * A gauge that shows nothing until it is set, and nothing after it was reset. The client's own shows 0 then where it has no
 * labels, which is a value like any other: of some gauges the one that says that all is well, of others the one that alarms.
 */
export class Gauge<Label extends string = string> extends PrometheusGauge<Label> {
  /** The client's own begins with this, too. */
  override reset(): void {
    super.reset();
    this.remove({});
  }
}
