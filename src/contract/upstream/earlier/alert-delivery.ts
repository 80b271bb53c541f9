import * as z from 'zod/mini'
import { deliveryChannelSchema, deliveryStateSchema, deliverySummarySchema } from '../../delivery.ts'
import { countSchema, queryTextSchema } from '../query-schemas.ts'

const STATES = deliveryStateSchema.options

/** Query of `GET /api/alert-deliveries`. */
export const deliveriesQuerySchema = z.strictObject({
  state: z
    .optional(
      z
        .string()
        .check(
          z.refine(
            (text) => text.split(',').every((state) => deliveryStateSchema.safeParse(state).success),
            `must be ${STATES.join(', ')}, or several of them with commas`,
          ),
        ),
    )
    .check(z.describe('One state, or several with commas.')),
  channel: z.optional(deliveryChannelSchema),
  profile: z.optional(queryTextSchema).check(z.describe('Id of an alert profile.')),
  threat: z.optional(queryTextSchema).check(z.describe('Id of a record.')),
  cursor: z.optional(queryTextSchema).check(z.describe('The nextCursor of the page before.')),
  limit: z._default(countSchema({ minimum: 1, maximum: 100 }), 50),
})

const requestedBy = z
  ._default(
    z
      .string('must be text')
      .check(
        z.trim(),
        z.minLength(1, 'must not be empty'),
        z.maxLength(200, 'must be 200 characters or fewer'),
      ),
    'the API',
  )
  .check(z.describe('Who tries it, as the message says.'))

/** Body of `POST /api/alerts/test`: to one destination. */
export const testAlertSchema = z.strictObject(
  {
    channel: z.enum(['email', 'slack', 'teams'], 'must be email, slack or teams'),
    destination: z.string('must be text'),
    requested_by: requestedBy,
  },
  'must be a JSON object',
)

/** Body of `POST /api/alerts/{id}/test`: to each destination that the profile has, or to one of them. */
export const testProfileSchema = z.strictObject(
  {
    requested_by: requestedBy,
    destination: z
      .optional(
        z
          .string('must be text')
          .check(
            z.regex(/^(?:email\.\d{1,3}|slack|teams)$/, 'must be email.0, email.1 and so on, slack or teams'),
          ),
      )
      .check(z.describe('Which one alone: email.0 for the first address, slack or teams.')),
  },
  'must be a JSON object',
)

/** Where the ledger will have the outcome. */
export const testSentSchema = z.strictObject({ deliveries: z.array(z.uuid()) })

/** Body of `POST /api/alert-deliveries/{id}/resend`. */
export const resendSchema = z.strictObject({}, 'must be an empty JSON object')

/** Answer of `GET /api/alert-summaries`. */
export const alertSummariesSchema = z.strictObject({
  /** Whether a mail server is set up. */
  hasEmail: z.boolean(),
  /** How it goes with each profile, by its id. */
  deliveries: z.record(z.string(), deliverySummarySchema),
})
export type AlertSummaries = z.infer<typeof alertSummariesSchema>

/** Answer of `DELETE /api/alerts/{id}`. */
export const alertDeletedSchema = z.strictObject({ id: z.string() })
