import type { AlertDraft, AlertProfile } from '#contract/bff/alert.ts'
import type { BuilderSearch } from './alert-search.ts'

/** What the builder's fields contain; an empty address is none. */
export type BuilderDraft = Omit<AlertDraft, 'slack' | 'teams'> & { slack: string; teams: string }

/** The part that may be exported and shared: without addresses. */
export type WatchDraft = Pick<AlertDraft, 'name' | 'keywords' | 'categories'>

/** The part that may be kept in the tab: without webhooks, which are secrets. */
export type StoredDraft = WatchDraft & Pick<AlertDraft, 'email'>

export function startDraft(begun: Partial<StoredDraft>): BuilderDraft {
  return { name: '', keywords: [], categories: [], email: [], ...begun, slack: '', teams: '' }
}

export function watchOf({ name, keywords, categories }: WatchDraft): WatchDraft {
  return { name, keywords, categories }
}

export function storedOf(draft: BuilderDraft): StoredDraft {
  return { ...watchOf(draft), email: draft.email }
}

/** Whether it has what a reload loses. */
export function hasWebhook({ slack, teams }: BuilderDraft): boolean {
  return (slack + teams).trim() !== ''
}

export function copyOf({ name, keywords, categories }: AlertProfile): WatchDraft {
  return { name: `Copy of ${name}`, keywords, categories }
}

export function watchOfSearch({ name = '', keyword = [], category = [] }: BuilderSearch): WatchDraft {
  return { name, keywords: keyword, categories: category }
}

/** What is sent. */
export function toAlertDraft({ slack, teams, name, ...draft }: BuilderDraft): AlertDraft {
  return { ...draft, name: name.trim(), slack: slack.trim() || null, teams: teams.trim() || null }
}
