import type { ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';

/** Picks a provider for a job by the weights of the model's routes; `roll` lies in [0, 1). */
export function pickProvider(model: ResolvedModel, roll: number): string {
  const total = model.routes.reduce((sum, { weight }) => sum + weight, 0);
  let rest = roll * total;
  for (const { provider, weight } of model.routes) {
    rest -= weight;
    if (rest < 0) return provider;
  }
  throw new Error(`Model ${model.id} has no route`);
}
