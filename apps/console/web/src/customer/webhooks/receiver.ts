/** The host that received a delivery; null after the deletion of the job's content, which empties the address. */
export const hostOf = (url: string): string | null => (url === '' ? null : new URL(url).host);
