/** A hundred jobs of a usual size. The jobs service and the gateway serialize a page in one step, which blocks other requests. */
export const LIST_PAGE_MAX_BYTES = 256 * 1024;
