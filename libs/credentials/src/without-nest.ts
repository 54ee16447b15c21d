// Entry point for programs without Nest, which sign nothing themselves.
export { type LocalAuthority, makeLocalAuthority } from './local-authority';
