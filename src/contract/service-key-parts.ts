import * as z from 'zod/mini'

export const EARLIER_PLAN_NAMES = ['none', 'detection', 'professional', 'enterprise'] as const
export const earlierPlanNameSchema = z.enum(
  EARLIER_PLAN_NAMES,
  `must be one of ${EARLIER_PLAN_NAMES.join(', ')}`,
)
export type EarlierPlanName = z.infer<typeof earlierPlanNameSchema>

export const V1_PLAN_NAMES = ['none', 'trial', 'protection', 'defend'] as const
export const v1PlanNameSchema = z.enum(V1_PLAN_NAMES, `must be one of ${V1_PLAN_NAMES.join(', ')}`)
export type V1PlanName = z.infer<typeof v1PlanNameSchema>

const LABEL_FAULT = 'Use 1 to 200 characters without control characters.'

/** Label of a key of the service, or name of its team. */
export const keyLabelSchema = z
  .string(LABEL_FAULT)
  .check(
    z.trim(),
    z.minLength(1, LABEL_FAULT),
    z.maxLength(200, LABEL_FAULT),
    z.regex(/^\P{C}*$/u, LABEL_FAULT),
  )
