/** One thing that was looked at. */
export interface Check {
  name: string;
  ok: boolean;
  detail: string;
}

/** Runs a look; what it throws is the finding. */
export async function check(name: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await look() };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

export function formatChecks(checks: Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks.map(({ name, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(width)}  ${detail}`).join('\n');
}
