import { expect } from 'vitest'
import { auditPageSchema } from '#contract/bff/audit.ts'
import { ledgerSchema } from '#contract/bff/delivery-ledger.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { createKey } from '#service/keys/create-key.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { startMailServer } from '#test/support/delivery/stand-in-mail-server.ts'
import { startFaultyService } from '#test/support/service/faulty-service.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { startOwnService } from '#test/support/start-own-service.ts'
import { startSignedIn } from '#test/support/start-signed-in.ts'
import { takeDatabase } from '#test/support/with-database.ts'

export const ALERTS = '/bff/alerts?timeZone=UTC'
const PLANS = { earlierPlan: 'enterprise', v1Plan: 'defend' } as const

/** Our own service, another client of its API, and a dashboard that sends mail. */
export async function openSourceAlerts() {
  const mailServer = await startMailServer()
  const service = await startOwnService(PLANS)
  const faulty = await startFaultyService(service.url)
  const database = await takeDatabase('bff')
  const startDashboard = async (upstream: { url?: string; apiKey?: string } = {}) => {
    const dashboard = await startSignedIn(database, {
      upstream: { url: faulty.url, apiKey: service.apiKey, kind: 'embedded', ...upstream },
      notify: { mail: mailServer.mail, domains: [], hosts: [] },
    })
    const window = async () => sourceSchema.parse(await (await dashboard.ask('/bff/source')).json()).window
    await expect.poll(async () => (await window()).lastReadAt).not.toBeNull()
    return dashboard
  }
  const { ask, port, close } = await startDashboard()
  const askService = (path: string, { method = 'GET', body }: { method?: string; body?: object } = {}) =>
    fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    ask,
    /** Uses the link of the newest mail to an address, as a mail program does. */
    async press(address: string, at = port): Promise<[status: number, page: string]> {
      const { source = '' } = mailServer.mails.findLast(({ to }) => to.includes(address)) ?? {}
      const [, link = ''] = /(\/unsubscribe\/[\w-]{43})/.exec(source.replaceAll('=\r\n', '')) ?? []
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
      const pressed = await fetch(`http://localhost:${at}${link}`, { method: 'POST', body })
      return [pressed.status, await pressed.text()]
    },
    faulty,
    startDashboard,
    closeDashboard: close,
    createKey: async (account: string) =>
      (await createKey(service.database, { account, name: 'another', ...PLANS })).token,
    askService,
    /** Creates a profile that matches everything of Northwind. Returns its id. */
    async createProfile(name: string, email: readonly string[]): Promise<string> {
      const body = { name, keywords: ['northwind'], notifications: { email } }
      return (await (await askService('/api/alerts', { method: 'POST', body })).json()).id
    },
    /** The addresses of each profile, by its name. */
    async addresses(): Promise<Record<string, string[]>> {
      const { alert_profiles } = await (await askService('/api/alerts')).json()
      return Object.fromEntries(
        alert_profiles.map(
          ({ name, notifications }: { name: string; notifications: { email: string[] } }) => [
            name,
            notifications.email,
          ],
        ),
      )
    },
    /** What was recorded of profiles that people left, oldest first. */
    async audited() {
      const page = auditPageSchema.parse(await (await ask('/bff/audit?timeZone=UTC')).json())
      return page.events
        .flatMap(({ action, objectName }) => (action.startsWith('alert-') ? [`${action} ${objectName}`] : []))
        .toReversed()
    },
    closeService: service.close,
    database,
    publish: (title: string, facts: Parameters<typeof makeThreat>[0] = {}) =>
      insertThreats(service.database, [
        makeThreat({ title, publishedAt: new Date().toISOString(), ...facts }),
      ]),
    recipients: () => mailServer.mails.flatMap(({ to }) => to).toSorted(),
    ledger: async (query = '') => ledgerSchema.parse(await (await ask(`/bff/deliveries${query}`)).json()),
    mails: mailServer.mails,
  }
}
