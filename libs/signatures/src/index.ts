export { canonicalJson } from './canonical-json';
export { InvalidJws, type PublicKey, signJws, verifyJws } from './jws';
export { type PublicJwk, SEED, SigningKey, toPublicJwk } from './signing-key';
