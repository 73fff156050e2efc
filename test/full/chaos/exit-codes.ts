/** A step that ends its process on purpose. */
export const KILLED_BY_STEP = 71;

/** The database could not be reached while the app started. */
export const OUT_OF_REACH = 72;
