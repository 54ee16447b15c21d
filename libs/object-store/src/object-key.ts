const MAX_KEY_CHARS = 512;

/** Folders and a name; none begins with a dot, which excludes `..` and hidden files. */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Keys need no escaping in a path or a URL, and mean the same in a file system and in S3. */
export function isObjectKey(text: string): boolean {
  return text.length <= MAX_KEY_CHARS && KEY.test(text);
}

export function assertObjectKey(key: string): void {
  // The message does not contain the key, which may come from a request.
  if (!isObjectKey(key)) throw new TypeError('This is not an object key.');
}

/** The prefix of the keys of all objects in a folder. */
export function inFolder(folder: string): string {
  assertObjectKey(folder);
  return `${folder}/`;
}
