// Another implementation of C2PA than the one that signs: `node read-credential.mjs FILE MEDIA_TYPE` prints what it says of the file.
import { readFile } from 'node:fs/promises';
import { JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import { ManifestStore } from '@trustnxt/c2pa-ts/manifest';

/** It knows neither WebP nor MP4. */
const FORMATS = { 'image/png': PNG, 'image/jpeg': JPEG };

const [, , file, mediaType] = process.argv;
const asset = new FORMATS[mediaType](await readFile(file));
const manifests = await asset.getManifestJUMBF();
const { isValid, statusEntries } = await ManifestStore.read(SuperBox.fromBuffer(manifests)).validate(asset);
const problems = statusEntries
  .filter(({ success }) => !success)
  .map(({ code, explanation }) => `${code} ${explanation}`);
console.log(JSON.stringify({ isValid, problems }));
