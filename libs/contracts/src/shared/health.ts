import { type RpcContract, rpc } from './contract';

/** One thing that a context needs, as its readiness probe found it. */
export interface DependencyHealth {
  /** `broker`, `database`, `migrations`, … */
  name: string;
  /** Why the context cannot work with it; null where it answers. */
  problem: string | null;
}

export interface HealthReport {
  dependencies: DependencyHealth[];
}

/** Every context answers it, so that an operator who reaches the broker alone learns whether each one works. */
export function healthCheck(context: string): RpcContract<Record<string, never>, HealthReport> {
  return rpc(`${context}.v1.check_health`, { timeoutMs: 5_000, errors: ['capacity'] });
}
