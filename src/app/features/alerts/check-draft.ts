import type { ReactNode } from 'react'
import {
  ALERT_EMAILS_MAX_COUNT,
  ALERT_KEYWORD_MAX_LENGTH,
  ALERT_KEYWORDS_MAX_COUNT,
  ALERT_NAME_MAX_LENGTH,
  alertDraftSchema,
} from '#contract/bff/alert.ts'
import { webhookFault } from '#contract/bff/webhook-fault.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import type { BuilderDraft } from './builder-draft.ts'

/** Why a field cannot be sent as it is, by its name in the draft: `name`, `keywords.2`, `slack`. */
export type DraftFaults = ReadonlyMap<string, ReactNode>

/** All that the BFF would refuse without asking the vendor. `hosts` are those that webhooks of every kind may lead to. */
export function checkDraft(draft: BuilderDraft, hosts: readonly string[]): DraftFaults {
  const { name, keywords, email, slack, teams } = draft
  const faults: [string, string | null][] = [
    ['name', nameFault(name.trim())],
    ['keywords', keywordsFault(keywords)],
    ...keywords.map((keyword, at): [string, string | null] => [`keywords.${at}`, keywordFault(keyword)]),
    ['email', email.length > ALERT_EMAILS_MAX_COUNT ? `At most ${ALERT_EMAILS_MAX_COUNT} addresses.` : null],
    ...email.map((address, at): [string, string | null] => [`email.${at}`, emailFault(address)]),
    ['slack', slack.trim() ? webhookFault('slack', slack.trim(), hosts) : null],
    ['teams', teams.trim() ? webhookFault('teams', teams.trim(), hosts) : null],
  ]
  return new Map(faults.flatMap(([field, fault]) => (fault === null ? [] : [[field, fault] as const])))
}

function nameFault(name: string): string | null {
  if (name === '') return 'Give the profile a name.'
  return name.length > ALERT_NAME_MAX_LENGTH ? `At most ${ALERT_NAME_MAX_LENGTH} characters.` : null
}

function keywordsFault(keywords: readonly string[]): string | null {
  if (keywords.length === 0) return 'Add at least one keyword.'
  return keywords.length > ALERT_KEYWORDS_MAX_COUNT ? `At most ${ALERT_KEYWORDS_MAX_COUNT} keywords.` : null
}

function keywordFault(keyword: string): string | null {
  if (keyword.length > ALERT_KEYWORD_MAX_LENGTH) return `At most ${ALERT_KEYWORD_MAX_LENGTH} characters.`
  if (!parseKeyword(keyword)) return 'It has no letter and no digit.'
  return isComparable(keyword) ? null : 'It contains an invalid character.'
}

/** Whether the BFF would take it. */
export function isComparable(keyword: string): boolean {
  return alertDraftSchema.shape.keywords.safeParse([keyword]).success
}

function emailFault(address: string): string | null {
  return alertDraftSchema.shape.email.safeParse([address]).success ? null : 'This is not an email address.'
}

/** The keywords that say the same as one before them, by their places. */
export function findDuplicates(keywords: readonly string[]): ReadonlySet<number> {
  const seen = new Set<string>()
  const duplicates = new Set<number>()
  for (const [at, keyword] of keywords.entries()) {
    const normalised = parseKeyword(keyword)?.normalised
    if (normalised === undefined) continue
    if (seen.has(normalised)) duplicates.add(at)
    seen.add(normalised)
  }
  return duplicates
}
