export { type KinoraProvider, createKinora } from './kinora-provider';
export type { KinoraProviderOptions } from './provider-options';
