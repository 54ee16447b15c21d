import { type Graph, type InputValue, isLink, pruneTo } from '../graph';
import { type InputRule, NODE_CLASSES } from './node-classes.fixtures';

/** The files on the server's disk. */
export interface Disk {
  hasModel(folder: string, file: string): boolean;
  hasUpload(name: string): boolean;
}

interface InputError {
  type: string;
  message: string;
  details: string;
  extra_info: object;
}

type NodeErrors = Record<string, { errors: InputError[]; dependent_outputs: string[]; class_type: string }>;

export interface Validation {
  /** Null where at least one output can run. */
  error: { type: string; message: string; details: string; extra_info: object } | null;
  nodeErrors: NodeErrors;
  /** The output nodes that can run. */
  outputs: string[];
}

/** The server's validation errors of a graph before it is queued, in the wording of its version. */
export function validatePrompt(graph: Graph, version: string, disk: Disk): Validation {
  const unknown = Object.entries(graph).find(([, { class_type: name }]) => !NODE_CLASSES[name]);
  if (unknown) return refusal(unknownClass(unknown[0], unknown[1].class_type, version));
  const outputs = Object.keys(graph).filter((id) => NODE_CLASSES[graph[id]?.class_type ?? '']?.isOutput);
  if (outputs.length === 0)
    return refusal({ type: 'prompt_no_outputs', message: 'Prompt has no outputs', details: '' });
  const nodeErrors: NodeErrors = {};
  for (const output of outputs)
    for (const [id, { class_type: name, inputs }] of Object.entries(pruneTo(output, graph))) {
      const errors = Object.entries(NODE_CLASSES[name]?.inputs ?? {}).flatMap(([input, rule]) =>
        findErrors(input, inputs[input], rule, disk),
      );
      if (errors.length > 0)
        (nodeErrors[id] ??= { errors, dependent_outputs: [], class_type: name }).dependent_outputs.push(output);
    }
  const dropped = new Set(Object.values(nodeErrors).flatMap(({ dependent_outputs: ids }) => ids));
  const good = outputs.filter((id) => !dropped.has(id));
  if (good.length > 0) return { error: null, nodeErrors, outputs: good };
  const failed = { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation', details: '' };
  return { ...refusal(failed), nodeErrors };
}

function refusal(error: { type: string; message: string; details: string; extra_info?: object }): Validation {
  return { error: { extra_info: {}, ...error }, nodeErrors: {}, outputs: [] };
}

function unknownClass(id: string, name: string, version: string): Parameters<typeof refusal>[0] {
  const details = `Node ID '#${id}'`;
  if (version.startsWith('0.3.'))
    return { type: 'invalid_prompt', message: `Cannot execute because node ${name} does not exist.`, details };
  const message = `Node '${name}' not found. The custom node may not be installed.`;
  return {
    type: 'missing_node_type',
    message,
    details,
    extra_info: { node_id: id, class_type: name, node_title: name },
  };
}

function findErrors(input: string, value: InputValue | undefined, rule: InputRule, disk: Disk): InputError[] {
  if (value === undefined) {
    if (rule.kind === 'optional_link') return [];
    return [error('required_input_missing', 'Required input is missing', input, { input_name: input })];
  }
  if (isLink(value) || rule.kind === 'link' || rule.kind === 'optional_link' || rule.kind === 'text') return [];
  if (rule.kind === 'number') return findNumberErrors(input, Number(value), rule);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (rule.kind === 'upload') {
    if (disk.hasUpload(text)) return [];
    const details = `${input} - Invalid image file: ${text}`;
    return [error('custom_validation_failed', 'Custom validation failed for node', details, { input_name: input })];
  }
  const isThere = rule.kind === 'model' ? disk.hasModel(rule.folder, text) : rule.options.includes(text);
  if (isThere) return [];
  const options = rule.kind === 'model' ? [] : rule.options;
  return [
    error(
      'value_not_in_list',
      'Value not in list',
      `${input}: '${text}' not in [${options.map((one) => `'${one}'`).join(', ')}]`,
      {
        input_name: input,
        input_config: [options, {}],
        received_value: value,
      },
    ),
  ];
}

function findNumberErrors(
  input: string,
  value: number,
  { type, min, max }: Extract<InputRule, { kind: 'number' }>,
): InputError[] {
  const extra = { input_name: input, input_config: [type, { default: min, min, max, step: 1 }], received_value: value };
  if (value > max) return [error('value_bigger_than_max', `Value ${value} bigger than max of ${max}`, input, extra)];
  if (value < min) return [error('value_smaller_than_min', `Value ${value} smaller than min of ${min}`, input, extra)];
  return [];
}

function error(type: string, message: string, details: string, extra: object): InputError {
  return { type, message, details, extra_info: extra };
}
