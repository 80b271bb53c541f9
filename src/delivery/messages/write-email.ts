import type { Message } from '../message.ts'
import { createMessageModel } from './message-model.ts'
import { writeHtml } from './write-html.ts'
import { writePlainText } from './write-plain-text.ts'

/** Mail has room for all that a message brings. */
const SPACE = { threats: 5, textLength: 300 }
const FOOTER = [
  'Sent by Lantern. Addresses in it are written so that nothing follows them: hxxp, [.] and [@].',
  'Whoever looks after alerts in Lantern can change whom they are sent to.',
]

/** `stopUrl` is where its recipient stops such messages. */
export function writeEmail(
  message: Message,
  stopUrl: string | null = null,
): { subject: string; text: string; html: string } {
  const model = createMessageModel(message, SPACE)
  const footer = { lines: FOOTER, stopUrl }
  return {
    subject: model.subject,
    text: writePlainText(model, footer),
    html: writeHtml(model, footer),
  }
}
