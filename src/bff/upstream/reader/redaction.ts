import type { RedactableField } from '#contract/bff/threat.ts'

const BRACKETED =
  /^(?:\*{2,}|[[(<{]) ?(?:redacted|withheld|hidden|masked)\b[^\])>}*]{0,60}(?:\*{2,}|[\])>}])$/i
const BARE = /^redacted$/i
// Nothing but the marks that black text out.
const MARKS = /^[*█■▇•]{3,}$/

/** Notes which members a plan withholds, and takes the stand-ins for their values away. */
export class Redaction {
  readonly #fields = new Set<RedactableField>()

  text(field: RedactableField, text: string | null): string | null {
    if (text === null || !isStandIn(text)) return text
    this.#fields.add(field)
    return null
  }

  texts(field: RedactableField, texts: readonly string[] | null): string[] {
    return (texts ?? []).filter((text) => this.text(field, text) !== null)
  }

  get fields(): RedactableField[] {
    return [...this.#fields]
  }
}

function isStandIn(text: string): boolean {
  const trimmed = text.trim()
  return [BRACKETED, BARE, MARKS].some((pattern) => pattern.test(trimmed))
}
