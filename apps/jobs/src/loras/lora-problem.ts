/** Why a LoRA cannot be had. The text names the class of the trouble only: neither an address nor what a stranger said. */
export class LoraProblem extends Error {
  constructor(
    reason: string,
    /** Whether it will still be so at the next try. */
    readonly isFinal: boolean,
  ) {
    super(reason);
    this.name = 'LoraProblem';
  }
}
