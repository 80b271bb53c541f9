import { ledgerKeeperSchema } from '#contract/bff/ledger.ts'
import { type DeliveryState, deliveryChannelSchema, deliveryStateSchema } from '#contract/delivery.ts'
import type { LedgerSearch } from '../alert-search.ts'
import type { LedgerFilter, LedgerPlace } from '../delivery-options.ts'

/** Each part for itself: one that cannot be read does not take the others with it. */
export function toLedgerFilter({ state = [], channel, profile, watch }: LedgerSearch): LedgerFilter {
  const states = state.flatMap((one): DeliveryState[] => {
    const known = deliveryStateSchema.safeParse(one)
    return known.success ? [known.data] : []
  })
  const cause = profile
    ? ({ causeKind: 'profile', causeId: profile } as const)
    : watch && ({ causeKind: 'watch', causeId: watch } as const)
  return {
    ...(states.length > 0 && { state: states }),
    channel: deliveryChannelSchema.safeParse(channel).data,
    ...cause,
  }
}

/** `service.ID`, as the address has it; null for what is none. */
export function readPlace(open: string | undefined): LedgerPlace | null {
  const dot = open?.indexOf('.') ?? -1
  const keeper = ledgerKeeperSchema.safeParse(open?.slice(0, Math.max(dot, 0))).data
  return keeper && open !== undefined ? { keeper, id: open.slice(dot + 1) } : null
}

export function writePlace({ keeper, id }: LedgerPlace): string {
  return `${keeper}.${id}`
}
