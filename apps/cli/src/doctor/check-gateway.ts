import { type CheckResult, notTried, runCheck } from './check';
import type { Examination } from './examination';

const NAME = 'gateway';

/**
 * Sends requests to the API as a client. Without a key the check shows that the gateway serves; with one, also that
 * billing recognises keys.
 */
export async function* checkGateway(examination: Examination): AsyncGenerator<CheckResult> {
  const { baseUrl, stack } = examination;
  if (baseUrl === undefined) {
    yield notTried(NAME, 'the address of the API is not known here; give it with --base-url');
    return;
  }
  yield await runCheck(NAME, examination.remedyFor('gateway'), async (signal) => {
    const url = `${baseUrl}/account`;
    const headers = { authorization: `Bearer ${stack.api_key ?? ''}` };
    const response = await fetch(url, { headers, redirect: 'manual', signal }).catch(() => null);
    if (!response) throw new Error(`${baseUrl} does not answer.`);
    await response.body?.cancel();
    if (response.status === 200) return `answers at ${baseUrl}, and takes the demo key`;
    if (response.status !== 401) throw new Error(`GET ${url} answered ${response.status}.`);
    return stack.api_key ? `answers at ${baseUrl}; the demo key is revoked` : `answers at ${baseUrl}`;
  });
}
