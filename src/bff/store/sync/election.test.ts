import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { takeDatabase } from '#test/support/with-database.ts'
import { serveWhenElected } from './election.ts'

const HOLDER = fileURLToPath(new URL('../../../../test/support/hold-lock.ts', import.meta.url))

test('becomes the leader after the leading process is killed', async ({ annotate, onTestFinished }) => {
  const database = await takeDatabase('bff')
  const { host, port, user, password, database: name } = database.pool.options
  const url =
    database.pool.options.connectionString ?? `postgres://${user}:${password}@${host}:${port}/${name}`
  const holder = spawn(process.execPath, [HOLDER, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')

  const ending = new AbortController()
  let electedMs: number | null = null
  const serving = serveWhenElected({
    pool: database.pool,
    signal: ending.signal,
    async serve(signal) {
      electedMs = performance.now()
      await once(signal, 'abort')
    },
    onError: (error) => expect.unreachable(String(error)),
  })
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(electedMs).toBeNull()

  const killedMs = performance.now()
  holder.kill('SIGKILL')
  await expect.poll(() => electedMs).not.toBeNull()
  await annotate(`took over after ${Math.round((electedMs ?? 0) - killedMs)} ms`)
  ending.abort()
  await serving
})
