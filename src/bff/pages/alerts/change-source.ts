import { type AuditRecord, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import type { UncountedRouteName, Upstream, UpstreamParams } from '#bff/upstream/client/upstream.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import type { ReportedProfile } from '#bff/upstream/reader/read-alert-profiles.ts'
import type { AuditAction } from '#contract/bff/audit.ts'
import type { Database } from '#database/database.ts'
import type { AlertContext } from './alert-context.ts'
import { writeChange } from './creation-queries.ts'

/** The two parts of a change. */
export type ChangeSteps<Answer> = {
  send(): Promise<Answer>
  /** Stores what the change means here, in the transaction that records it. */
  store(tx: Database, answer: Answer): Promise<void>
}

type SourceChange<Answer> = ChangeSteps<Answer> & {
  /** The audit record of the change, once it is done. */
  event: AuditRecord
  /** Records the request. What cannot be recorded is not sent. */
  request(event: { action: AuditAction }): Promise<void>
}

/** Outcomes of changes that were not made. Other failures happen before anything is sent. */
const OUTCOMES: Readonly<Partial<Record<string, AuditAction>>> = {
  unclear: 'alert-unclear',
  rejected: 'alert-refused',
  not_found: 'alert-refused',
}

/** Makes a change at the vendor, and records the request before and the outcome after it. The call holds no connection. */
export async function changeSource<Answer>(
  { database, log }: AlertContext,
  { event, request, send, store }: SourceChange<Answer>,
): Promise<void> {
  await request({ action: 'alert-requested' })
  const answer = await send().catch(async (error: unknown) => {
    const action = error instanceof UpstreamError && OUTCOMES[error.kind]
    if (action)
      await recordAudit(database, { ...event, action }).catch((failure: unknown) =>
        log.error('alert-not-audited', failure),
      )
    throw error
  })
  await database.transaction(async (tx) => {
    await recordAudit(tx, event)
    await store(tx, answer)
  })
}

/** A vendor that was silent for longer is silent again. */
const REPEATED_WITHIN_MS = 5_000

/** Repeating a change has the same outcome: if the vendor breaks off, the change is sent once more. */
export async function sendChange(
  upstream: Upstream,
  name: UncountedRouteName,
  params: UpstreamParams,
): Promise<unknown> {
  const startedMs = performance.now()
  try {
    return await upstream.ask(name, params)
  } catch (error) {
    if (!isUnclear(error) || performance.now() - startedMs > REPEATED_WITHIN_MS) throw error
    return upstream.ask(name, params)
  }
}

export function isUnclear(error: unknown): boolean {
  return error instanceof UpstreamError && error.kind === 'unclear'
}

/** Records how a profile is from now on, or that it was deleted: the list shows it so. */
export function storeChange(
  tx: Database,
  { source, clock }: AlertContext,
  change: { id: string; profile: ReportedProfile | null },
): Promise<void> {
  return writeChange(tx, { source: source(), at: new Date(clock.nowMs()), ...change })
}
