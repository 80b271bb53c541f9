/** As long as a filter's value may be. It is a separate file for pages that only link to an actor. */
export const ACTOR_NAME_MAX_LENGTH = 512
