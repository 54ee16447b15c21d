export { CallbackSigner, type CallbackTarget, isCallbackOf } from './callback-signer';
export { sign, toWebhookEvent, type SignedDelivery, webhookHeaders } from './webhook-headers';
