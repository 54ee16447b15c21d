import type { Dialect, Work } from './openai-images-settings';
import { toCommonFields, toForm, toImageFields, toVideoFields } from './form-fields';

export const sglangDialect: Dialect = {
  healthPaths: ['/v1/models'],
  stopsVideosBy: 'cancel',

  findUnsupported({ loras }) {
    // A LoRA is a state of the whole server: it would also affect the tasks of other processes.
    return loras.length === 0 ? null : 'SGLang sets LoRAs for all of its requests at once.';
  },

  toWork(task, settings): Work {
    const fields = { ...toCommonFields(task), ...toImageFields(task, settings) };
    if (task.operation === 'video.generation') {
      const form = toForm({ ...fields, ...toVideoFields(task, settings) }, 'input_reference', task.images);
      return { path: '/v1/videos', answersWith: 'video_job', form };
    }
    const image = { ...fields, response_format: 'b64_json' };
    return task.operation === 'image.edit'
      ? { path: '/v1/images/edits', answersWith: 'result', form: toForm(image, 'image', task.images) }
      : { path: '/v1/images/generations', answersWith: 'result', json: image };
  },
};
