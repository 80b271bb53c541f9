import type { Page } from '@playwright/test'

const PASSWORD = 'four words of a user'

/** Options of the page's own list. */
const ROLES = {
  viewer: 'Viewer: reads everything',
  analyst: 'Analyst: also triages and builds alerts',
} as const

/** Adds somebody through an admin's page. Returns the link of the invitation. */
export async function addUser(
  admin: Page,
  email: string,
  role: keyof typeof ROLES = 'viewer',
): Promise<string> {
  await admin.goto('/settings?tab=users')
  await admin.getByRole('button', { name: 'Add user' }).click()
  await admin.getByLabel('Email', { exact: true }).fill(email)
  await admin.getByLabel('Role', { exact: true }).selectOption({ label: ROLES[role] })
  await admin.getByRole('button', { name: 'Add and get a link' }).click()
  return admin.getByLabel('Link', { exact: true }).inputValue()
}

/** Invites somebody through an admin's page, and lets them in by their link in a browser of their own. Answers what they sign in with. */
export async function inviteUser(admin: Page, user: Page, email: string, role?: keyof typeof ROLES) {
  await user.goto(await addUser(admin, email, role))
  await user.getByLabel('New password').fill(PASSWORD)
  await user.getByRole('button', { name: 'Set password and sign in' }).click()
  await user.waitForURL((url) => url.pathname !== '/sign-in')
  return { email, password: PASSWORD }
}
