import { createBreakGlassLink } from '#bff/accounts/sign-in/sign-in-link.ts'
import { listUsers } from '#bff/accounts/users/user-queries.ts'
import { isHelpWanted, UsageError } from '#server/command-line.ts'
import type { Settings } from '#settings/settings.ts'
import { openDashboardDatabase } from './command-database.ts'
import { nameCaller } from './run-command.ts'

export const BREAK_GLASS_USAGE = `EMAIL [--reset-factors]

Prints a link that signs the admin EMAIL in: once, within 15 minutes, from any browser, also where PASSWORD_SIGN_IN is off
and while the identity provider is away. Works beside a running Lantern and without one. The audit log names it, and who
ran this.

  --reset-factors  also removes the second factors of EMAIL, and ends its sessions: for an admin who has lost them all.`

const RESET = '--reset-factors'

type BreakGlassCommand = { name: 'help' } | { name: 'link'; email: string; resetsFactors: boolean }

export function readBreakGlassCommand(args: readonly string[]): BreakGlassCommand {
  if (isHelpWanted(args)) return { name: 'help' }
  const [email, ...more] = args.filter((arg) => arg !== RESET)
  if (email === undefined || more.length > 0 || !email.includes('@'))
    throw new UsageError('Name one email address: that of an admin.')
  return { name: 'link', email, resetsFactors: args.includes(RESET) }
}

type Out = { print(line: string): void; notify(line: string): void }

/** Creates a link for an admin who cannot sign in by any other method; false if there is no such admin. */
export async function breakGlass(
  settings: Settings,
  { email, resetsFactors }: { email: string; resetsFactors: boolean },
  { print, notify }: Out,
): Promise<boolean> {
  const database = await openDashboardDatabase(settings, 'runtime')
  try {
    const link = await createBreakGlassLink(database, email, {
      publicUrl: settings.publicUrl,
      maker: nameCaller(),
      resetsFactors,
    })
    if (link === null) {
      const users = await listUsers(database)
      const admins = users.filter(({ role, state }) => role === 'admin' && state !== 'disabled')
      notify(`No admin has the address ${email}. Admins: ${admins.map((user) => user.email).join(', ')}`)
      return false
    }
    print(link)
    notify('It signs in once, within 15 minutes. The audit log names it.')
    if (resetsFactors) notify(`${email} has no second factor now: set one up after the sign-in.`)
    return true
  } finally {
    await database.close()
  }
}
