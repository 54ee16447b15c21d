/** Failures and delays that a prompt requests, so that clients and tests can simulate them. */
export interface Directives {
  readonly delayMs: number;
  readonly fail: 'error' | 'timeout' | 'capacity' | 'lost' | 'corrupt' | undefined;
  readonly blocked: boolean;
}

/** One day: longer delays would overflow the timer and fire at once. */
const LONGEST_DELAY_MS = 86_400_000;
const DELAY = /\[\[delay:(\d+(?:\.\d+)?)(ms|s)\]\]/gi;
const FAIL = /\[\[fail:(error|timeout|capacity|lost|corrupt)\]\]/gi;
const BLOCKED = /\[\[output:blocked\]\]/gi;

/** Removes the directives from a prompt. Delays add up; of several failures the first counts. */
export function readDirectives(text: string): { directives: Directives; prompt: string } {
  const delayMs = [...text.matchAll(DELAY)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (unit?.toLowerCase() === 's' ? 1000 : 1),
    0,
  );
  const fail = [...text.matchAll(FAIL)][0]?.[1]?.toLowerCase() as Directives['fail'];
  const blocked = text.search(BLOCKED) >= 0;
  const prompt = [DELAY, FAIL, BLOCKED].reduce((rest, directive) => rest.replace(directive, ' '), text);
  return { directives: { delayMs: Math.min(delayMs, LONGEST_DELAY_MS), fail, blocked }, prompt: prompt.trim() };
}
