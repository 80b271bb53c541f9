import { describe, expect, test } from 'vitest'
import { readProblem } from '#test/support/ask-bff.ts'
import { sessionOf } from '#test/support/open-door.ts'
import { openNotes } from '#test/support/open-notes.ts'
import type { Answer } from './route.ts'

describe('a session with only a password', () => {
  test('must set up a required second factor before all else', async () => {
    const mustEnrol = { ...sessionOf('admin'), mustEnrol: true }
    for (const [isForEnrolment, status] of [
      [false, 403],
      [true, 200],
    ] as const) {
      const { ask, known } = openNotes({ method: 'POST', isForEnrolment })
      known.find = known.findNow = mustEnrol
      expect((await ask('/bff/notes', { method: 'POST' })).status).toBe(status)
    }
    const { ask, known, seen } = openNotes({})
    known.find = mustEnrol
    expect(await readProblem(await ask('/bff/notes'))).toMatchObject({
      code: 'role_not_allowed',
      title: 'A second factor is needed',
      detail: 'Your role needs a second factor. Reload the page: it leads you through setting one up.',
    })
    expect(seen).toEqual([])
  })

  test('needs a fresh proof for sensitive writes, as the database records it', async () => {
    const { ask, known, seen } = openNotes({ method: 'POST', needsFreshProof: true })
    known.findNow = { ...sessionOf('admin'), hasFreshProof: false }
    expect(await readProblem(await ask('/bff/notes', { method: 'POST' }))).toMatchObject({
      code: 'fresh_proof_needed',
      detail: 'Confirm with your second factor, or with your password if you have none, then try again.',
    })
    expect(seen).toEqual([])
    ;[known.find, known.findNow] = [known.findNow, sessionOf('admin')]
    expect((await ask('/bff/notes', { method: 'POST' })).status).toBe(200)
  })

  test('may do all else until it ends', async () => {
    const { ask, known } = openNotes({ method: 'POST' })
    known.find = known.findNow = { ...sessionOf('admin'), hasFreshProof: false }
    expect((await ask('/bff/notes', { method: 'POST' })).status).toBe(200)
  })
})

describe('limits how many expensive requests an account has at once', () => {
  const limit = { name: 'notes', atOnce: 1, perMinute: 100, remedy: 'Wait.' }
  const statusOf = async (answer: Promise<Response>) => (await answer).status
  const streamOf = (source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>>): Answer => ({
    stream: new ReadableStream(source, { highWaterMark: 0 }),
    contentType: 'text/csv',
  })
  const line = Buffer.from('line\n')

  test('until it is answered, well or not', async () => {
    const { ask, notes } = openNotes({ limit })
    expect(await statusOf(ask('/bff/notes'))).toBe(200)
    notes.answer = () => Promise.reject(new Error('a mistake'))
    expect(await statusOf(ask('/bff/notes'))).toBe(500)
    let end = (_answer: Answer) => {}
    const given = new Promise<Answer>((resolve) => {
      end = resolve
    })
    notes.answer = () => given
    const underWay = ask('/bff/notes')
    expect(await readProblem(await ask('/bff/notes'))).toMatchObject({
      status: 429,
      detail: expect.stringMatching(/Wait\.$/),
    })
    end({ status: 204 })
    expect(await statusOf(underWay)).toBe(204)
  })

  test('until a stream was cancelled, which its source learns', async () => {
    const { ask, notes } = openNotes({ limit })
    const reasons: unknown[] = []
    notes.answer = async () =>
      streamOf({
        pull: (controller) => controller.enqueue(line),
        cancel: (reason) => void reasons.push(reason),
      })
    const answer = await ask('/bff/notes')
    await answer.body?.cancel('gone')
    expect(reasons).toEqual(['gone'])
    expect(await statusOf(ask('/bff/notes', { method: 'HEAD' }))).toBe(200)
    expect(reasons).toHaveLength(2)
    expect(await statusOf(ask('/bff/notes'))).toBe(200)
  })

  test('until a stream broke off', async () => {
    const { ask, notes } = openNotes({ limit })
    notes.answer = async () => streamOf({ pull: (controller) => controller.error(new Error('broken')) })
    const answer = await ask('/bff/notes')
    await expect(answer.text()).rejects.toThrow('broken')
    expect(await statusOf(ask('/bff/notes'))).toBe(200)
  })
})
