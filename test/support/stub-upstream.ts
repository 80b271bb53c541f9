import { systemClock } from '#bff/time/clock.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'

type CallArguments = Parameters<Upstream['call']>

const notGiven = () => {
  throw new Error('The test gives no answer to this')
}

/** In the place of the vendor's client: the members that a test needs. */
export function makeUpstream(given: Partial<Upstream>): Upstream {
  return {
    origin: 'https://vendor.example',
    generation: () => 0,
    call: notGiven,
    permittedSets: notGiven,
    closedSets: notGiven,
    state: notGiven,
    offers: notGiven,
    data: notGiven,
    ask: notGiven,
    pollDataVersion: notGiven,
    applyData: notGiven,
    repeatDataNotice: notGiven,
    keyStates: notGiven,
    close: notGiven,
    ...given,
  }
}

/** In the place of the vendor's client: answers what the test says, and remembers its calls. */
export class StubUpstream {
  readonly calls: { name: string; params: CallArguments[1]; priority: string }[] = []
  readonly dependencies: { upstream: Upstream; clock: typeof systemClock }

  constructor(answer: (name: string) => unknown) {
    const call = async (...[name, params, { priority, stored }]: CallArguments) => {
      if (stored?.isOnly)
        throw new UpstreamError({ set: null, kind: 'unavailable', reason: 'nothing is stored' })
      this.calls.push({ name, params, priority })
      return answer(name)
    }
    this.dependencies = { upstream: makeUpstream({ call }), clock: systemClock }
  }
}
