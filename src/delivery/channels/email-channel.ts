import { createHash } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import * as z from 'zod/mini'
import type { Message, MessageCause } from '../message.ts'
import { writeEmail } from '../messages/write-email.ts'
import type { Answer, Channel, Send } from './channel.ts'
import { excerptOf, refuse } from './read-answer.ts'
import { type SmtpOutcome, type SmtpServer, sendBySmtp } from './send-by-smtp.ts'

export type EmailOptions = {
  /** SMTP_URL and MAIL_FROM; undefined where they are not set. */
  mail: { server: SmtpServer; from: { name: string; address: string } } | undefined
  /** NOTIFY_DOMAINS: the only ones that mail goes to; any where there are none. */
  domains: readonly string[]
  /** Returns the link by which a recipient stops the messages of a profile. Mails have none unless this is given. */
  unsubscribeLink?: ((deliveryId: string) => string) | undefined
}

/** Servers lock an account after some failed logins: until then nothing is tried. */
const LOGIN_PAUSE_MS = 5 * 60_000
const ADDRESS_MAX_LENGTH = 254
const addressSchema = z.email()

/** The channel exists without a mail server too: it refuses, and messages wait until one is set up. */
export function createEmailChannel({ mail, domains, unsubscribeLink }: EmailOptions): Channel {
  if (!mail) {
    const answer = refuse('Email is not set up: SMTP_URL and MAIL_FROM are to be set.')
    return { send: async () => answer, recognizesRepeats: false }
  }
  const { server, from } = mail
  let pausedUntil = 0
  const send: Send = async ({ message, destination, deliveryId, signal, onBody }) => {
    const fault = findAddressFault(destination, domains)
    if (fault !== null) return refuse(fault, true)
    const pauseMs = pausedUntil - Date.now()
    if (pauseMs > 0) {
      return refuse('Not tried: the mail server has just refused the login of SMTP_URL.', false, pauseMs)
    }
    const stopUrl = (profilesOf(message).length > 0 && unsubscribeLink?.(deliveryId)) || null
    const { subject, text, html } = writeEmail(message, stopUrl)
    const domain = domainOf(from.address)
    const thread = threadOf(message, destination)
    const isCritical = message.kind === 'matches' && message.criticalCount > 0
    const composed = new MailComposer({
      from,
      to: { name: '', address: destination },
      subject,
      text,
      html,
      messageId: `<${idOf(deliveryId, destination)}@${domain}>`,
      // No message has this id: programs that group by it show the messages of a profile as one thread (RFC 5322, 3.6.4).
      ...(thread !== null && { references: `<${thread}@${domain}>`, inReplyTo: `<${thread}@${domain}>` }),
      headers: {
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        'List-Id': `Lantern alerts <alerts.lantern.${domain}>`,
        // RFC 8058 wants https.
        ...(stopUrl?.startsWith('https:') && {
          'List-Unsubscribe': `<${stopUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
        ...(isCritical && { Importance: 'High', 'X-Priority': '1 (Highest)' }),
      },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const bytes = await composed.compile().build()
    const mail = { from: from.address, to: destination, bytes, signal, onBody }
    const outcome = await sendBySmtp(server, mail)
    if (outcome.kind === 'loginRefused') pausedUntil = Date.now() + LOGIN_PAUSE_MS
    return toAnswer(outcome, destination)
  }
  return { send, recognizesRepeats: false }
}

/** Returns why mail may not go to an address, for a person, or null. */
export function findAddressFault(address: string, domains: readonly string[]): string | null {
  // A control character would end the command that it stands in.
  if (
    /[^\x21-\x7e]/.test(address) ||
    address.length > ADDRESS_MAX_LENGTH ||
    !addressSchema.safeParse(address).success
  ) {
    return 'This is not an email address.'
  }
  return domains.length === 0 || domains.includes(domainOf(address))
    ? null
    : 'NOTIFY_DOMAINS does not name the domain of this address.'
}

function toAnswer(outcome: SmtpOutcome, destination: string): Answer {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted', ...readReply(outcome.reply, destination) }
    case 'replied':
      return {
        kind: 'refused',
        ...readReply(outcome.reply, destination),
        isPermanent: outcome.isOfMail && outcome.reply.startsWith('5'),
        retryAfterMs: null,
      }
    case 'loginRefused':
      return refuse(
        `The mail server refuses the login of SMTP_URL (${codeOf(outcome.reply)}).`,
        false,
        LOGIN_PAUSE_MS,
      )
    case 'unsent':
      return refuse(outcome.reason)
    case 'unanswered':
      return { kind: 'unclear', excerpt: outcome.reason }
  }
}

/** Its code, and the words after that. */
function readReply(reply: string, destination: string) {
  const code = codeOf(reply)
  return { code, excerpt: excerptOf(reply.slice(code === 'none' ? 0 : code.length).trim(), destination) }
}

/** `550 5.1.1`: the reply's code, and its enhanced one (RFC 3463) where it has one. */
function codeOf(reply: string): string {
  return /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(reply)?.[0].replace('-', ' ') ?? 'none'
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

/** The alert profiles that a recipient can stop. */
function profilesOf(message: Message): readonly MessageCause[] {
  if (message.kind === 'notice') return message.report?.causes ?? []
  return message.kind === 'test' ? [] : message.causes
}

/** Names the alert profiles of a message, for one recipient; null if it has none. */
function threadOf(message: Message, address: string): string | null {
  const ids = profilesOf(message).flatMap(({ id }) => id ?? [])
  return ids.length === 0 ? null : idOf(ids.sort().join('\n'), address)
}

/** The id is the same at each attempt, so that a receiver can recognize a mail that it already has. */
function idOf(deliveryId: string, address: string): string {
  return createHash('sha256').update(`${deliveryId}\n${address.toLowerCase()}`).digest('hex').slice(0, 40)
}
