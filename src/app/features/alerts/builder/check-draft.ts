import type { ReactNode } from 'react'
import {
  ALERT_EMAILS_MAX_COUNT,
  ALERT_KEYWORD_MAX_LENGTH,
  ALERT_KEYWORDS_MAX_COUNT,
  ALERT_NAME_MAX_LENGTH,
  alertDraftSchema,
} from '#contract/bff/alert.ts'
import type { Schedule } from '#contract/bff/alert-profile.ts'
import { recipientDraftSchema, webhookFault } from '#contract/bff/recipient.ts'
import { isRepeated } from '#contract/mailbox.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { type BuilderDraft, toRecipients } from './builder-draft.ts'
import type { Home } from './choose-home.ts'
import { hasFilter } from './has-filter.ts'

/** Why a field cannot be sent as it is, by its name in the draft: `name`, `keywords.2`, `slack`. */
export type DraftFaults = ReadonlyMap<string, ReactNode>

type Known = {
  /** Those that webhooks of every kind may lead to. */
  hosts: readonly string[]
  runsIn: Home['runsIn']
}

/** All that the BFF would refuse without asking the vendor. */
export function checkDraft(draft: BuilderDraft, { hosts, runsIn }: Known): DraftFaults {
  const { name, mode, isShift, keywords, filter, email, slack, teams, webhook, schedule } = draft
  const words: [string, string | null][] = [
    ['keywords', keywordsFault(keywords)],
    ...keywords.map((keyword, at): [string, string | null] => [`keywords.${at}`, keywordFault(keyword)]),
  ]
  const isAlone = runsIn === 'lantern' && toRecipients(draft).length === 0
  const faults: [string, string | null][] = [
    ['name', nameFault(name.trim())],
    ...(mode === 'simple' && !isShift ? words : []),
    ['search', mode === 'search' && !isShift && !hasFilter(filter) ? 'Write a search.' : null],
    ['users', isAlone ? 'Name at least one recipient.' : null],
    ['email', email.length > ALERT_EMAILS_MAX_COUNT ? `At most ${ALERT_EMAILS_MAX_COUNT} addresses.` : null],
    ...email.map((address, at): [string, string | null] => [
      `email.${at}`,
      emailFault(address, email.slice(0, at)),
    ]),
    ['slack', slack.trim() ? webhookFault('slack', slack.trim(), hosts) : null],
    ['teams', teams.trim() ? webhookFault('teams', teams.trim(), hosts) : null],
    ['webhook', signedWebhookFault(webhook.trim())],
    ['quiet-to', quietFault(schedule)],
  ]
  return new Map(faults.flatMap(([field, fault]) => (fault === null ? [] : [[field, fault] as const])))
}

function quietFault(schedule: Schedule): string | null {
  const quiet = schedule.kind === 'atOnce' ? schedule.quiet : null
  return quiet && quiet.from === quiet.to ? 'Choose another time: quiet hours have an end.' : null
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

/** Returns true if the BFF would accept the keyword. */
export function isComparable(keyword: string): boolean {
  return alertDraftSchema.shape.keywords.safeParse([keyword]).success
}

function emailFault(address: string, before: readonly string[]): string | null {
  if (!alertDraftSchema.shape.email.safeParse([address]).success) return 'This is not an email address.'
  return isRepeated(address, before) ? 'This address is already in the list.' : null
}

function signedWebhookFault(url: string): string | null {
  if (url === '') return null
  const isUrl = recipientDraftSchema.safeParse({ channel: 'webhook', url }).success
  return isUrl && /^https:\/\//i.test(url) ? null : 'Enter an address that begins with https://.'
}
