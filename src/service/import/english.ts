import * as z from 'zod/mini'

/** Pass it to `parse` so that a refusal states what was expected: without a locale zod only says 'Invalid input'. */
export const ENGLISH = { error: z.locales.en().localeError }
