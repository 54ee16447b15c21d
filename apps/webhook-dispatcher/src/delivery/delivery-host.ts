import { parseUrl } from '@kinora/contracts/shared/parse-url';

/**
 * Host and port of a webhook's URL, in one spelling: what slots are shared out by. What is no URL has none, and is refused
 * at its attempt: a delivery that could not even be written would hold up all that come after it.
 */
export function deliveryHostOf(webhookUrl: string): string {
  const url = parseUrl(webhookUrl);
  if (!url) return '';
  const { hostname, port } = url;
  return `${hostname.replace(/\.$/, '')}:${port === '' ? 443 : port}`;
}
