export { CallbackSigner, type CallbackTarget, isCallbackOf } from './callback-signer';
export { sign } from './sign';
export { toWebhookEvent } from './to-webhook-event';
export { type SignedDelivery, webhookHeaders } from './webhook-headers';
