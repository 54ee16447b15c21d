/** The result of examining an instance of a compute provider; the examination creates no output. */
export interface ProviderExamination {
  id: string;
  type: string;
  state: 'up' | 'degraded' | 'down';
  version?: string;
  free_slots?: number;
  /** Problems for the operator to fix, in whole sentences; empty if there are none. */
  problems: string[];
}

/** Whether the inputs that an enabled model accepts can run on the instances of its routes. */
export interface ModelExamination {
  id: string;
  /** The instances of its routes. */
  providers: string[];
  problems: string[];
}

export interface ComputeExamination {
  providers: ProviderExamination[];
  models: ModelExamination[];
}
