// Builds the console's web application, and refuses a first page beyond its limit: `npm run check:pages`.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { WEB, buildWeb } from './build-web.mjs';
import { dist } from './emit.mjs';

const FIRST_PAGE_MAX_BYTES = 200_000;
const REFERENCE = /(?:src|href)="\/(assets\/[^"]+)"/g;

await buildWeb();
const folder = path.join(dist, WEB);
for (const page of ['index.html', 'operator.html']) {
  const html = await readFile(path.join(folder, page), 'utf8');
  const files = [page, ...[...html.matchAll(REFERENCE)].map(([, file]) => file)];
  const bytes = (await Promise.all(files.map(compressedBytes))).reduce((sum, one) => sum + one, 0);
  console.log(`${page}: ${bytes} bytes compressed in ${files.length} files`);
  if (bytes <= FIRST_PAGE_MAX_BYTES) continue;
  console.log(
    `${page} loads more than ${FIRST_PAGE_MAX_BYTES} bytes: import what it does not need at once with lazy().`,
  );
  process.exitCode = 1;
}
const all = await Promise.all(
  (await readdir(path.join(folder, 'assets'))).map((file) => compressedBytes(`assets/${file}`)),
);
console.log(`all pages: ${all.reduce((sum, one) => sum + one, 0)} bytes compressed`);

async function compressedBytes(file) {
  return (await promisify(gzip)(await readFile(path.join(folder, file)))).length;
}
