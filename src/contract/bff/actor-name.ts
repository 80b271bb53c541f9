/** As long as a filter's value may be. Apart from what is said of actors, for pages that only link to theirs. */
export const ACTOR_NAME_MAX_LENGTH = 512
