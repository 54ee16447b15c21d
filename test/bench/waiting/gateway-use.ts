import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '../../../deploy/local/stack-file';
import { residentMemoryMb } from '../idle-memory';
import { cpuMsByName } from '../process-cpu';

const POLL_MS = 100;
const GIVE_UP_AFTER_MS = 120_000;

export class GatewayUse {
  constructor(private readonly stack: Stack) {}

  /** Waits until the gateway reports as many. */
  async whenHeld(metric: 'waiting_requests' | 'event_streams', count: number): Promise<void> {
    const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
    for (let held = -1; held !== count; await pause(POLL_MS)) {
      held = await this.read(`kinora_http_${metric}`);
      if (performance.now() > giveUpAt) throw new Error(`The gateway holds ${held} ${metric} instead of ${count}.`);
    }
  }

  async memoryMb(): Promise<number> {
    return (await residentMemoryMb(this.gateway.pid)) ?? Number.NaN;
  }

  /** The part of a core that the gateway uses for so long. */
  async coresFor(ms: number): Promise<number> {
    const [before, beganAt] = [await this.cpuMs(), performance.now()];
    await pause(ms);
    return ((await this.cpuMs()) - before) / (performance.now() - beganAt);
  }

  private get gateway(): Stack['processes'][string] {
    const { gateway } = this.stack.processes;
    if (!gateway) throw new Error('The stack has no gateway.');
    return gateway;
  }

  private async cpuMs(): Promise<number> {
    const names = new Map([[this.gateway.pid, 'gateway']]);
    return (await cpuMsByName(this.stack.pid, names)).get('gateway') ?? Number.NaN;
  }

  private async read(metric: string): Promise<number> {
    const { origin } = new URL(this.gateway.health_url);
    const text = await (await fetch(`${origin}/metrics`)).text();
    return Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1]);
  }
}
