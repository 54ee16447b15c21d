/** Why a LoRA is not available. The text names only the class of the problem: no address, and no text of a foreign server. */
export class LoraProblem extends Error {
  constructor(
    reason: string,
    /** Whether a retry cannot help. */
    readonly isFinal: boolean,
  ) {
    super(reason);
    this.name = 'LoraProblem';
  }
}
