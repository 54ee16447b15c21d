import { httpGet } from './http-get';

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
