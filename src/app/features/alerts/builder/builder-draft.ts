import * as z from 'zod/mini'
import type { AlertChange, AlertDestinations, AlertDraft, AlertProfile } from '#contract/bff/alert.ts'
import {
  AT_ONCE,
  type LanternProfile,
  type LanternProfileDraft,
  scheduleSchema,
} from '#contract/bff/alert-profile.ts'
import type { RecipientDraft } from '#contract/bff/recipient.ts'
import { type ThreatFilter, threatFilterSchema } from '#contract/bff/threat-list.ts'
import type { BuilderSearch } from '../alert-search.ts'
import { listDestinations } from '../profiles/profile-destinations.tsx'
import { hasFilter } from './has-filter.ts'
import type { SearchWords } from './use-search-words.ts'

/** The profile that is changed. */
export type Edited =
  | { runsIn: 'vendor'; profile: AlertProfile }
  | { runsIn: 'lantern'; profile: LanternProfile }

/** The part of a draft that may be kept in the tab: without webhooks, which are secrets. */
export const storedDraftSchema = z.object({
  name: z.string(),
  /** Which fields say what it looks for. */
  mode: z.enum(['simple', 'search']),
  keywords: z.array(z.string()),
  categories: z.array(z.string()),
  /** In the mode `search`: the feed's filter. */
  filter: threatFilterSchema,
  // A draft of before there were schedules has none.
  schedule: z._default(scheduleSchema, AT_ONCE),
  isShared: z.boolean(),
  /** It sends the Shift page in place of matches. */
  isShift: z._default(z.boolean(), false),
  /** Ids of recipients that the profile has and keeps; of destinations in the vendor's account, their kinds. */
  kept: z.array(z.string()),
  userIds: z.array(z.string()),
  email: z.array(z.string()),
  /** Its author has it run in Lantern, whatever it is. */
  isForLantern: z.boolean(),
})
export type StoredDraft = z.infer<typeof storedDraftSchema>

/** Values of the builder's fields. An empty address counts as none. */
export type BuilderDraft = StoredDraft & { slack: string; teams: string; webhook: string }

const EMPTY: BuilderDraft = {
  name: '',
  mode: 'simple',
  keywords: [],
  categories: [],
  filter: {},
  isShared: false,
  isShift: false,
  schedule: AT_ONCE,
  kept: [],
  userIds: [],
  email: [],
  slack: '',
  teams: '',
  webhook: '',
  isForLantern: false,
}

export function startDraft(begun: Partial<StoredDraft>): BuilderDraft {
  return { ...EMPTY, ...begun }
}

export function storedOf({ slack: _, teams: __, webhook: ___, ...draft }: BuilderDraft): StoredDraft {
  return draft
}

/** Returns true if a reload would lose part of it. */
export function hasWebhook({ slack, teams, webhook }: BuilderDraft): boolean {
  return (slack + teams + webhook).trim() !== ''
}

/** The feed's filter in the address. */
export function filterOfSearch({
  name: _,
  keyword: __,
  copy: ___,
  edit: ____,
  sends: _____,
  ...filter
}: BuilderSearch): ThreatFilter {
  return filter
}

/** When a night's shift ends. */
export const SHIFT_SCHEDULE = { kind: 'daily', hour: 6 } as const

/** Returns the draft that the address describes: keywords, a filter of the feed, or the Shift page. */
export function startOfSearch(
  search: BuilderSearch,
  ownId: string,
  words: SearchWords | null,
): Partial<StoredDraft> {
  const { name = '', keyword } = search
  if (search.sends === 'shift')
    return { name: name || 'Shift', isShift: true, schedule: SHIFT_SCHEDULE, userIds: [ownId] }
  const filter = filterOfSearch(search)
  if (!words || keyword || !hasFilter({ ...filter, category: undefined }))
    return { name, keywords: keyword ?? [], categories: filter.category ?? [] }
  return { name, ...whatOf(filter, words), userIds: [ownId] }
}

/** Returns a draft with the search of another profile and a new name. */
export function copyOf(
  profile: AlertProfile | LanternProfile,
  words: SearchWords | null,
): Partial<StoredDraft> {
  return { ...contentOf(profile, words), name: `Copy of ${profile.name}`, kept: [] }
}

export function contentOf(
  profile: AlertProfile | LanternProfile,
  words: SearchWords | null,
): Partial<StoredDraft> {
  const { name } = profile
  if ('keywords' in profile) {
    const { keywords, categories, destinations } = profile
    return { name, keywords, categories, kept: kindsOf(destinations) }
  }
  const { filter, schedule, isShared, isShift = false, recipients } = profile
  return {
    name,
    ...(isShift ? { isShift } : whatOf(filter, words)),
    schedule,
    isShared,
    kept: recipients.map(({ id }) => id),
    isForLantern: true,
  }
}

function whatOf(filter: ThreatFilter, words: SearchWords | null): Partial<StoredDraft> {
  const simple = words?.toSimple(filter)
  return !simple || 'lack' in simple ? { mode: 'search', filter } : { mode: 'simple', filter, ...simple }
}

/** Returns the body for the vendor's account, for a draft that it can hold. */
export function toAlertDraft(
  { name, email, slack, teams, ...draft }: BuilderDraft,
  words: SearchWords | null,
): AlertDraft {
  const simple = draft.mode === 'search' ? words?.toSimple(draft.filter) : draft
  const { keywords, categories } = !simple || 'lack' in simple ? draft : simple
  const webhooks = { slack: slack.trim() || null, teams: teams.trim() || null }
  return { name: name.trim(), keywords, categories, email, ...webhooks }
}

/** Returns the part of a draft that is sent: Shift goes to users alone. What else was entered stays in the form. */
export function usedPart(draft: BuilderDraft, edited: Edited | undefined): BuilderDraft {
  if (!draft.isShift) return draft
  const recipients = edited?.runsIn === 'lantern' ? edited.profile.recipients : []
  const users = recipients.flatMap(({ id, channel }) => (channel === 'user' ? id : []))
  const kept = draft.kept.filter((id) => users.includes(id))
  return { ...draft, kept, email: [], slack: '', teams: '', webhook: '' }
}

/** Returns the body for a profile that runs in Lantern. */
export function toLanternDraft(
  draft: BuilderDraft,
  timeZone: string,
  { filterOfDraft }: SearchWords,
): LanternProfileDraft {
  const { name, schedule, isShared, isShift } = draft
  const filter = isShift ? {} : filterOfDraft(draft)
  const recipients = toRecipients(draft)
  return {
    name: name.trim(),
    filter,
    timeZone,
    schedule,
    isShared,
    ...(isShift && { isShift }),
    recipients,
  }
}

/** Returns the recipients to send, each with its field. */
function nameRecipients(draft: BuilderDraft): { field: string; recipient: RecipientDraft }[] {
  const webhooks = (['slack', 'teams', 'webhook'] as const).flatMap((channel) => {
    const url = draft[channel].trim()
    return url === '' ? [] : [{ field: channel, recipient: { channel, url } }]
  })
  return [
    ...draft.kept.map((id) => ({ field: 'kept', recipient: { channel: 'kept', id } as const })),
    ...draft.userIds.map((userId) => ({ field: 'users', recipient: { channel: 'user', userId } as const })),
    ...draft.email.map((address, at) => ({
      field: `email.${at}`,
      recipient: { channel: 'email', address } as const,
    })),
    ...webhooks,
  ]
}

export function toRecipients(draft: BuilderDraft): RecipientDraft[] {
  return nameRecipients(draft).map(({ recipient }) => recipient)
}

/** The field that `recipients.3` of a refusal is of. */
export function fieldOfRecipient(draft: BuilderDraft, name: string): string | undefined {
  return nameRecipients(draft)[Number(name.split('.')[1])]?.field
}

/** Returns the changes of a profile. A kind of destination is sent if it was entered or removed. */
export function toAlertChange(draft: BuilderDraft, before: AlertDestinations): AlertChange {
  const { email, slack, teams, ...change } = toAlertDraft(draft, null)
  const removed = kindsOf(before).filter((kind) => !draft.kept.includes(kind))
  return {
    ...change,
    ...((email.length > 0 || removed.includes('email')) && { email }),
    ...((slack !== null || removed.includes('slack')) && { slack }),
    ...((teams !== null || removed.includes('teams')) && { teams }),
  }
}

/** The kinds of destinations that a profile has. Nobody can read addresses back whole: each kind is kept or removed. */
function kindsOf(destinations: AlertDestinations): string[] {
  return [...new Set(listDestinations(destinations).flatMap(({ name }) => name.split('.').slice(0, 1)))]
}
