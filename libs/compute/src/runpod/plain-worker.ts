import { SUPPORTED_BY_MODEL_TEMPLATE } from '../hosted-model/find-unsupported-task';
import { collectOutputTexts, MAX_HOSTED_IMAGE_BYTES } from '../hosted-model/task-parts';
import type { ModelTemplates } from '../hosted-model/model-templates';
import { isRecord } from '../http/json-answer';
import { toFailure, type WorkerPayload } from './runpod-job';

/** The first base64 characters of a PNG, JPEG, WebP, MP4 or WebM file. */
const BASE64_OF_A_FILE = /^(iVBORw0KGgo|\/9j\/|UklGR|AAAA..Z0eX|GkXfo)/;
const MAX_DEPTH = 4;

/** Any worker whose input an operator has described part by part, like other hosted models. */
export function plainWorker(templates: ModelTemplates): WorkerPayload {
  return {
    templateNames: templates.names,
    supports: SUPPORTED_BY_MODEL_TEMPLATE,
    findUnsupported: (task) => templates.findUnsupported(task),
    seededOutputs: () => 'first',
    toInput(task) {
      const call = templates.prepare(task, MAX_HOSTED_IMAGE_BYTES);
      return 'kind' in call ? null : call.input;
    },
    readOutput(output) {
      // The error format of workers that catch their exceptions.
      if (isRecord(output) && output['error']) return { failure: toFailure(output['error']) };
      const addresses = collectOutputTexts(output);
      return { files: addresses.length > 0 ? addresses : collectBase64(output) };
    },
  };
}

/** Files without the head of a data URI, the format of most workers: alone, in lists or in objects. */
function collectBase64(output: unknown, depth = 0): string[] {
  if (typeof output === 'string') return BASE64_OF_A_FILE.test(output) ? [output] : [];
  if (typeof output !== 'object' || output === null || depth > MAX_DEPTH) return [];
  return Object.values(output).flatMap((part) => collectBase64(part, depth + 1));
}
