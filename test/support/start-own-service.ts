import { onTestFinished } from 'vitest'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { createKey, type NewKey } from '#service/keys/create-key.ts'
import { startService } from '#service/start-service.ts'
import { takeDatabase } from './with-database.ts'

/** Our own service on a port and a database of its own, as a team runs it, with a key of these plans. */
export async function startOwnService(plans: Partial<NewKey>) {
  const database = await takeDatabase('service')
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const paths: string[] = []
  const service = await startService({
    database,
    host: '127.0.0.1',
    port,
    publicUrl: url,
    secret: 'a secret of the tests',
    log: (_, { path }) => paths.push(String(path)),
  })
  onTestFinished(() => service.close())
  const { token: apiKey } = await createKey(database, { account: 'acme', name: 'test', ...plans })
  return { database, url, apiKey, paths, close: () => service.close() }
}
