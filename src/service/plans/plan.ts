import type { RouteSet } from '#contract/route-set.ts'
import type { EarlierPlanName, V1PlanName } from '#contract/service-key-parts.ts'

export type Plan = {
  /** The name in messages. */
  label: string
  perMinute: number
  perDay: number | null
  /** The plan may read data. Without it, the key is counted, and the answer names the plan that it needs. */
  hasData: boolean
  /** The plan reads back this many days; null is everything. */
  windowDays: number | null
  isRedacted: boolean
  /** The largest page that may be requested. */
  maxLimit: number
}

/** 'Unlimited' stays subject to abuse controls: this many a minute, so that rate headers always carry numbers. */
const CEILING_PER_MINUTE = 6_000

const FULL = { perDay: null, hasData: true, windowDays: null, isRedacted: false, maxLimit: 100 }

/** Reference section 8 gives Detection a rate, section 7 gives it no access: it is counted and refused. */
export const EARLIER_PLANS: Readonly<Record<EarlierPlanName, Plan>> = {
  none: { ...FULL, label: 'none', perMinute: 100, hasData: false },
  detection: { ...FULL, label: 'Detection', perMinute: 100, hasData: false },
  professional: { ...FULL, label: 'Professional', perMinute: 500 },
  enterprise: { ...FULL, label: 'Enterprise', perMinute: CEILING_PER_MINUTE },
}

/** The windows of Trial and Protection are not in the reference: a week to look, a quarter to work with. */
export const V1_PLANS: Readonly<Record<V1PlanName, Plan>> = {
  none: { ...FULL, label: 'none', perMinute: 5, perDay: 100, hasData: false },
  trial: {
    ...FULL,
    label: 'Trial',
    perMinute: 5,
    perDay: 100,
    windowDays: 7,
    isRedacted: true,
    maxLimit: 50,
  },
  protection: { ...FULL, label: 'Protection', perMinute: 10, perDay: 1_000, windowDays: 90 },
  defend: { ...FULL, label: 'Defend', perMinute: CEILING_PER_MINUTE },
}

/** A key whose plan has no data gets this text with a 403. */
export const PLAN_NEEDED: Readonly<Record<RouteSet, string>> = {
  earlier: 'This plan has no API access: Professional or Enterprise is needed',
  v1: 'This key has no v1 plan: Trial, Protection or Defend is needed',
}
