import type { ConformanceHarness } from '../conformance/conformance-harness.fixtures';
import { describeConformance } from '../conformance/describe-conformance.fixtures';
import { providerServices } from '../conformance/provider-services.fixtures';
import { FakeOpenAiServer } from './fake-openai-server.fixtures';
import { type DialectName, OpenAiImagesSettings } from './openai-images-settings';
import { openAiImagesType } from './openai-images-type';

const VIDEO_WORDS: ConformanceHarness['statusWords'] = {
  queued: 'queued',
  in_progress: 'running',
  completed: 'succeeded',
  failed: 'failed',
};

const NO_CALLBACKS = {
  callback_forged: 'None of these servers calls back.',
  callback_repeated: 'None of these servers calls back.',
};
const IS_OPEN = 'The open request is all that there is of a picture: nobody can look at it.';
const NOT_TOLD = 'The protocol has no word for it.';

/** Why pictures, which come with the answer, cannot get into a scenario. */
const NOT_WITH_THE_ANSWER: ConformanceHarness['cannot'] = {
  ...NO_CALLBACKS,
  sent_twice: 'No request has an id of ours, so a second one is a second picture.',
  accepted_with_errors: NOT_TOLD,
  waiting_and_running: IS_OPEN,
  restarted: IS_OPEN,
  status_words: IS_OPEN,
  unknown_status_word: IS_OPEN,
  blank_status: IS_OPEN,
  answers_in_html: IS_OPEN,
  silent: IS_OPEN,
  interrupted: IS_OPEN,
  only_what_was_asked: IS_OPEN,
  many_tasks: IS_OPEN,
  result_is_error: NOT_TOLD,
  expired: 'The picture is in the answer itself.',
  previews: NOT_TOLD,
  cancel_waiting: IS_OPEN,
  cancel_running: IS_OPEN,
  cancel_ignored: IS_OPEN,
  cancel_twice: IS_OPEN,
};

/** Why videos, which are looked at later, cannot get into a scenario. */
const NOT_LATER: ConformanceHarness['cannot'] = {
  ...NO_CALLBACKS,
  sent_twice: 'No request has an id of ours, so a second one is a second video.',
  accepted_with_errors: NOT_TOLD,
  aborted_at_work: 'The work goes on when the request is over.',
  result_is_error: NOT_TOLD,
  previews: NOT_TOLD,
};

function harnessOf(
  dialect: DialectName,
  parts: Pick<ConformanceHarness, 'cannot'> & Partial<ConformanceHarness>,
): ConformanceHarness {
  return {
    start: async (headers) => {
      const backend = await FakeOpenAiServer.start(dialect);
      const settings = Object.assign(new OpenAiImagesSettings(), { dialect });
      const instance = { id: 'gpu-a', url: backend.url, headers, concurrency: 4 };
      return { backend, provider: openAiImagesType.create(instance, settings, providerServices()) };
    },
    statusWords: VIDEO_WORDS,
    requestsFor500: 500,
    ...parts,
  };
}

describeConformance('vLLM-Omni, pictures', harnessOf('vllm-omni', { cannot: NOT_WITH_THE_ANSWER }));
describeConformance('SGLang, pictures', harnessOf('sglang', { cannot: NOT_WITH_THE_ANSWER }));
describeConformance(
  'LocalAI',
  harnessOf('localai', {
    cannot: {
      ...NOT_WITH_THE_ANSWER,
      age_safety_terms: 'The negative prompt is rewritten for it; see the spec of its dialect.',
    },
  }),
);

describeConformance(
  'vLLM-Omni, videos',
  harnessOf('vllm-omni', {
    operation: 'video.generation',
    cannot: {
      ...NOT_LATER,
      interrupted: NOT_TOLD,
      cancel_ignored: 'A cancel deletes the record, whatever the engine does then.',
    },
  }),
);
describeConformance(
  'SGLang, videos',
  harnessOf('sglang', {
    operation: 'video.generation',
    statusWords: { ...VIDEO_WORDS, cancelling: 'running', cancelled: 'canceled' },
    cannot: NOT_LATER,
  }),
);
