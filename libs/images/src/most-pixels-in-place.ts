/**
 * An image with more pixels takes more than 10 ms of a processor, so a separate process of low priority handles it. Most images
 * of models have at most as many.
 */
export const MOST_PIXELS_IN_PLACE = 1_024 * 1_024;
