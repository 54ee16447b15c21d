/** Commands on lines of their own, after a step of a numbered list. */
export function inStep(...lines: string[]): string {
  return block(lines, '   ');
}

/** Commands on lines of their own, after a paragraph. */
export function afterParagraph(...lines: string[]): string {
  return block(lines, '');
}

/** A query, as an administrator of PostgreSQL runs it. */
export function query(sql: string): string {
  return `psql --command "${sql}" "$ADMIN_URL"`;
}

/** NATS' own command, for the user who may read and change how events are stored. */
export function nats(words: string): string {
  return `nats --server "nats://administrator:$NATS_ADMINISTRATOR@\${BROKER_HOST:-kinora-nats}:4222" --inbox-prefix _INBOX.administrator ${words}`;
}

/** The operator's command. */
export function kinora(words: string): string {
  return `npm run --silent kinora -- ${words}`;
}

function block(lines: string[], indent: string): string {
  return `\n\n${['```sh', ...lines, '```'].map((line) => indent + line).join('\n')}`;
}
