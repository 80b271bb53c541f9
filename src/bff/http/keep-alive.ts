/** Longer than balancers commonly keep an idle connection, so that they close it first. */
export const KEEP_ALIVE_MS = 65_000
