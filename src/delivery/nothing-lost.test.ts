import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_MS } from '#contract/duration.ts'
import {
  ACCEPTED,
  aMatch,
  createLedger,
  enqueueTo,
  PROFILE,
  refused,
  scriptChannel,
  threatIdsIn,
  UNCLEAR,
} from '#test/support/delivery/deliveries.ts'
import { propertyRuns } from '#test/support/property-runs.ts'
import { takeDatabase, withDatabase } from '#test/support/with-database.ts'
import { resumeCause, stopCause } from './causes.ts'
import type { Answer, Attempt, Send } from './channels/channel.ts'
import { gatherMatches } from './gather-matches.ts'
import { listDeliveries } from './ledger.ts'

/** A fate says what arrives, and how much of it the worker lives to see. */
const FATES = ['accepted', 'busy', 'gone', 'silent', 'killed before', 'killed after', 'slow'] as const
type Fate = (typeof FATES)[number]

const stepArbitrary = fc.oneof(
  fc.record({ match: fc.integer({ min: 0, max: 9 }), to: fc.constantFrom('plain', 'telling') }),
  fc.record({
    fates: fc.array(fc.constantFrom(...FATES), { maxLength: 3 }),
    passMs: fc.constantFrom(1, 30_000, 90_000, HOUR_MS, -HOUR_MS),
  }),
)

/** Creates a receiver of messages that records its answers. */
function createReceiver() {
  const accepted = new Map<string, number>()
  const left = new Set<string>()
  const late: (() => void)[] = []
  const killed = { count: 0 }
  const never = () => {
    killed.count++
    return new Promise<Answer>(() => {})
  }
  const take = (id: string) => accepted.set(id, (accepted.get(id) ?? 0) + 1)
  const leave = async (id: string, onBody: Attempt['onBody']) => {
    await onBody?.()
    left.add(id)
  }
  const sendBy: Record<Fate, Send> = {
    accepted: async ({ deliveryId, onBody }) => {
      await leave(deliveryId, onBody)
      take(deliveryId)
      return ACCEPTED
    },
    busy: async () => refused(),
    gone: async () => refused({ code: '410', isPermanent: true }),
    silent: async ({ deliveryId, onBody }) => {
      await leave(deliveryId, onBody)
      return UNCLEAR
    },
    'killed before': never,
    'killed after': async ({ deliveryId, onBody }) => {
      await leave(deliveryId, onBody)
      take(deliveryId)
      return never()
    },
    slow: async ({ deliveryId, onBody }) => {
      await leave(deliveryId, onBody)
      take(deliveryId)
      return new Promise((resolve) => late.push(() => resolve(ACCEPTED)))
    },
  }
  return { accepted, left, late, killed, sendBy }
}

test('with any answers and crashes, no match is lost, and none is resent after an answer', {
  timeout: 120_000,
}, async () => {
  const database = await takeDatabase('service')
  const { access, createWorker, pass } = createLedger(database)
  let run = 0
  const property = fc.asyncProperty(
    fc.array(stepArbitrary, { minLength: 4, maxLength: 14 }),
    async (steps) => {
      const name = `run-${run++}`
      const receivers = { plain: createReceiver(), telling: createReceiver() }
      const channelsOf = (fates: readonly Fate[]) => ({
        plain: scriptChannel(
          fates
            .map((fate) => receivers.plain.sendBy[fate])
            .concat(Array(99).fill(receivers.plain.sendBy.accepted)),
        ),
        telling: scriptChannel(
          fates
            .map((fate) => receivers.telling.sendBy[fate])
            .concat(Array(99).fill(receivers.telling.sendBy.accepted)),
          { recognizesRepeats: true },
        ),
      })
      const matched = new Set<string>()
      const sending = { begun: 0, over: 0 }
      for (const step of steps) {
        if ('match' in step) {
          const event = `${name}-${step.match}`
          const match = aMatch(event, { event, destinations: [{ channel: step.to, destination: name }] })
          await database.transaction((tx) => enqueueTo(tx, [match], access))
          matched.add(`${event} ${step.to}`)
        } else {
          // A worker of its own each time: that it was killed is that nobody asks it any more.
          const worker = createWorker(channelsOf(step.fates))
          sending.begun += await worker.pass(() => sending.over++)
          await new Promise((resolve) => setTimeout(resolve, 20))
          pass(step.passMs)
        }
      }
      const killed = () => receivers.plain.killed.count + receivers.telling.killed.count
      const isOver = () => {
        // On a busy machine, messages leave later than the last step.
        for (const { late } of Object.values(receivers)) for (const answer of late) answer()
        return sending.over === sending.begun - killed()
      }
      await expect.poll(isOver, { timeout: 20_000 }).toBe(true)
      // A clock that was set back has to come to the times that it gave before.
      for (let hour = 0; hour < 4 + steps.length; hour++) {
        await createWorker(channelsOf([])).work()
        pass(HOUR_MS)
      }

      const { rows } = await database.query(
        `select event, channel, delivery_id as id, state
         from delivery_match join delivery_destination destination on destination.id = destination_id
         left join delivery on delivery.id = delivery_id
        where starts_with(event, $1)`,
        [`${name}-`],
      )
      const deliveries = rows.map((row) => Object(row))
      expect(new Set(deliveries.map(({ event, channel }) => `${event} ${channel}`))).toEqual(matched)
      expect(deliveries).toHaveLength(matched.size)
      for (const { channel, id, state } of deliveries) {
        const receiver = channel === 'plain' ? receivers.plain : receivers.telling
        const times = receiver.accepted.get(id) ?? 0
        if (state === 'unclear') expect(receiver.left).toContain(id)
        if (state === 'sent') expect(times).toBeGreaterThan(0)
        if (channel === 'plain') expect(times).toBeLessThanOrEqual(1)
        expect(['sent', 'unclear', 'failed']).toContain(state)
        // A message that never arrived and was not refused for good is known as unclear, or was sent later.
        if (state === 'failed') expect(times).toBe(0)
      }
      expect((await listDeliveries(database, { states: ['sending'], limit: 1 })).items).toEqual([])
    },
  )
  await fc.assert(property, propertyRuns(12))
})

test(
  'a pause that ends an open delivery loses no match of another profile',
  withDatabase('service', async (database) => {
    const { access, createWorker, pass, readNow } = createLedger(database)
    const slack = scriptChannel()
    const worker = createWorker({ slack })
    const other = { id: 'p2', name: 'Ours', isTeam: false } as const
    const pause = { isOver: false }
    const countWaiting = async () =>
      (
        await database.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rowCount
    await enqueueTo(database, [aMatch('t1')], access)
    await worker.work()
    await enqueueTo(database, [aMatch('t2')], access)
    await worker.work()

    // A worker puts the match into the open delivery, and commits after the pause had its chance to end it.
    await enqueueTo(database, [aMatch('t3', { cause: other })], access)
    let paused = Promise.resolve()
    await gatherMatches(
      {
        ...database,
        transaction: (run) =>
          database.transaction(async (tx) => {
            const result = await run(tx)
            paused = database
              .transaction((stopping) => stopCause(stopping, PROFILE, 'paused'))
              .then(() => {
                pause.isOver = true
              })
            await expect.poll(async () => pause.isOver || (await countWaiting()) === 1).toBe(true)
            return result
          }),
      },
      readNow,
    )
    await paused
    pass(HOUR_MS)
    await worker.work()
    expect(threatIdsIn(slack.sent)).toEqual([['t1'], ['t3']])

    // The pause ends it first, and commits after the worker had its chance to put the match into it.
    await database.transaction((tx) => resumeCause(tx, PROFILE.id))
    await enqueueTo(database, [aMatch('t4')], access)
    await worker.work()
    await enqueueTo(database, [aMatch('t5', { cause: other })], access)
    await database.transaction(async (tx) => {
      await stopCause(tx, PROFILE, 'paused')
      await worker.work()
    })
    pass(HOUR_MS)
    await worker.work()
    expect(threatIdsIn(slack.sent)).toEqual([['t1'], ['t3'], ['t5']])
  }),
)
