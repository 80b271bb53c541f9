import type { AlertDraft, AlertProfile } from '#contract/bff/alert.ts'
import type { BuilderSearch } from './alert-search.ts'

/** What the builder's fields hold; an empty address is none. */
export type BuilderDraft = Omit<AlertDraft, 'slack' | 'teams'> & { slack: string; teams: string }

/** The part that may be kept, exported and shared: without addresses, which are secrets. */
export type WatchDraft = Pick<AlertDraft, 'name' | 'keywords' | 'categories'>

export function startDraft(watch: Partial<WatchDraft>): BuilderDraft {
  return { name: '', keywords: [], categories: [], ...watch, email: [], slack: '', teams: '' }
}

export function watchOf({ name, keywords, categories }: WatchDraft): WatchDraft {
  return { name, keywords, categories }
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
