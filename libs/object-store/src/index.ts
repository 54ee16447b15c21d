export { DownloadLinks } from './download-links';
export { FileObjectStore } from './file-object-store';
export { isObjectKey } from './object-key';
export { mimeOf } from './object-mime';
export { ObjectNotFound, ObjectStoreUnavailable } from './object-store-error';
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
