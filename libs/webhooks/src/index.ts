export { CallbackSigner, type CallbackTarget, isCallbackOf } from './callback-signer';
export { sign } from './webhook-headers';
export { toWebhookEvent } from './webhook-headers';
export { type SignedDelivery, webhookHeaders } from './webhook-headers';
