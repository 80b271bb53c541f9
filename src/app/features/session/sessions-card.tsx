import {
  mutationOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { type OwnSession, ownSessionsSchema } from '#contract/bff/own-session.ts'

const WAYS = {
  password: 'Signed in',
  link: 'Signed in by a link',
  sso: 'Signed in by single sign-on',
} as const

/** The browsers in which the reader is signed in, each endable from here. */
export function SessionsCard() {
  const query = useQuery(ownSessionsOptions())
  const mutations = sessionMutations(useQueryClient())
  const end = useMutation(mutations.end)
  const endOthers = useMutation(mutations.endOthers)
  const failure = end.error ?? endOthers.error
  const isBusy = end.isPending || endOthers.isPending
  return (
    <SectionCard
      title="Where you are signed in"
      tools={
        query.data &&
        query.data.sessions.length > 1 && (
          <Button size="small" variant="danger" isBusy={isBusy} onClick={() => endOthers.mutate()}>
            End all others
          </Button>
        )
      }
    >
      <ActionError error={failure} className="border-line border-b px-4 py-2" />
      <LoadedPart query={query} name="your sessions">
        {({ sessions }) => (
          <ul className="divide-y divide-line">
            {sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isBusy={isBusy}
                onEnd={() => {
                  endOthers.reset()
                  end.mutate(session.id)
                }}
              />
            ))}
          </ul>
        )}
      </LoadedPart>
      <p className="border-line border-t px-4 py-2.5 text-muted text-xs">
        One that you do not know? End it, then change your password.
      </p>
    </SectionCard>
  )
}

type SessionRowProps = { session: OwnSession; isBusy: boolean; onEnd(): void }

function SessionRow({ session, isBusy, onEnd }: SessionRowProps) {
  const { device, address, beganBy, beganAt, usedAt, isThis } = session
  return (
    <li className="flex flex-wrap items-center gap-2 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-medium text-sm">
          {device} {isThis && <Badge tone="accent">This one</Badge>}
        </p>
        <p className="wrap-anywhere text-faint text-xs">
          {WAYS[beganBy]} <Time at={beganAt} />
          {address && ` from ${address}`}, last used <Time at={usedAt} show="age" />
        </p>
      </div>
      {!isThis && (
        <Button
          size="small"
          isBusy={isBusy}
          aria-label={`End the session of ${device}${address ? ` at ${address}` : ''}`}
          onClick={onEnd}
        >
          End
        </Button>
      )}
    </li>
  )
}

function ownSessionsOptions() {
  return queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => getJson('sessions', ownSessionsSchema, { signal }),
  })
}

/** Each is followed by reading the list anew, refused or not: a session may have ended by itself. */
function sessionMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ownSessionsOptions().queryKey })
  return {
    end: mutationOptions({
      mutationFn: (id: string) => sendJson(`sessions/${id}`, ownSessionsSchema, { method: 'DELETE' }),
      onSettled,
    }),
    endOthers: mutationOptions({
      mutationFn: () => sendJson('sessions/end-others', ownSessionsSchema, {}),
      onSettled,
    }),
  }
}
