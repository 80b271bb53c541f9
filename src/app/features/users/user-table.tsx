import { useId } from 'react'
import { countOf } from '#app/format/count.ts'
import { AskFirst } from '#app/ui/ask-first.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { IconButton } from '#app/ui/button.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { WideTable } from '#app/ui/wide-table.tsx'
import { ROLES, roleSchema } from '#contract/bff/session.ts'
import type { User, UserChange } from '#contract/bff/user.ts'

type UserTableProps = {
  users: readonly User[]
  isBusy: boolean
  onChange(id: string, change: UserChange): void
  /** Undefined where nobody has a password. */
  onLink: ((id: string) => void) | undefined
  onSignOut(id: string): void
  onResetFactors(id: string): void
}

const STATES = {
  active: { label: 'Active', tone: 'neutral' },
  invited: { label: 'Invited', tone: 'accent' },
  disabled: { label: 'Disabled', tone: 'warning' },
} as const

/** On phones the rest would push the actions out of sight. */
const WIDE = 'whitespace-nowrap max-sm:hidden'
const WIDEST = 'whitespace-nowrap max-lg:hidden'

export function UserTable({ users, ...actions }: UserTableProps) {
  const columns: Column<User>[] = [
    {
      key: 'name',
      head: 'Name',
      isName: true,
      cellClassName: 'max-w-64 max-sm:max-w-28 sm:min-w-48',
      cell: (user) => <UserName user={user} />,
    },
    { key: 'role', head: 'Role', cell: (user) => <RoleChoice user={user} {...actions} /> },
    { key: 'state', head: 'State', cell: (user) => <UserState user={user} /> },
    {
      key: 'last',
      head: 'Last sign-in',
      className: WIDE,
      cell: ({ lastSignInAt }) =>
        lastSignInAt ? <Time at={lastSignInAt} /> : <span className="text-faint">never</span>,
    },
    {
      key: 'now',
      head: 'Signed in now',
      className: WIDEST,
      cellClassName: 'tabular-nums',
      cell: ({ sessions }) =>
        sessions === 0 ? <span className="text-faint">no</span> : countOf(sessions, 'browser'),
    },
    {
      key: 'actions',
      head: <VisuallyHidden>Actions</VisuallyHidden>,
      className: 'w-px',
      cell: (user) => <UserMenu user={user} {...actions} />,
    },
  ]
  return (
    <WideTable
      label="Users"
      columns={columns}
      rows={users}
      rowKey={({ id }) => id}
      className="[&_td]:px-4 [&_td]:py-2 [&_th]:h-8 [&_th]:px-4 max-sm:[&_td]:px-1 max-sm:[&_th]:px-2"
    />
  )
}

type UserCellProps = Omit<UserTableProps, 'users'> & { user: User }

function UserName({ user: { name, email, breakGlassUntil } }: { user: User }) {
  return (
    <>
      <span className="block truncate font-medium">
        <Untrusted text={name} maxLength={60} clip="silent" isRaw />
      </span>
      <span className="block truncate font-normal text-faint text-xs">
        <Untrusted text={email} maxLength={80} clip="silent" isRaw />
      </span>
      {breakGlassUntil && (
        <span className="mt-0.5 block font-normal text-xs">
          <Badge tone="warning">Break-glass link</Badge> until <Time at={breakGlassUntil} />
        </span>
      )}
    </>
  )
}

function RoleChoice({ user: { id, email, role }, isBusy, onChange }: UserCellProps) {
  return (
    <select
      aria-label={`Role of ${email}`}
      value={role}
      disabled={isBusy}
      onChange={(event) => onChange(id, { role: roleSchema.parse(event.target.value) })}
      className="h-7 rounded-md border border-edge bg-surface px-2 text-sm max-sm:h-11 max-sm:w-24 max-sm:text-lg"
    >
      {ROLES.map((each) => (
        <option key={each} value={each}>
          {each[0]?.toUpperCase()}
          {each.slice(1)}
        </option>
      ))}
    </select>
  )
}

function UserState({ user: { state, linkExpiresAt } }: { user: User }) {
  const { label, tone } = STATES[state]
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {linkExpiresAt && (
        <span className="mt-0.5 block whitespace-nowrap text-faint text-xs max-sm:hidden">
          link until <Time at={linkExpiresAt} show="day" />
        </span>
      )}
    </>
  )
}

function UserMenu({ user, isBusy, onChange, onLink, onSignOut, onResetFactors }: UserCellProps) {
  const { id, email, state, hasSecondFactor } = user
  const resetId = useId()
  return (
    <>
      <Menu
        label={`Actions for ${email}`}
        align="end"
        renderTrigger={(props) => (
          <IconButton
            icon="more"
            label={`Actions for ${email}`}
            aria-haspopup="menu"
            disabled={isBusy}
            {...props}
          />
        )}
      >
        {onLink && state !== 'disabled' && (
          <MenuItem icon="copy" onSelect={() => onLink(id)}>
            {state === 'invited' ? 'New invitation link' : 'Link to set a new password'}
          </MenuItem>
        )}
        <MenuItem icon="sign-out" onSelect={() => onSignOut(id)}>
          Sign out everywhere
        </MenuItem>
        {hasSecondFactor && (
          <MenuItem icon="undo" asks={resetId}>
            Reset second factor…
          </MenuItem>
        )}
        <MenuItem icon="lock" onSelect={() => onChange(id, { isDisabled: state !== 'disabled' })}>
          {state === 'disabled' ? 'Enable' : 'Disable'}
        </MenuItem>
      </Menu>
      <AskFirst
        id={resetId}
        align="end"
        label={`Reset second factor of ${email}`}
        warning={`All second factors of ${email} are removed, and they are signed out. They can set up new ones.`}
        confirm="Reset"
        onConfirm={() => onResetFactors(id)}
      />
    </>
  )
}
