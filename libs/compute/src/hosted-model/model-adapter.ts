import type { Egress } from '@kinora/egress';
import type { FetchOutput, SeededOutputs, TaskFacts } from '../compute-provider.port';
import { InstanceAdapter } from '../http/instance-adapter';
import type { InstanceSettings } from '../provider-type';
import { SUPPORTED_BY_MODEL_TEMPLATE } from './find-unsupported-task';
import type { ModelTemplates } from './model-templates';
import { outputFetcher } from './task-parts';

/** The part that the adapters of hosted models share: tasks become inputs by the templates of the operator. */
export abstract class ModelAdapter extends InstanceAdapter {
  readonly provenance = 'trainedAlgorithmicMedia';
  readonly supports = SUPPORTED_BY_MODEL_TEMPLATE;
  readonly templateNames: ReadonlySet<string>;
  protected readonly fetchOutput: (text: string) => FetchOutput;

  constructor(
    instance: InstanceSettings,
    egress: Egress,
    protected readonly templates: ModelTemplates,
  ) {
    super(instance, egress);
    this.templateNames = templates.names;
    this.fetchOutput = outputFetcher(this.connection);
  }

  findUnsupported(task: TaskFacts): string | null {
    return this.templates.findUnsupported(task);
  }

  /** One seed draws the whole batch. */
  seededOutputs(): SeededOutputs {
    return 'first';
  }
}
