/**
 * An open transaction on its way from the part that opened it to the ports that write in it.
 * Opaque on purpose: only the adapters of one storage know what is inside.
 */
export type Transaction = object;
