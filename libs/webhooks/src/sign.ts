import { createHmac } from 'node:crypto';

/**
 * `X-Service-Signature`: one `v1` for each secret that is valid now, newest first, so that receivers can change theirs
 * during the grace period. The key is the whole secret as the account sees it, prefix included.
 */
export function sign(body: Buffer, secrets: readonly string[], unixSeconds: number): string {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${unixSeconds}.`).update(body);
    return `v1=${hmac.digest('hex')}`;
  });
  return [`t=${unixSeconds}`, ...signatures].join(',');
}
