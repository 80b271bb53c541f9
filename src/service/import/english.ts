import * as z from 'zod/mini'

/** For `parse`, so that a refusal says what was expected: without a locale zod only says 'Invalid input'. */
export const ENGLISH = { error: z.locales.en().localeError }
