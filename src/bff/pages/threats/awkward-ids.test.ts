import { expect, test } from 'vitest'
import { threatProfilesSchema } from '#contract/bff/alert.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import { relatedThreatsSchema, threatAnswerSchema } from '#contract/bff/threat-list.ts'
import { triageChangeSchema, triageHistorySchema } from '#contract/bff/triage.ts'
import { MINUTE_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import { AWKWARD_IDS, UNASKABLE } from '#test/support/awkward-ids.ts'
import { nameThreats } from '#test/support/name-threats.ts'
import { startFilled, V1_LIST } from '#test/support/store/start-filled.ts'
import { earlierDetail, v1Detail, v1Record } from '#test/support/upstream-records.ts'
import { withDatabase } from '#test/support/with-database.ts'

const KINDS = Object.keys(AWKWARD_IDS).map((kind) => kind as keyof typeof AWKWARD_IDS)

function record(kind: keyof typeof AWKWARD_IDS, at: number) {
  const published_at = new Date(Date.now() - at * MINUTE_MS).toISOString()
  return v1Record({ id: AWKWARD_IDS[kind], title: kind, published_at })
}

async function start(database: OpenDatabase) {
  const filled = await startFilled(database, { records: KINDS.map(record) })
  filled.standIn.play('/api/alerts', { json: { alert_profiles: [] } })
  for (const kind of KINDS) {
    if (UNASKABLE.has(kind)) continue
    const detail = { ...v1Detail({ id: AWKWARD_IDS[kind], title: kind }), content: `All of ${kind}` }
    filled.standIn.play(`${V1_LIST}/${encodeURIComponent(AWKWARD_IDS[kind])}`, { json: { data: detail } })
  }
  const read = async (id: string, part = '') => filled.ask(`/bff/threats/${pathSegment(id)}${part}`)
  return { ...filled, database, read }
}

type Lantern = Awaited<ReturnType<typeof start>>

function withLantern(run: (lantern: Lantern) => Promise<void>) {
  return withDatabase('bff', async (database) => {
    const lantern = await start(database)
    try {
      await run(lantern)
    } finally {
      await lantern.close()
    }
  })
}

test(
  'lists every record, whatever its id, and opens it',
  withLantern(async ({ list, read, standIn, logged }) => {
    const { threats } = await list()
    expect(threats.map(({ title }) => title)).toEqual(KINDS)
    expect(new Set(threats.map(({ id }) => id)).size).toBe(KINDS.length)
    standIn.calls.length = 0

    for (const [at, kind] of KINDS.entries()) {
      const { id = '', fullId } = threats[at] ?? {}
      const stored = threatAnswerSchema.parse(await (await read(id, '/stored')).json())
      expect(stored.threat).toMatchObject({ id, title: kind, content: null })
      const { threat, missing } = threatAnswerSchema.parse(await (await read(id)).json())
      expect.soft(threat, kind).toMatchObject({ id, title: kind })
      const isRequested = !UNASKABLE.has(kind)
      expect.soft(threat.content, kind).toBe(isRequested ? `All of ${kind}` : null)
      if (!isRequested) expect.soft(missing?.because, kind).toContain('no address can carry its id')
      const isWhole = AWKWARD_IDS[kind].isWellFormed() && !AWKWARD_IDS[kind].includes('\0')
      if (isWhole) expect.soft(fullId ?? id, kind).toBe(AWKWARD_IDS[kind])
    }
    // Each path is one segment below the two routes that read one record; one call checks whether the earlier set exists.
    const paths = standIn.calls.map(({ path }) => path)
    expect(paths.filter((path) => !/^\/api\/(?:v1\/threats|feed)\/[^/]+$|^\/api\/feed$/.test(path))).toEqual(
      [],
    )
    expect(logged.join('')).not.toMatch(/evil\.example|onerror/)
  }),
)

test(
  'serves the evidence of each below its own address',
  withLantern(async ({ list, read, ask, standIn }) => {
    const [{ id = '' } = {}] = (await list()).threats
    const evidence = [{ type: 'shot', url: `${standIn.url}/no-such-shot.png` }]
    const segment = encodeURIComponent(id)
    standIn.play(`/api/feed/${segment}`, { json: earlierDetail({ id, evidence }) })
    const { threat } = threatAnswerSchema.parse(await (await read(id)).json())
    const [{ picture = null } = {}] = threat.evidence
    expect(picture).toBe(`/bff/threats/${segment}/evidence/0?set=earlier`)
    expect(await readProblem(await ask(picture ?? ''))).toMatchObject({ code: 'picture_unavailable' })
  }),
)

test(
  'keeps what a team does with each',
  withLantern(async ({ list, ask, read }) => {
    const ids = (await list()).threats.map(({ id }) => id)
    const body = { action: 'close', ids, reason: 'duplicate', text: null }
    const { undoId, states } = triageChangeSchema.parse(await (await ask('/bff/triage', { body })).json())
    expect(states.map(({ id }) => id).sort()).toEqual([...ids].sort())
    await ask('/bff/triage', { body: { action: 'note', ids, text: 'Ours' } })
    expect((await list('?triage=closed')).total).toBe(ids.length)
    for (const id of ids) {
      const history = await ask(`/bff/triage/${pathSegment(id)}/history`)
      const { events } = triageHistorySchema.parse(await history.json())
      expect(events.map(({ action }) => action)).toEqual(['note', 'close'])
      expect(relatedThreatsSchema.parse(await (await read(id, '/related')).json()).groups).toHaveLength(3)
      expect(threatProfilesSchema.parse(await (await read(id, '/profiles')).json()).profiles).toEqual([])
    }
    const undone = await ask('/bff/triage/undo', { body: { undoId } })
    expect(triageChangeSchema.parse(await undone.json()).states).toHaveLength(ids.length)
  }),
)

test(
  'reads and changes a whole page of the longest ids at once',
  withLantern(async ({ ask, database }) => {
    const ids = Array.from({ length: 500 }, (_, at) => `${at}${'界'.repeat(500)}`)
    await nameThreats(database, ...ids)
    const response = await ask('/bff/triage', { body: { action: 'star', ids } })
    expect(triageChangeSchema.parse(await response.json()).states).toHaveLength(500)
    expect((await ask('/bff/triage/states', { body: { ids } })).status).toBe(200)
  }),
)

test(
  'sends no unusual id to the vendor unless a list has named it',
  withLantern(async ({ read, standIn }) => {
    standIn.calls.length = 0
    for (const id of ['../alerts', 'a/b', '/..', 'x'.repeat(129), 'ü', `sha256:${'b'.repeat(64)}`]) {
      const problem = await readProblem(await read(id))
      expect(problem).toMatchObject({ code: 'not_found', detail: expect.stringContaining('No list') })
    }
    // The sync may call for lists meanwhile.
    const details = standIn.calls.filter(({ path }) => /^\/api\/(?:v1\/threats|feed)\//.test(path))
    expect(details).toEqual([])
    expect((await read('x'.repeat(513))).status).toBe(400)
  }),
)
