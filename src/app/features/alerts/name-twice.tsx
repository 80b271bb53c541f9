import { Link } from '@tanstack/react-router'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { AlertProfile } from '#contract/bff/alert.ts'
import { normaliseText } from '#matcher/normalise-text.ts'

/** Another profile of the same name, in whatever case: a list would show two that look the same. */
export function findNamesake(profiles: readonly AlertProfile[], name: string): AlertProfile | null {
  return profiles.find((profile) => fold(profile.name) === fold(name)) ?? null
}

function fold(name: string): string {
  return normaliseText(name).trim() || name.trim()
}

type NameTwiceProps = { namesake: AlertProfile; onCreate(): void }

/** Asks before a second profile of one name is made: neither can be renamed or deleted from here. */
export function NameTwice({ namesake: { id, name, createdAt }, onCreate }: NameTwiceProps) {
  return (
    <section
      role="alert"
      className="grid grid-cols-[auto_1fr] gap-x-3 rounded-lg border border-medium/35 bg-medium/10 p-4"
    >
      <Icon name="alert" className="mt-0.5 size-5 text-medium" />
      <div className="grid justify-items-start gap-1.5 text-sm">
        <p className="font-semibold text-base">There is a profile of this name</p>
        <p className="text-muted">
          “<Untrusted text={name} maxLength={80} clip="silent" />”
          {createdAt !== null && (
            <>
              {' '}
              was created <Time at={createdAt} />
            </>
          )}
          . Two of one name are hard to tell apart, and no profile can be renamed later.
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-3">
          <Button onClick={onCreate}>Create a second one</Button>
          <Link
            to="/alerts"
            search={{ profile: id }}
            className="touch rounded-sm font-medium text-accent hover:underline"
          >
            Open the first
          </Link>
        </div>
      </div>
    </section>
  )
}
