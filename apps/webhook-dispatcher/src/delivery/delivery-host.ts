import { parseUrl } from '@kinora/contracts/shared/parse-url';

/**
 * Normalised host and port of a webhook's URL: the key by which slots are limited. An invalid URL gets an empty host
 * and fails at its attempt. An insert that fails would block all later events.
 */
export function deliveryHostOf(webhookUrl: string): string {
  const url = parseUrl(webhookUrl);
  if (!url) return '';
  const { hostname, port } = url;
  return `${hostname.replace(/\.$/, '')}:${port === '' ? 443 : port}`;
}
