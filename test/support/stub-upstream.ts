import { systemClock } from '#bff/time/clock.ts'
import type { Upstream } from '#bff/upstream/client/upstream-client.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'

type CallArguments = Parameters<Upstream['call']>

/** In the place of the vendor's client: answers what the test says, and remembers its calls. */
export class StubUpstream {
  readonly calls: { name: string; params: CallArguments[1]; priority: string }[] = []
  readonly dependencies: { upstream: Pick<Upstream, 'call' | 'generation'>; clock: typeof systemClock }

  constructor(answer: (name: string) => unknown) {
    const call = async (...[name, params, { priority, stored }]: CallArguments) => {
      if (stored?.isOnly)
        throw new UpstreamError({ set: null, kind: 'unavailable', reason: 'nothing is stored' })
      this.calls.push({ name, params, priority })
      return answer(name)
    }
    this.dependencies = { upstream: { call, generation: () => 0 }, clock: systemClock }
  }
}
