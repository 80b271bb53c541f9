import { Badge } from '#app/ui/badge.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { ROLES, roleSchema } from '#contract/bff/session.ts'
import type { User, UserChange } from '#contract/bff/user.ts'

type UserTableProps = {
  users: readonly User[]
  isBusy: boolean
  onChange(id: string, change: UserChange): void
  onLink(id: string): void
  onSignOut(id: string): void
}

const STATES = {
  active: { label: 'Active', tone: 'neutral' },
  invited: { label: 'Invited', tone: 'accent' },
  disabled: { label: 'Disabled', tone: 'warning' },
} as const

/** On phones the rest would push the actions out of sight. */
const WIDE = 'whitespace-nowrap max-sm:hidden'
const WIDEST = 'whitespace-nowrap max-lg:hidden'
const COLUMNS = [
  { name: 'Name', className: '' },
  { name: 'Role', className: '' },
  { name: 'State', className: '' },
  { name: 'Last sign-in', className: WIDE },
  { name: 'Signed in now', className: WIDEST },
] as const

export function UserTable({ users, ...actions }: UserTableProps) {
  return (
    <section
      aria-label="Users"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
      tabIndex={0}
      className="relative overflow-x-auto focus-visible:-outline-offset-2"
    >
      <table className="w-full text-sm [&_td]:px-4 [&_td]:py-2 [&_th]:h-8 [&_th]:px-4 max-sm:[&_td]:px-1 max-sm:[&_th]:px-2">
        <thead className="border-line border-b text-left text-faint text-xs">
          <tr>
            {COLUMNS.map(({ name, className }) => (
              <th key={name} scope="col" className={`font-medium ${className}`}>
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {users.map((user) => (
            <UserRow key={user.id} user={user} {...actions} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function UserRow({
  user,
  isBusy,
  onChange,
  onLink,
  onSignOut,
}: Omit<UserTableProps, 'users'> & { user: User }) {
  const { id, email, name, role, state, lastSignInAt, sessions, linkExpiresAt } = user
  const { label, tone } = STATES[state]
  return (
    <tr>
      <th scope="row" className="max-w-64 text-left sm:min-w-48">
        <span className="block truncate font-medium">
          <Untrusted text={name} maxLength={60} clip="silent" isRaw />
        </span>
        <span className="block truncate font-normal text-faint text-xs">
          <Untrusted text={email} maxLength={80} clip="silent" isRaw />
        </span>
      </th>
      <td>
        <select
          aria-label={`Role of ${email}`}
          value={role}
          disabled={isBusy}
          onChange={(event) => onChange(id, { role: roleSchema.parse(event.target.value) })}
          className="h-7 rounded-md border border-edge bg-surface px-2 text-sm max-sm:h-10 max-sm:w-24 max-sm:text-lg"
        >
          {ROLES.map((each) => (
            <option key={each} value={each}>
              {each[0]?.toUpperCase()}
              {each.slice(1)}
            </option>
          ))}
        </select>
      </td>
      <td>
        <Badge tone={tone}>{label}</Badge>
        {linkExpiresAt && (
          <span className="mt-0.5 block whitespace-nowrap text-faint text-xs max-sm:hidden">
            link until <Time at={linkExpiresAt} show="day" />
          </span>
        )}
      </td>
      <td className={WIDE}>{lastSignInAt ? <Time at={lastSignInAt} /> : <Never />}</td>
      <td className={`tabular-nums ${WIDEST}`}>
        {sessions === 0 ? (
          <span className="text-faint">no</span>
        ) : sessions === 1 ? (
          '1 browser'
        ) : (
          `${sessions} browsers`
        )}
      </td>
      <td className="w-px">
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
          {state !== 'disabled' && (
            <MenuItem icon="copy" onSelect={() => onLink(id)}>
              {state === 'invited' ? 'New invitation link' : 'Link to set a new password'}
            </MenuItem>
          )}
          <MenuItem icon="sign-out" onSelect={() => onSignOut(id)}>
            Sign out everywhere
          </MenuItem>
          <MenuItem icon="lock" onSelect={() => onChange(id, { isDisabled: state !== 'disabled' })}>
            {state === 'disabled' ? 'Enable' : 'Disable'}
          </MenuItem>
        </Menu>
      </td>
    </tr>
  )
}

function Never() {
  return <span className="text-faint">never</span>
}
