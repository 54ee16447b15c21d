export { DownloadLinks } from './url-signer';
export { FileObjectStore } from './file-object-store';
export { isObjectKey } from './object-store';
export { mimeOf } from './object-store';
export { ObjectNotFound, ObjectStoreUnavailable } from './object-store';
export {
  type ByteRange,
  type ListedObject,
  type ListedPage,
  type ObjectStat,
  ObjectStore,
  type OpenedObject,
} from './object-store';
export { ObjectStoreConfig } from './object-store.config';
export {
  ObjectStoreModule,
  type ObjectStoreSettings,
  createDownloadLinks,
  createObjectStore,
} from './object-store.module';
export { parseRange } from './parse-range';
export { UrlSigner, type UrlSigning } from './url-signer';
