// Tools with which a language model can make images: each call is bounded in money and in time.
//   KINORA_BASE_URL=… KINORA_API_KEY=… node agent.mjs
import { JobFailedError, JobPendingError, Kinora, KinoraError } from '@kinora/client';

const kinora = new Kinora();
/** What all calls of this run may cost together. */
let budgetUsd = 0.05;

/** The schemas have the form that the APIs of language models take. */
const TOOLS = {
  create_image: {
    description: 'Starts an image and returns its job id at once. Costs money: max_usd bounds it.',
    parameters: {
      type: 'object',
      properties: { prompt: { type: 'string' }, max_usd: { type: 'number' } },
      required: ['prompt', 'max_usd'],
    },
    run: createImage,
  },
  wait_for_job: {
    description: 'Waits at most 20 seconds for a job, and returns its links or says that it still runs.',
    parameters: { type: 'object', properties: { job_id: { type: 'string' } }, required: ['job_id'] },
    run: waitForJob,
  },
};

async function createImage({ prompt, max_usd }) {
  const request = { prompt, size: '512x512', model: 'fast-image' };
  const quote = await kinora.quotes.create({ operation: 'images.generations', request });
  const [refusal] = quote.refusals;
  if (refusal) return { error: refusal.code, next: refusal.message };
  if (quote.price.usd > Math.min(max_usd, budgetUsd))
    return { error: 'too_expensive', next: `It costs ${quote.price.usd} USD. Raise max_usd, or ask the user.` };
  const job = await kinora.images.create(request, { quote: quote.id });
  budgetUsd -= quote.price.usd;
  return { job_id: job.id, status: job.status, next: 'Call wait_for_job.' };
}

async function waitForJob({ job_id }) {
  try {
    const { output } = await kinora.jobs.wait(job_id, { timeout: 20_000 });
    return { status: 'succeeded', images: output.images.map(({ mime, width, height }) => ({ mime, width, height })) };
  } catch (error) {
    if (error instanceof JobPendingError) return { status: 'running', next: 'Call wait_for_job again.' };
    if (error instanceof JobFailedError) return { status: error.job.status, error: error.code, charged_usd: 0 };
    throw error;
  }
}

/** Never throws for what a model can correct: the error is its next input. */
async function call(name, input) {
  try {
    return await TOOLS[name].run(input);
  } catch (error) {
    if (!(error instanceof KinoraError)) throw error;
    return { error: error.code ?? error.name, param: error.param, next: error.message };
  }
}

// In place of a model: the calls that one would make. A real loop sends TOOLS and the results to it.
const results = [];
async function act(name, input) {
  const result = await call(name, input);
  results.push(result);
  console.log(`${name} ${JSON.stringify(result)}`);
  return result;
}
await act('create_image', { prompt: 'a lighthouse', max_usd: 0.001 });
const { job_id } = await act('create_image', { prompt: 'a lighthouse', max_usd: 0.01 });
await act('wait_for_job', { job_id });
await act('wait_for_job', { job_id: 'no-such-job' });
