import { ADMIN } from '#test/support/start-lantern.ts'
import type { Visitor } from './visitor.ts'

/** What a reader does first, each from where the one before ended. */
export const JOURNEYS: Readonly<Record<string, (visitor: Visitor, url: string) => Promise<void>>> = {
  'sign in': async (visitor, url) => {
    await visitor.open(`${url}/sign-in`)
    await visitor.fill('textbox', '^Email', ADMIN.email)
    await visitor.fillAt('input[type=password]', ADMIN.password)
    await visitor.press('button', '^Sign in$')
    await visitor.sees('heading', '^Welcome$')
    await visitor.press('button', '^Skip for now$')
    await visitor.sees('heading', '^Overview$')
  },
  'the feed with a filter': async (visitor) => {
    await visitor.press('link', '^Threats$')
    await visitor.press('button', '^7 days$')
    await visitor.isAt(/within=7d/)
    await visitor.fill('combobox', '^Search', 'data')
    await visitor.isAt(/q=data/)
    await visitor.sees('row', 'data')
  },
  'open a threat': async (visitor) => {
    await visitor.pressAt('tbody a[href^="/threats/"]')
    await visitor.sees('heading', '^Facts$')
    await visitor.isAt(/\/threats\/./)
  },
  triage: async (visitor) => {
    await visitor.press('button', '^Star$')
    await visitor.sees('button', '^Unstar$')
    await visitor.fill('textbox', '^Comment for the team$', 'Seen in another browser')
    await visitor.press('button', '^Add comment$')
    await visitor.reads('noted')
    await visitor.press('button', '^Unstar$')
    await visitor.sees('button', '^Star$')
  },
  'the draft of an alert': async (visitor, url) => {
    await visitor.open(`${url}/alerts/new`)
    await visitor.fill('textbox', '^Name', 'Hospitals')
    await visitor.fill('textbox', '^Keywords', 'hospital,')
    await visitor.has(`document.querySelector('mark, [aria-label^="Remove hospital"]')`)
    await visitor.open(`${url}/alerts/new`)
    await visitor.has(`document.querySelector('form input')?.value === 'Hospitals'`)
  },
  metrics: async (visitor) => {
    await visitor.press('link', '^Metrics$')
    await visitor.sees('heading', '^Metrics$')
    await visitor.has(`document.querySelector('[role=application]')`)
  },
}
