import { type RpcContract, rpc } from './contract';

/** One dependency of a context, with the result of its readiness probe. */
export interface DependencyHealth {
  /** `broker`, `database`, `migrations`, … */
  name: string;
  /** Why the context cannot use it; null if it answers. */
  problem: string | null;
}

export interface HealthReport {
  dependencies: DependencyHealth[];
}

/** Every context answers this request, so that an operator with access to the broker alone can check each of them. */
export function healthCheck(context: string): RpcContract<Record<string, never>, HealthReport> {
  return rpc(`${context}.v1.check_health`);
}
