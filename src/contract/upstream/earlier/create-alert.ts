import * as z from 'zod/mini'

// The reference shows no bounds; these keep a profile readable and a trigger run quick.
const NAME_MAX_LENGTH = 200
const KEYWORDS_MAX_COUNT = 100
const KEYWORD_MAX_LENGTH = 200
const CATEGORIES_MAX_COUNT = 50
const EMAILS_MAX_COUNT = 50
const URL_MAX_LENGTH = 2048

const WEBHOOK_ERROR = 'must be an https URL without a user name or a password'

function lineSchema(maxLength: number) {
  return z.string('must be text').check(
    z.trim(),
    z.minLength(1, 'must not be empty'),
    z.maxLength(maxLength, `must be ${maxLength} characters or fewer`),
    // No database holds them.
    z.refine((text) => text.isWellFormed() && !text.includes('\0'), 'must not hold NUL or half a character'),
  )
}

function linesSchema(item: z.ZodMiniType<string>, maxCount: number) {
  return z.array(item, 'must be a list').check(z.maxLength(maxCount, `must hold ${maxCount} values or fewer`))
}

const webhookSchema = z
  .string(WEBHOOK_ERROR)
  .check(z.maxLength(URL_MAX_LENGTH, WEBHOOK_ERROR), z.refine(isWebhook, WEBHOOK_ERROR))

const emailSchema = z
  .email('must be an e-mail address')
  .check(z.maxLength(254, 'must be an e-mail address of 254 characters or fewer'))

/** Body of `POST /api/alerts`. Fields it does not list are refused, so that a misspelt one is noticed. */
export const createAlertSchema = z.strictObject(
  {
    name: lineSchema(NAME_MAX_LENGTH),
    /** Words or "quoted phrases"; a record matches if it contains any of them. */
    keywords: linesSchema(lineSchema(KEYWORD_MAX_LENGTH), KEYWORDS_MAX_COUNT).check(
      z.minLength(1, 'must hold at least one keyword'),
    ),
    /** A further condition; none means any category. */
    categories: z._default(linesSchema(lineSchema(KEYWORD_MAX_LENGTH), CATEGORIES_MAX_COUNT), []),
    notifications: z._default(
      z.strictObject(
        {
          email: z._default(z.nullable(linesSchema(emailSchema, EMAILS_MAX_COUNT)), null),
          slack: z._default(z.nullable(webhookSchema), null),
          teams: z._default(z.nullable(webhookSchema), null),
        },
        'must be an object',
      ),
      { email: null, slack: null, teams: null },
    ),
  },
  'must be a JSON object',
)
export type CreateAlert = z.infer<typeof createAlertSchema>

function isWebhook(text: string): boolean {
  if (!/^https:\/\/[!-[\]-~]+$/i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}
