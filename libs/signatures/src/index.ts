export { InvalidJws, type PublicKey, signJws, verifyJws } from './jws';
export { type PublicJwk, SEED, SigningKey, canonicalJson, toPublicJwk } from './signing-key';
