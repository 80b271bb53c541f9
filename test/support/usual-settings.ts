import { parseSettings } from '#settings/settings.ts'

/** Lantern runs with these where the environment sets nothing. */
export const { delivery: USUAL_NOTIFY, history: USUAL_HISTORY } = parseSettings({})
