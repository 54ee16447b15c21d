/** Which model each instance was last given, as far as this process knows: it is the one that is loaded there. */
export class WarmModels {
  private readonly lastByInstance = new Map<string, string>();

  isWarm(instance: string, model: string): boolean {
    return this.lastByInstance.get(instance) === model;
  }

  load(instance: string, model: string): void {
    this.lastByInstance.set(instance, model);
  }
}
