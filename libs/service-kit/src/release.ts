/** The version of this software. `npm run release` changes it. */
export const RELEASE = '1.0.0';
