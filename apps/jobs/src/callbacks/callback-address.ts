/** The address that a backend tells of an attempt at, below a base that reaches the gateway. */
export function toCallbackUrl(baseUrl: string, providerId: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/callbacks/${encodeURIComponent(providerId)}/${token}`;
}

/** Whether an address that a backend repeats is an attempt's: its token begins with the attempt's id, and a dot. */
export function isCallbackOf(url: string, attemptId: string): boolean {
  return URL.canParse(url) && new URL(url).pathname.split('/').at(-1)?.startsWith(`${attemptId}.`) === true;
}
