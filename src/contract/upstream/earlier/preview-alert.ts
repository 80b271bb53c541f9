import * as z from 'zod/mini'
import { momentSchema } from '../../moment.ts'
import { createAlertSchema } from './create-alert.ts'

export const PREVIEW_MATCHES_MAX_COUNT = 10_000

const { keywords, categories } = createAlertSchema.shape

/** Body of `POST /api/alerts/preview`. */
export const previewAlertSchema = z.strictObject(
  {
    keywords,
    categories,
    /** The first moment whose records are compared. */
    since: momentSchema,
  },
  'must be a JSON object',
)
export type PreviewAlert = z.infer<typeof previewAlertSchema>

/** What a profile with these keywords would have triggered on, by the same matcher and texts. */
export const alertPreviewSchema = z.strictObject({
  /** Records of the time, of whatever category. */
  compared: z.int(),
  /** Newest first, no more than 10,000. */
  matches: z.array(
    z.strictObject({
      id: z.string(),
      posted_at: z.iso.datetime(),
      /** Positions in the body's list. */
      keywords: z.array(z.int()),
    }),
  ),
  /** Whether older matches are left out. */
  is_cut: z.boolean(),
})
export type AlertPreview = z.infer<typeof alertPreviewSchema>
