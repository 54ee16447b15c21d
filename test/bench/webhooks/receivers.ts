import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { waitUntil } from '../../../deploy/local/wait-until';
import { forkProgram } from '../fork-program';
import type { Arrival, FarmArrivals, FarmPorts } from './receiver-farm';

export const AUTHORITY_FILE = path.resolve('libs/testing/src/receiver-certificate/authority.pem');

/** Settings that let a stack reach the receivers and trust their certificates. */
export const RECEIVERS_ENVIRONMENT = { KINORA_EGRESS_ALLOW: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: AUTHORITY_FILE };

/**
 * Webhook receivers, each on a port of its own, in a process of their own: the dispatcher's figures must not include their
 * work.
 */
export class Receivers {
  private constructor(
    private readonly farm: ChildProcess,
    readonly urls: string[],
    readonly hangingUrls: string[],
  ) {}

  static async start({ healthy, hanging }: { healthy: number; hanging: number }): Promise<Receivers> {
    const file = path.join(__dirname, 'receiver-farm.js');
    const { program, received } = await forkProgram<FarmPorts>(file, [String(healthy), String(hanging)]);
    const toUrl = (port: number): string => `https://127.0.0.1:${port}/hook`;
    return new Receivers(program, received.ports.map(toUrl), received.hangingPorts.map(toUrl));
  }

  /** The arrivals since the last call. */
  async take(): Promise<Arrival[]> {
    const answer = once(this.farm, 'message') as Promise<[FarmArrivals]>;
    this.farm.send('take');
    const [{ arrivals }] = await answer;
    return arrivals;
  }

  /** The arrivals until a given number, or until the time is over. */
  async takeUntil(count: number, { timeoutMs }: { timeoutMs: number }): Promise<Arrival[]> {
    const arrivals: Arrival[] = [];
    const haveArrived = async (): Promise<boolean> => arrivals.push(...(await this.take())) >= count;
    await waitUntil(haveArrived, { timeoutMs });
    return arrivals;
  }

  close(): void {
    this.farm.disconnect();
  }
}
