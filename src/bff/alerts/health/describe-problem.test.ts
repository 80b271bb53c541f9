import { expect, test } from 'vitest'
import { type AlertProblem, describeProblem } from './describe-problem.ts'

const OWN = { id: 'p1', name: 'Clinics', ownerId: 'ada', isTeam: false }
const OTHERS = { id: 'p2', name: 'Secret project', ownerId: 'bob', isTeam: false }
const ADA = { isAdmin: false, canSee: ({ ownerId }: { ownerId: string | null }) => ownerId === 'ada' }
const ADMIN = { isAdmin: true, canSee: () => false }

function aProblem(more: Partial<AlertProblem> = {}): AlertProblem {
  return {
    key: 'unreached slack x',
    kind: 'unreached',
    where: { channel: 'slack', name: 'hooks.slack.com', isServer: true },
    since: new Date('2026-11-22T12:00:00Z'),
    why: 'Connection refused',
    remedy: 'Check that the server runs.',
    affected: [
      { label: 'hooks.slack.com/…aa', profiles: [OWN, OTHERS] },
      { label: 'hooks.slack.com/…bb', profiles: [OTHERS] },
    ],
    ...more,
  }
}

test('a person reads of their own profiles and destinations alone, an admin of all', () => {
  expect(describeProblem(aProblem(), ADA)).toEqual({
    kind: 'unreached',
    since: '2026-11-22T12:00:00.000Z',
    subject: 'Messages to hooks.slack.com: not delivered',
    text: 'Connection refused. Recipients: hooks.slack.com/…aa (Clinics). Check that the server runs.',
    path: '/alerts/deliveries?state=retrying',
  })
  expect(describeProblem(aProblem(), ADMIN)?.text).toContain(
    'Recipients: hooks.slack.com/…aa (Clinics, Secret project); hooks.slack.com/…bb (Secret project).',
  )
})

test('a user gets no problem of another user’s private profiles', () => {
  const affected = [{ label: 'hooks.slack.com/…bb', profiles: [OTHERS] }]
  expect(describeProblem(aProblem({ affected }), ADA)).toBeNull()
  expect(describeProblem(aProblem({ kind: 'workerStopped', where: null, affected }), ADA)?.text).not.toMatch(
    /Secret|hooks/,
  )
})

test('names five of many destinations', () => {
  const affected = Array.from({ length: 200 }, (_, at) => ({ label: `a${at}@corp.example`, profiles: [OWN] }))
  const where = { channel: 'email', name: 'x', isServer: true }
  const shown = describeProblem(aProblem({ affected, where }), ADA)
  expect(shown?.subject).toBe('Email: not delivered')
  expect(shown?.text).toMatch(/a4@corp\.example \(Clinics\); 195 more\./)
})

test('a profile that is not evaluated leads to itself', () => {
  const affected = [{ label: null, profiles: [OWN] }]
  const problem = aProblem({
    kind: 'notEvaluated',
    where: null,
    why: 'The profile “x” is not there.',
    affected,
  })
  expect(describeProblem(problem, ADA)).toMatchObject({
    subject: 'The alert profile “Clinics” is not evaluated',
    text: 'The profile “x” is not there. Nothing is sent for it. Check that the server runs.',
    path: '/alerts?profile=p1',
  })
})
