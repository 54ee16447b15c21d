/**
 * What is wrong with the address of a LoRA, for the client that gave it. More detail would let clients probe hosts (decisions:
 * LoRAs).
 */
export type LoraFault = 'unreachable' | 'refused' | 'blocked address' | 'too large' | 'no safetensors file' | 'cut off';

/** Why a LoRA is not available. The text names only the class of the problem: no address, and no text of a foreign server. */
export class LoraProblem extends Error {
  constructor(
    reason: string,
    /** Whether a retry cannot help. */
    readonly isFinal: boolean,
    /** Null if the address is not the cause. */
    readonly fault: LoraFault | null,
    /** The client's field that names the address; null for an address of the operator. */
    private readonly field: string | null = null,
  ) {
    super(reason);
    this.name = 'LoraProblem';
  }

  /** The same problem with the field that names the address. */
  in(field: string | null): LoraProblem {
    return new LoraProblem(this.message, this.isFinal, this.fault, field);
  }

  /** What the client can correct; null if the client cannot. */
  get forClient(): string | null {
    return this.field === null || this.fault === null ? null : `${this.field}: ${this.fault}`;
  }
}
