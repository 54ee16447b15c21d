/** What a look at an instance of a compute provider has shown; nothing was made for it. */
export interface ProviderExamination {
  id: string;
  type: string;
  state: 'up' | 'degraded' | 'down';
  version?: string;
  free_slots?: number;
  /** What an operator should mend, in whole sentences; empty where all is well. */
  problems: string[];
}

/** Whether what an enabled model takes can be run where its routes lead. */
export interface ModelExamination {
  id: string;
  /** The instances that its routes name. */
  providers: string[];
  problems: string[];
}

export interface ComputeExamination {
  providers: ProviderExamination[];
  models: ModelExamination[];
}
