import { httpGet } from './service-process';
import path from 'node:path';
import { OperatorDocument } from '@kinora/service-kit/without-nest';
import type { Stack } from './stack-file';

/** An instance of a compute provider, as `providers.yaml` names it. */
export interface ConfiguredBackend {
  id: string;
  type: string;
}

/** Errors in the file are not handled here: they have already stopped the jobs service at its start. */
export function readConfiguredBackends(configDir: string): ConfiguredBackend[] {
  const { providers } = (OperatorDocument.open(path.join(configDir, 'providers.yaml'))?.plain ?? {}) as {
    providers?: ConfiguredBackend[];
  };
  return (providers ?? []).map(({ id, type }) => ({ id, type }));
}

/** An instance with this id replaces the built-in one. */
const SANDBOX = 'sandbox';

const PROMPT = 'Snowy mountains above a calm lake at sunset';

/** The text that a new user sees when the stack is ready. */
export function banner(stack: Stack, dataDir: string, backends: readonly ConfiguredBackend[]): string {
  return `
Kinora makes images and videos from prompts, as a service; this one runs on your machine.

  API        ${stack.base_url}
  Console    ${stack.console_url}  (sign in with the demo key; operators at ${stack.console_url}/operator)
${setupLine(stack)}  Demo key   ${stack.api_key}
  Reference  ${new URL('docs', stack.base_url).href}
  Renderer   ${renderers(backends)}
  Moderation built-in rules and hashes, unless moderation.yaml adds engines: nothing unknown is recognised in images.
  Marks      content credentials (C2PA) of this machine's own root: verifiers show them as untrusted, unless KINORA_C2PA_CERTIFICATE is set.
  Help       README.md, and the operator's CLI: npm run --silent kinora -- --help
  Data       ${dataDir} (the logs in logs/)

Make an image: copy this line into another terminal.

${firstImageCommand(stack.base_url, stack.api_key)}

Or use the npm package openai, or any other client of OpenAI's Images API:

${openAiLines(stack.base_url, stack.api_key)}

Ctrl-C stops everything.
`;
}

/** The link works once, so it is shown until the first operator has used it. */
function setupLine({ console_setup_url: url }: Stack): string {
  return url === null ? '' : `  Setup      ${url}  (makes the first operator; works once)\n`;
}

function renderers(backends: readonly ConfiguredBackend[]): string {
  const elsewhere = backends.filter(({ id }) => id !== SANDBOX).map(({ id, type }) => `${id} (${type})`);
  if (elsewhere.length === 0) return 'SANDBOX: the images are drawn by code; no AI model runs.';
  return `${elsewhere.join(', ')}; models without a route there are drawn by the SANDBOX, which is code, not an AI model.`;
}

/**
 * One line for any shell: creates a job, waits while it is in flight, saves its image as kinora.png. The parentheses
 * keep its variables out of the user's shell.
 */
export function firstImageCommand(baseUrl: string, apiKey: string): string {
  const call = `curl -sS -H "Authorization: Bearer ${apiKey}"`;
  const steps = [
    `JOB=$(${call} -H "Content-Type: application/json" -d '{"prompt":"${PROMPT}"}' ${baseUrl}/images/generations)`,
    `while echo "$JOB" | grep -Eq '"status":"(queued|processing)"'`,
    `do sleep 1`,
    `JOB=$(${call} ${baseUrl}/jobs/$(${readField('id')}))`,
    `done`,
    `echo "$JOB" | grep -q '"status":"succeeded"' && curl -sSf -o kinora.png "$(${readField('url')})" && echo "Saved $PWD/kinora.png" || echo "No image: $JOB"`,
  ];
  return `(${steps.join('; ').replace('do; ', 'do ')})`;
}

/** The program of docs/openai.md for this stack. */
export function openAiLines(baseUrl: string, apiKey: string): string {
  const baseURL = new URL('/openai/v1', baseUrl).href;
  return [
    `import OpenAI from 'openai';`,
    `const openai = new OpenAI({ apiKey: '${apiKey}', baseURL: '${baseURL}' });`,
    `const { data } = await openai.images.generate({ prompt: '${PROMPT}' }); // data[0].b64_json`,
  ].join('\n');
}

function readField(name: string): string {
  return `echo "$JOB" | sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;
}

const ANSWER_WITHIN_MS = 10_000;

/** The link that makes the first operator; null if the console has an operator, or does not say so in time. */
export async function findSetupUrl(consoleUrl: string, token: string): Promise<string | null> {
  try {
    const { body } = await httpGet(`${consoleUrl}/admin/v1/operator/session`, ANSWER_WITHIN_MS);
    const { needs_setup: needsSetup } = JSON.parse(body) as { needs_setup?: boolean };
    return needsSetup === true ? `${consoleUrl}/operator/setup#token=${token}` : null;
  } catch {
    // The stack is usable without the link, so a console that does not answer is no reason to stop it.
    return null;
  }
}
