/**
 * Host and port of a webhook's URL, in one spelling: what slots are shared out by. What is no URL has none, and is refused
 * at its attempt: a delivery that could not even be written would hold up all that come after it.
 */
export function deliveryHostOf(webhookUrl: string): string {
  if (!URL.canParse(webhookUrl)) return '';
  const { hostname, port } = new URL(webhookUrl);
  return `${hostname.replace(/\.$/, '')}:${port === '' ? 443 : port}`;
}
