/** Host and port of a webhook's URL, in one spelling: what slots are shared out by. */
export function deliveryHostOf(webhookUrl: string): string {
  const { hostname, port } = new URL(webhookUrl);
  return `${hostname.replace(/\.$/, '')}:${port === '' ? 443 : port}`;
}
