import type { AlertChange, AlertDraft, AlertProfile } from '#contract/bff/alert.ts'
import type { BuilderSearch } from './alert-search.ts'

/** What the builder's fields contain; an empty address is none. */
export type BuilderDraft = Omit<AlertDraft, 'slack' | 'teams'> & { slack: string; teams: string }

/** The part that links and copies carry: without addresses. */
export type WatchDraft = Pick<AlertDraft, 'name' | 'keywords' | 'categories'>

/** The part that may be kept in the tab: without webhooks, which are secrets. */
export type StoredDraft = WatchDraft & Pick<AlertDraft, 'email'>

export function startDraft(begun: Partial<StoredDraft>): BuilderDraft {
  return { name: '', keywords: [], categories: [], email: [], ...begun, slack: '', teams: '' }
}

export function storedOf({ name, keywords, categories, email }: BuilderDraft): StoredDraft {
  return { name, keywords, categories, email }
}

/** Whether it has what a reload loses. */
export function hasWebhook({ slack, teams }: BuilderDraft): boolean {
  return (slack + teams).trim() !== ''
}

export function copyOf({ name, keywords, categories }: AlertProfile): WatchDraft {
  return { name: `Copy of ${name}`, keywords, categories }
}

export function contentOf({ name, keywords, categories }: AlertProfile): WatchDraft {
  return { name, keywords, categories }
}

export function watchOfSearch({ name = '', keyword = [], category = [] }: BuilderSearch): WatchDraft {
  return { name, keywords: keyword, categories: category }
}

/** What is sent. */
export function toAlertDraft({ slack, teams, name, ...draft }: BuilderDraft): AlertDraft {
  return { ...draft, name: name.trim(), slack: slack.trim() || null, teams: teams.trim() || null }
}

export const DESTINATIONS = ['email', 'slack', 'teams'] as const
/** A kind of destination of a profile that is being changed. */
export type DestinationName = (typeof DESTINATIONS)[number]

/** What is sent of a profile that is changed: destinations that were not entered anew stay as they are. */
export function toAlertChange(draft: BuilderDraft, replaced: ReadonlySet<DestinationName>): AlertChange {
  const { email, slack, teams, ...change } = toAlertDraft(draft)
  return {
    ...change,
    ...(replaced.has('email') && { email }),
    ...(replaced.has('slack') && { slack }),
    ...(replaced.has('teams') && { teams }),
  }
}

/** The kinds that a draft, taken up again, has anew. */
export function enteredAnew({ email, slack, teams }: BuilderDraft): ReadonlySet<DestinationName> {
  const entered = { email: email.length > 0, slack: slack.trim() !== '', teams: teams.trim() !== '' }
  return new Set(DESTINATIONS.filter((name) => entered[name]))
}
